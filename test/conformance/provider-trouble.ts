/** Conformance under trouble: dry run, lost answers, many writers at once, impossible input. */
import { expect, test } from "vitest";
import type { Subject } from "./provider.ts";
import {
  applyStatus,
  create,
  mustApply,
  normalizedBy,
  readNames,
  recordSet,
  soon,
  zoneOf,
} from "./provider-harness.ts";
import { testWhere } from "./test-where.ts";

const CREATORS = 20;

/** Declares the cases. */
export function troubleCases({ harness, at, expects }: Subject): void {
  test("a dry run cannot write, and can read", async () => {
    const session = harness().open({ dryRun: true });
    const set = recordSet(at("dry"), "A", "192.0.2.1");
    await expect(applyStatus(session, create(set))).rejects.toMatchObject({ code: "DryRun" });
    expect(await harness().poll(set.name, "A")).toBeNull();
    const { sets } = await session.records(await zoneOf(session), null, soon());
    expect(sets.length).toBeGreaterThan(0);
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
    expects.preconditions,
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

  test("what the back end cannot take is said before it is tried", async () => {
    const session = harness().open();
    const zone = await zoneOf(session);
    const types = session.capabilities.types;
    expect(types.has("SOA")).toBe(false);
    expect(session.audit(recordSet(at("audit"), "A", "192.0.2.1"), zone)).toEqual([]);
    expect(session.audit(recordSet(at("audit"), "A", "300.1.1.1"), zone)).not.toEqual([]);
    const policy = { ...recordSet(at("audit"), "A", "192.0.2.1"), setIdentifier: "blue" };
    if (session.capabilities.routingPolicies.size === 0)
      expect(session.audit(policy, zone)).not.toEqual([]);
  });
}
