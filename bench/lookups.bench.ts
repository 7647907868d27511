/**
 * 1 000 DNSEntries whose host names are looked up each 60 seconds, with answers that stay as they
 * are: what that costs `run` in two quiet minutes. Needs dist/ (script/bench builds it) and named.
 */
import { startBind } from "../test/support/real-servers/bind.ts";
import { createEntry } from "./support/api-calls.ts";
import { BulkRig, between, pause } from "./support/bulk-rig.ts";
import { counted } from "./support/publisher-figures.ts";
import { report } from "./support/report.ts";

const ENTRIES = Number(process.env["BENCH_ENTRIES"] ?? 1_000);
const INTERVAL_SECONDS = 60;
const MEASURED_MS = 120_000;
const SHARE_BUDGET = 5;

BulkRig.exitWithout("lookups");
const records = ["* 60 IN A 192.0.2.1"];
const hosts = await startBind({ zone: "lb.example.net", records });
const more = { resolveTargetsToAddresses: true, cnameLookupInterval: INTERVAL_SECONDS };
const calls = Array.from({ length: ENTRIES }, (_, index) => [
  createEntry(index, `host-${index}.lb.example.net`, more),
]);
const rig = await BulkRig.filled(calls);
const program = rig.run(["--lookup-servers", `127.0.0.1:${hosts.port}`])();
await rig.entriesReady(ENTRIES);
await rig.writesRest();

const before = await rig.cost(program);
await pause(MEASURED_MS);
const quiet = between(before, await rig.cost(program));
const rssMb = program.rssMb();
await program.stop();
await rig.stop();
await hosts.stop();

const share = (100 * quiet.cpuMs) / quiet.atMs;
report(`lookups: ${ENTRIES} host names looked up each ${INTERVAL_SECONDS} s`, [
  {
    what: "CPU of two minutes, share of a core",
    value: `${share.toFixed(1)} %`,
    budget: `< ${SHARE_BUDGET} %`,
    met: share < SHARE_BUDGET,
  },
  counted("UPDATE messages", quiet.updates, 1),
  counted("writes to the API, without the Lease", quiet.writes, 1),
  { what: "resident memory", value: `${rssMb} MB` },
]);
process.exit(0);
