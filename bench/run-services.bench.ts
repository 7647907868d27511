/**
 * `run` starts before 50 000 Services that wait for an address and one that has it, the last of the
 * list: until that one is answered by a real BIND. Needs dist/ (script/bench builds it) and named.
 */
import { createService } from "./support/bulk-objects.ts";
import { BulkRig, between } from "./support/bulk-rig.ts";
import { judged } from "./support/publisher-figures.ts";
import { report } from "./support/report.ts";

const SERVICES = Number(process.env["BENCH_SERVICES"] ?? 50_000);
const ANSWERED_BUDGET_MS = 5_000;
const PEAK_BUDGET_MB = 200;
const [NAME, ADDRESS] = ["last.example.org", "192.0.2.1"];

BulkRig.exitWithout("run-services");
const last = createService("zz-last", NAME, ADDRESS);
const rig = await BulkRig.filled([last], { services: SERVICES });
const before = await rig.cost(null);
const program = rig.run()();
await rig.answered([NAME], ADDRESS);
const answered = between(before, await rig.cost(program));
const peakMb = program.rssMb("VmHWM");
await program.stop();
await rig.stop();

report(`run-services: ${SERVICES} Services without an address, and one with`, [
  judged("start until that one is answered", answered.atMs, ANSWERED_BUDGET_MS),
  judged("… CPU until then", answered.cpuMs),
  { what: "… requests to the API", value: String(answered.requests) },
  {
    what: "peak of resident memory",
    value: `${peakMb} MB`,
    budget: `< ${PEAK_BUDGET_MB} MB`,
    met: peakMb < PEAK_BUDGET_MB,
  },
]);
process.exit(0);
