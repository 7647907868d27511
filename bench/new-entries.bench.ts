/**
 * 1 000 DNSEntries that are new to one zone of a real BIND, created while `run` rests and before it
 * starts: how much is written to the zone and to the API for each, and how long until all are
 * Ready. Needs dist/ (script/bench builds it) and named.
 */
import { type ApiCall, createEntry } from "./support/api-calls.ts";
import { BulkRig, between, type Cost, recordsAdded, rested } from "./support/bulk-rig.ts";
import { judged } from "./support/publisher-figures.ts";
import { type Figure, report } from "./support/report.ts";

const ENTRIES = Number(process.env["BENCH_ENTRIES"] ?? 1_000);
const READY_BUDGET_MS = 15_000;
const WRITES_BUDGET = 3;
const CALLS_BUDGET = 1.05;
/** An address and its marker. */
const SETS_EACH = 2;
const ADDRESS = "192.0.2.1";

BulkRig.exitWithout("new-entries");
const indexes = Array.from({ length: ENTRIES }, (_, index) => index);
const calls = indexes.map((index) => createEntry(index, ADDRESS));
const meanwhile = await inBind("created while run rests", calls, []);
const before = await inBind("there when run starts", [], calls, meanwhile.idleWrites);
const figures = [...meanwhile.figures, ...before.figures];
report(`new-entries: ${ENTRIES} new DNSEntries in one zone`, figures);
process.exit(0);

/**
 * Entries that are created while `run` rests, and others that are there before; with what the
 * DNSProvider and its Secret cost where no entry is (`providerWrites`).
 */
async function inBind(
  label: string,
  meanwhile: readonly ApiCall[],
  before: readonly ApiCall[],
  providerWrites = 0,
): Promise<{ readonly figures: readonly Figure[]; readonly idleWrites: number }> {
  const rig = await BulkRig.filled(before.map((call) => [call]));
  const addedBefore = recordsAdded(rig.bind);
  const { ready, all, idleWrites } = await measured(rig, meanwhile);
  const sets = recordsAdded(rig.bind) - addedBefore;
  await rig.stop();
  const figures = [
    ...costs(label, ready, { ...all, writes: all.writes - providerWrites }),
    economy(`${label}: records written / least`, sets),
    { what: `${label}: UPDATE messages`, value: String(all.updates) },
    { what: `${label}: queries`, value: String(all.queries) },
  ];
  return { figures, idleWrites };
}

async function measured(rig: BulkRig, meanwhile: readonly ApiCall[]) {
  const isThere = meanwhile.length === 0;
  const start = rig.run();
  const early = isThere ? await rig.cost(null) : null;
  const program = start();
  if (!isThere) await rested(program);
  const before = early ?? (await rig.cost(program));
  await rig.api.all(meanwhile);
  await rig.entriesReady(ENTRIES);
  const ready = between(before, await rig.cost(program));
  await rig.writesRest();
  const all = between(before, await rig.cost(program));
  await program.stop();
  return { ready, all, idleWrites: before.writes };
}

function costs(label: string, ready: Cost, all: Cost): readonly Figure[] {
  const writes = all.writes / ENTRIES;
  return [
    judged(`${label}: until all are Ready`, ready.atMs, READY_BUDGET_MS),
    judged(`${label}: … CPU of that`, ready.cpuMs),
    {
      what: `${label}: writes to the API for each, its Event too, not the DNSProvider's`,
      value: writes.toFixed(2),
      budget: `<= ${WRITES_BUDGET}`,
      met: writes <= WRITES_BUDGET,
    },
  ];
}

function economy(what: string, written: number): Figure {
  const ratio = written / (ENTRIES * SETS_EACH);
  return {
    what,
    value: ratio.toFixed(3),
    budget: `<= ${CALLS_BUDGET}`,
    met: ratio <= CALLS_BUDGET,
  };
}
