/**
 * Conformance of members of a routing policy, where a back end has weights: each is written, read
 * and removed by itself, whatever the back end makes of them.
 */
import { expect, test } from "vitest";
import { compareKeys, type RecordSet } from "../../src/model/record-set.ts";
import type { ProviderSession } from "../../src/providers/provider.ts";
import type { Subject } from "./provider.ts";
import {
  applyOnce,
  create,
  mustApply,
  recordSet,
  remove,
  replace,
  soon,
  zoneOf,
} from "./provider-harness.ts";

/** Declares the cases. */
export function memberCases({ harness, at, expects }: Subject): void {
  const weighs = expects.weights === true;

  const member = (label: string, position: string, weight: string): RecordSet => ({
    ...recordSet(at(label), "A", `192.0.2.${position}`),
    setIdentifier: position,
    routingPolicy: { type: "weighted", parameters: { weight } },
  });
  test("weights are promised where they are", async () => {
    const session = harness().open();
    const found = session.audit(member("audit", "1", "10"), await zoneOf(session));
    expect(found.length === 0).toBe(weighs);
  });
  if (!weighs) return;

  const read = async (session: ProviderSession, { name }: RecordSet) => {
    const { sets } = await session.records(await zoneOf(session), [name], soon());
    return sets;
  };
  const expectOnly = async (session: ProviderSession, ...sets: readonly RecordSet[]) => {
    const zone = await zoneOf(session);
    const expected = sets.map((set) => session.normalize(set, zone)).sort(compareKeys);
    const [any] = sets;
    if (any !== undefined) expect(await read(session, any)).toEqual(expected);
  };

  test("members come, change and go one by one, and are read as they were written", async () => {
    const session = harness().open();
    const [one, two] = [member("weights", "1", "10"), member("weights", "2", "90")];
    const heavier = member("weights", "1", "20");
    for (const set of [one, two, heavier])
      expect(session.audit(set, await zoneOf(session))).toEqual([]);
    await mustApply(session, [create(one)]);
    await expectOnly(session, one);
    await mustApply(session, [create(two)]);
    await expectOnly(session, one, two);
    await mustApply(session, [replace(one, heavier)]);
    await expectOnly(session, heavier, two);
    await mustApply(session, [remove(heavier)]);
    await expectOnly(session, two);
    await mustApply(session, [remove(two)]);
    expect(await read(session, two)).toEqual([]);
  });

  test("a member that exists is not created, nor changed as another than it is", async () => {
    const session = harness().open();
    const [one, other] = [member("weights-exact", "1", "10"), member("weights-exact", "1", "20")];
    await mustApply(session, [create(one)]);
    for (const group of [create(other), replace(other, one), remove(other)]) {
      const [outcome] = await applyOnce(session, [group]);
      expect(outcome?.status).toBe("precondition-failed");
      await expectOnly(session, one);
    }
    await mustApply(session, [remove(one)]);
  });

  test("two writers with a member each both have it in the end", async () => {
    const sets = ["0", "1"].map((position) => member("weights-race", position, "5"));
    const bring = async (session: ProviderSession, set: RecordSet): Promise<void> => {
      for (let status = "precondition-failed"; status !== "applied"; ) {
        expect(status).toBe("precondition-failed");
        await read(session, set);
        const [outcome] = await applyOnce(session, [create(set)]);
        status = outcome?.status ?? "none";
      }
    };
    const session = harness().open();
    await Promise.all(
      sets.map((set, index) => bring(index === 0 ? session : harness().open(), set)),
    );
    await expectOnly(session, ...sets);
  });
}
