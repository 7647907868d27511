/**
 * From a change in the API to the answer of a real BIND on the same host
 * (docs/architecture.md#budgets): 10 000 DNSEntries are published, then 50 of them are patched each
 * second, each once. API, BIND, `zonekeeper run` and this bench are processes of their own. Needs
 * dist/ (script/bench builds it) and named.
 */
import { join } from "node:path";
import { digValues } from "../test/support/clients/dig.ts";
import { makeTempFolder } from "../test/support/ports/temp-folder.ts";
import { isOnPath } from "../test/support/programs/program-path.ts";
import { startBind } from "../test/support/real-servers/bind.ts";
import type { RealServer } from "../test/support/real-servers/real-server.ts";
import { ApiCalls, createEntry, createProvider, nameOf, patchEntry } from "./support/api-calls.ts";
import { recordsAdded } from "./support/bulk-rig.ts";
import { DnsClient } from "./support/dns-client.ts";
import { PROGRAM, Program } from "./support/program.ts";
import { inMs, percentile, report } from "./support/report.ts";

const ENTRIES = Number(process.env["BENCH_ENTRIES"] ?? 10_000);
const CHANGES_PER_SECOND = 50;
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 20);
const CHANGES = CHANGES_PER_SECOND * SECONDS;
/** A change that is not answered by then is lost. */
const LOST_MS = 30_000;
const ASK_EVERY_MS = 5;
const BEFORE = "192.0.2.1";
const AFTER = "192.0.2.2";
const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

if (!isOnPath("named") || !isOnPath("dig")) {
  process.stdout.write("change-to-answer: not run, named or dig is not installed\n");
  process.exit(0);
}

const bind = await startBind({ zone: "example.org" });
const folder = makeTempFolder("bench-run");
const apiProcess = new Program("script/run.mjs", ["bench/support/api-process.ts"]);
const position = JSON.parse(await apiProcess.line("ready "));
const api = new ApiCalls(position);
const dns = new DnsClient(bind.port);

await api.all(Array.from({ length: ENTRIES }, (_, index) => createEntry(index, BEFORE)));
await api.all(createProvider(bind));
const args = ["run", "--owner", "bench", "--kubeconfig", position.kubeconfig, "--http-port", "0"];
const program = new Program(PROGRAM, [...args, "--data", join(folder.path, "data")]);
const publishedMs = await published();
// The statuses of all entries are still being written when the last name is published; the change
// load shall not wait behind them.
await quiet();

const serialBefore = await serialOf(bind);
const addedBefore = recordsAdded(bind);
const cpuBefore = program.cpuMs();
const startedAtMs = performance.now();
const delays = await Promise.all(Array.from({ length: CHANGES }, (_, index) => change(index)));
const tookMs = performance.now() - startedAtMs;
const cpuShare = (program.cpuMs() - cpuBefore) / tookMs;
await pause(2_000);
const updates = (await serialOf(bind)) - serialBefore;
const added = recordsAdded(bind) - addedBefore;
const rssMb = program.rssMb();

await program.stop();
await apiProcess.stop();
await bind.stop();
folder.remove();

const answered = delays.filter((delay) => delay < LOST_MS);
const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
const lost = CHANGES - answered.length;
const economy = added / CHANGES;
const title = `${ENTRIES} DNSEntries in a zone of BIND, ${CHANGES_PER_SECOND} changes/s for ${SECONDS} s`;
report(`change-to-answer: ${title}`, [
  { what: "PATCH sent to new answer, p50", value: inMs(p50), budget: "< 200 ms", met: p50 < 200 },
  { what: "PATCH sent to new answer, p99", value: inMs(p99), budget: "< 1 s", met: p99 < 1_000 },
  { what: "PATCH sent to new answer, worst", value: inMs(Math.max(...delays)) },
  { what: `lost changes of ${CHANGES}`, value: String(lost), budget: "0", met: lost === 0 },
  {
    what: "records written / records that had to change",
    value: economy.toFixed(3),
    budget: "<= 1.05",
    met: economy <= 1.05,
  },
  { what: "UPDATE messages for one change", value: (updates / CHANGES).toFixed(2) },
  { what: "CPU of run, share of a core", value: `${Math.round(cpuShare * 100)} %` },
  { what: "resident memory of run", value: `${rssMb} MB` },
  { what: `start of run until all ${ENTRIES} are published`, value: inMs(publishedMs) },
]);
process.exit(0);

/** Milliseconds from the start of `run` until the last entry is answered. */
async function published(): Promise<number> {
  for (let index = 0; index < ENTRIES; ) {
    if ((await dns.ask(nameOf(index))).includes(BEFORE)) index += 1;
    else await pause(20);
  }
  return performance.now() - program.startedAtMs;
}

/** Waits until `run` uses less than a tenth of a core for three seconds. */
async function quiet(): Promise<void> {
  for (let calm = 0; calm < 3; ) {
    const before = program.cpuMs();
    await pause(1_000);
    calm = program.cpuMs() - before < 100 ? calm + 1 : 0;
  }
}

/** Patches one entry at its time; milliseconds until BIND says so. */
async function change(index: number): Promise<number> {
  await pause((index * 1_000) / CHANGES_PER_SECOND);
  // Neighbours in time are no neighbours in the list.
  const entry = (index * 37) % ENTRIES;
  const sentAtMs = performance.now();
  await api.call(patchEntry(entry, AFTER));
  while (performance.now() - sentAtMs < LOST_MS) {
    if ((await dns.ask(nameOf(entry))).includes(AFTER)) return performance.now() - sentAtMs;
    await pause(ASK_EVERY_MS);
  }
  return LOST_MS;
}

/** BIND counts one up for each UPDATE message that changes something. */
async function serialOf({ port, zone }: RealServer): Promise<number> {
  const [soa = ""] = await digValues({ port, name: zone, type: "SOA" });
  return Number(soa.split(" ")[2]);
}
