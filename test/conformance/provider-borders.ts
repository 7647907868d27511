/**
 * Conformance at the limits of one call, one below and one above: what the capabilities promise is
 * taken in one call, and what is more goes in two.
 */
import { expect } from "vitest";
import type { RecordSet } from "../../src/model/record-set.ts";
import type { ChangeGroup } from "../../src/plan/changes.ts";
import type { BatchLimits } from "../../src/providers/provider.ts";
import { pack } from "../../src/sync/calls/pack-batches.ts";
import type { Subject } from "./provider.ts";
import { subjectOf } from "./provider-broken-calls.ts";
import { applyOnce, create, recordSet, remove, zoneOf } from "./provider-harness.ts";
import { isUnsupported, testWhere } from "./test-where.ts";

const VALUES_PER_SET = 25;
const TEXTS_PER_SET = 10;
/** Of a text with its quotes; limits are multiples of it. */
const CHARACTERS = 200;

/** Limits that are numbers. */
type Unit = Exclude<keyof BatchLimits, "rewrittenTypes">;

/** Record sets that hold so many of something together, `label` in their names. */
type Fill = (count: number, name: (index: number) => string) => readonly RecordSet[];

const oneEach: Fill = (count, name) =>
  Array.from({ length: count }, (_, index) => recordSet(name(index), "A", "192.0.2.1"));

const valuesOf: Fill = (count, name) =>
  Array.from({ length: Math.ceil(count / VALUES_PER_SET) }, (_, index) => {
    const size = Math.min(VALUES_PER_SET, count - index * VALUES_PER_SET);
    const values = Array.from({ length: size }, (__, at) => `192.0.2.${at + 1}`);
    return recordSet(name(index), "A", ...values);
  });

const charactersOf: Fill = (count, name) => {
  const full = Math.round(count / CHARACTERS) - 1;
  const lengths = [...Array.from({ length: full }, () => CHARACTERS), count - full * CHARACTERS];
  const texts = lengths.map((length, index) => `"${String(index).padStart(length - 2, "x")}"`);
  return Array.from({ length: Math.ceil(texts.length / TEXTS_PER_SET) }, (_, index) => {
    const from = index * TEXTS_PER_SET;
    return recordSet(name(index), "TXT", ...texts.slice(from, from + TEXTS_PER_SET));
  });
};

const FILLS: readonly (readonly [Unit, Fill])[] = [
  ["groupsMax", oneEach],
  ["additionsMax", oneEach],
  ["deletionsMax", oneEach],
  ["operationsMax", valuesOf],
  ["valuesMax", valuesOf],
  ["charactersMax", charactersOf],
];

/** Declares the cases. */
export function borderCases({ harness, at, expects }: Subject): void {
  for (const [unit, fill] of FILLS) {
    const what = unit.replace("Max", "");
    testWhere(
      expects.isFake === true,
      `as many ${what} as a call takes go in one, and one more in two`,
      async ({ task }) => {
        const { fake, session } = subjectOf(harness());
        const zone = await zoneOf(session);
        const capabilities = session.capabilitiesOf?.(zone) ?? session.capabilities;
        const limit = capabilities.batch[unit];
        if (limit === undefined) return isUnsupported(task, `a call has no limit of ${what}`);
        for (const more of [-1, 0, 1]) {
          const count = limit + more;
          const sets = fill(count, (index) => at(`border-${what}-${more + 1}-${index}`));
          if (unit === "deletionsMax") await inBatches(sets.map(create));
          const groups = sets.map(unit === "deletionsMax" ? remove : create);
          fake.takeCalls();
          const batches = await inBatches(groups);
          const sent = fake.takeCalls().map(({ method, path }) => `${method} ${path}`);
          const wanted = count === 0 ? 0 : more === 1 ? 2 : 1;
          expect(batches, `${count} ${what}`).toBe(wanted);
          expect(sent.filter((call) => fake.writes.test(call))).toHaveLength(wanted);
        }

        /** How many batches they were. */
        async function inBatches(groups: readonly ChangeGroup[]): Promise<number> {
          const batches = pack(groups, capabilities);
          for (const batch of batches) {
            const outcomes = await applyOnce(session, batch);
            expect(outcomes.find(({ status }) => status !== "applied")).toBeUndefined();
          }
          return batches.length;
        }
      },
    );
  }
}
