/**
 * A burst of 5 000 DNSEntries that are created while `run` rests, until the last one is answered by
 * a real BIND; 11 s later a single edit, and what it waits. Needs dist/ (script/bench builds it)
 * and named.
 */
import { createEntry, nameOf, patchEntry } from "./support/api-calls.ts";
import { BulkRig, between, pause, rested } from "./support/bulk-rig.ts";
import { judged } from "./support/publisher-figures.ts";
import { report } from "./support/report.ts";

const ENTRIES = Number(process.env["BENCH_ENTRIES"] ?? 5_000);
const ANSWERED_BUDGET_MS = 12_000;
const CPU_BUDGET_MS = 2;
const EDIT_BUDGET_MS = 200;
/** When the change token is asked next, and what we wrote was read back once. */
const EDIT_AFTER_MS = 11_000;
const EDITS = 3;
const [BEFORE, AFTER] = ["192.0.2.1", "192.0.2.2"];

BulkRig.exitWithout("burst");
const indexes = Array.from({ length: ENTRIES }, (_, index) => index);
const rig = await BulkRig.filled([]);
const program = rig.run()();
// The zone is open when the first name is answered.
await rig.api.call(createEntry(ENTRIES, BEFORE));
await rig.answered([nameOf(ENTRIES)], BEFORE);
await rested(program);

const before = await rig.cost(program);
const created = rig.api.all(indexes.map((index) => createEntry(index, BEFORE)));
await rig.answered(indexes.map(nameOf), BEFORE);
const answered = between(before, await rig.cost(program));
await created;
await pause(EDIT_AFTER_MS);
const edits = await editAfterEdit();
const restedMs = (await rested(program)) - before.atMs;
const all = between(before, await rig.cost(program));
const cpuMs = all.cpuMs / ENTRIES;
const peakMb = program.rssMb("VmHWM");
await program.stop();
await rig.stop();

const each = (value: number): string => (value / ENTRIES).toFixed(2);
report(`burst: ${ENTRIES} DNSEntries created at once, answered by BIND`, [
  judged("first POST to last answer", answered.atMs, ANSWERED_BUDGET_MS),
  { what: "… UPDATE messages", value: String(answered.updates) },
  judged(
    "PATCH to answer, 11 s after the burst; the worst of 3",
    Math.max(...edits),
    EDIT_BUDGET_MS,
  ),
  judged("CPU for one entry, until the process rests", cpuMs, CPU_BUDGET_MS),
  { what: "… of that until the last answer", value: `${each(answered.cpuMs)} ms` },
  { what: "requests to the API for one entry", value: each(all.requests) },
  { what: "queries for one entry", value: each(all.queries) },
  { what: "first POST until the process rests", value: `${Math.round(restedMs)} ms` },
  { what: "peak of resident memory", value: `${peakMb} MB` },
]);
process.exit(0);

/** Milliseconds from each PATCH to its answer, one at a time. */
async function editAfterEdit(): Promise<readonly number[]> {
  const delays: number[] = [];
  for (let index = 0; index < EDITS; index++) {
    const sentAtMs = performance.now();
    await rig.api.call(patchEntry(index, AFTER));
    await rig.answered([nameOf(index)], AFTER);
    delays.push(performance.now() - sentAtMs);
    await pause(1_000);
  }
  return delays;
}
