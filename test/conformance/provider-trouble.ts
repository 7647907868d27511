/** Conformance under trouble: dry run, lost answers, many writers at once, impossible input. */
import { expect, test } from "vitest";
import { applyBatch } from "../../src/sync/calls/apply-batches.ts";
import type { Subject } from "./provider.ts";
import {
  applyStatus,
  create,
  group,
  mustApply,
  normalizedBy,
  type Rails,
  readNames,
  recordSet,
  remove,
  replace,
  soon,
  withTtl,
  zoneOf,
} from "./provider-harness.ts";
import { testWhere } from "./test-where.ts";

const CREATORS = 20;
const RAILS: readonly (readonly [string, string, Rails])[] = [
  ["a dry run", "DryRun", { dryRun: true }],
  ["a pause", "Paused", { writeGate: () => "paused by the test" }],
];

/** Declares the cases. */
export function troubleCases({ harness, at, expects }: Subject): void {
  for (const [title, code, rails] of RAILS)
    test(`${title} cannot create, replace, remove or change a type, and can read`, async () => {
      const set = recordSet(at(`kept-${code}`.toLowerCase()), "A", "192.0.2.1");
      await mustApply(harness().open(), [create(set)]);
      await harness().settle();
      const session = harness().open(rails);
      // Where a write needs what was read of the name, it is there.
      const { sets } = await session.records(await zoneOf(session), null, soon());
      expect(sets.filter(({ name }) => name === set.name)).toHaveLength(1);
      const { name } = set;
      const next = recordSet(name, "CNAME", "elsewhere.example.net");
      const added = recordSet(at(`added-${code}`.toLowerCase()), "A", "192.0.2.1");
      const writes = [
        create(added),
        replace(set, recordSet(name, "A", "192.0.2.2")),
        ...(expects.hostsOnly === true ? [] : [replace(set, withTtl(set, 1200))]),
        remove(set),
        group(name, [
          { op: "remove", previous: set },
          { op: "create", next },
        ]),
      ];
      for (const one of writes)
        await expect(applyStatus(session, one)).rejects.toMatchObject({ code });
      expect(await harness().poll(added.name, "A")).toBeNull();
      expect(await harness().poll(name, "CNAME")).toBeNull();
      const { ttlSeconds, values } = await normalizedBy(session, set);
      expect(await harness().poll(name, "A")).toEqual({ ttlSeconds, values });
    });

  test("a lost answer is unknown, and a read of the name tells what happened", async () => {
    const set = recordSet(at("lost"), "A", "192.0.2.1");
    harness().loseNextAnswer();
    const session = harness().open();
    expect(await applyStatus(session, create(set))).toBe("unknown");
    await harness().settle();
    expect(await readNames(session, [set.name])).toEqual([await normalizedBy(session, set)]);
    await mustApply(session, [create(recordSet(at("lost-next"), "A", "192.0.2.1"))]);
  });

  testWhere(
    expects.preconditions !== false,
    `of ${CREATORS} creators of one name exactly one wins`,
    async () => {
      const sets = Array.from({ length: CREATORS }, (_, index) =>
        recordSet(at("race"), "A", `192.0.2.${index + 1}`),
      );
      const statuses = await Promise.all(
        sets.map((set) => applyStatus(harness().open(), create(set))),
      );
      const winners = statuses.flatMap((status, index) => (status === "applied" ? [index] : []));
      expect(winners).toHaveLength(1);
      expect(statuses.filter((status) => status === "precondition-failed")).toHaveLength(
        CREATORS - 1,
      );
      const winner = sets[winners[0] ?? -1];
      expect(await harness().poll(sets[0]?.name ?? harness().zone, "A")).toEqual({
        ttlSeconds: 900,
        values: winner?.values,
      });
    },
  );

  for (const afterSeconds of [null, 7])
    testWhere(
      expects.isFake === true,
      afterSeconds === null
        ? "too many calls: the batch waits whole and is sent once more"
        : `too many calls: the account waits for the ${afterSeconds} seconds of the answer`,
      async () => {
        const session = harness().open();
        const zone = await zoneOf(session);
        const labels = ["one", "two", "three"].slice(0, session.capabilities.batch.groupsMax);
        const batch = labels.map((label) =>
          create(recordSet(at(`busy-${label}-${afterSeconds}`), "A", "192.0.2.1")),
        );
        let calls = 0;
        const waitsMs: (number | null)[] = [];
        const context = {
          session,
          zone,
          signal: soon(),
          budget: {
            write: async () => void calls++,
            slowDown: (afterMs: number | null) => void waitsMs.push(afterMs),
          },
          waitsIfThrottled: true,
          isDue: () => true,
        } as const;
        harness().throttleNext?.(afterSeconds);
        const results = await applyBatch(context, batch);
        expect(waitsMs).toEqual([afterSeconds === null ? null : afterSeconds * 1000]);
        expect(results.map(({ outcome }) => outcome.status)).toEqual(labels.map(() => "applied"));
        expect(calls).toBe(2);
      },
    );

  test("what the back end cannot take is said before it is tried", async () => {
    const session = harness().open();
    const zone = await zoneOf(session);
    const types = session.capabilities.types;
    expect(types.has("SOA")).toBe(false);
    expect(session.audit(recordSet(at("audit"), "A", "192.0.2.1"), zone)).toEqual([]);
    expect(session.audit(recordSet(at("audit"), "A", "300.1.1.1"), zone)).not.toEqual([]);
    const policy = { ...recordSet(at("audit"), "A", "192.0.2.1"), setIdentifier: "blue" };
    expect(session.audit(policy, zone)).not.toEqual([]);
  });
}
