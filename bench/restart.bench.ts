/**
 * `run` starts again on 20 000 DNSEntries in 50 zones that are published and Ready: nothing is
 * written, neither to BIND nor to the API (but the Lease), and memory stays small. Needs dist/
 * (script/bench builds it) and named.
 */
import { createEntry } from "./support/api-calls.ts";
import { BulkRig, between, rested } from "./support/bulk-rig.ts";
import { counted, judged } from "./support/publisher-figures.ts";
import { report } from "./support/report.ts";

const ENTRIES = Number(process.env["BENCH_ENTRIES"] ?? 20_000);
const ZONES = 50;
const RSS_BUDGET_MB = 400;
const ADDRESS = "192.0.2.1";

BulkRig.exitWithout("restart");
const moreZones = Array.from({ length: ZONES - 1 }, (_, index) => `z${index}.example.net`);
const zones = ["example.org", ...moreZones];
const nameAt = (index: number): string => `host-${index}.${zones[index % ZONES]}`;
const indexes = Array.from({ length: ENTRIES }, (_, index) => index);
const entries = indexes.map((index) => [createEntry(index, ADDRESS, { dnsName: nameAt(index) })]);
const rig = await BulkRig.filled(entries, { moreZones });
const start = rig.run();

const first = start();
await rig.entriesReady(ENTRIES);
await rested(first);
await first.stop();

const before = await rig.cost(null);
const program = start();
const restedAtMs = await rested(program);
const after = between(before, await rig.cost(program));
const peakMb = program.rssMb("VmHWM");
const rssMb = program.rssMb();
await program.stop();
await rig.stop();

report(`restart: ${ENTRIES} DNSEntries in ${ZONES} zones that are as wanted`, [
  counted("UPDATE messages", after.updates, 1),
  counted("writes to the API, without the Lease", after.writes, 1),
  memory("resident memory", rssMb),
  memory("peak of resident memory", peakMb),
  judged("start until the process rests", restedAtMs - program.startedAtMs),
  judged("… CPU of that", after.cpuMs),
  { what: "… requests to the API", value: String(after.requests) },
  { what: "… queries, transfers included", value: String(after.queries) },
]);
process.exit(0);

function memory(what: string, value: number) {
  return {
    what,
    value: `${value} MB`,
    budget: `< ${RSS_BUDGET_MB} MB`,
    met: value < RSS_BUDGET_MB,
  };
}
