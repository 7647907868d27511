/** Conformance of preconditions: each kind, once as it is and once as it is not. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { Precondition } from "../../src/plan/changes.ts";
import { assertionOf } from "../../src/sync/calls/assertions.ts";
import type { Subject } from "./provider.ts";
import {
  applyStatus,
  create,
  group,
  mustApply,
  recordSet,
  replace,
  soon,
  withTtl,
  zoneOf,
} from "./provider-harness.ts";
import { testWhere } from "./test-where.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";

/**
 * Declares the cases; each kind of precondition only for back ends that check those of other keys
 * than the one they write.
 */
export function preconditionCases({ harness, at, expects }: Subject): void {
  const present = (): ReturnType<typeof recordSet> => recordSet(at("guard"), "A", A, B);
  const key = (type: string) => ({ name: present().name, type, setIdentifier: null });
  const cases: readonly (readonly [string, boolean, () => Precondition])[] = [
    ["absent, and it is", true, () => ({ is: "absent", key: key("TXT") })],
    ["absent, and it is not", false, () => ({ is: "absent", key: key("A") })],
    ["exactly so", true, () => ({ is: "exact", set: present() })],
    [
      "exactly so in another order",
      true,
      () => ({ is: "exact", set: { ...present(), values: [B, A] } }),
    ],
    ["exactly so in another TTL", true, () => ({ is: "exact", set: withTtl(present(), 77) })],
    [
      "exact, and one value is missing",
      false,
      () => ({
        is: "exact",
        set: recordSet(at("guard"), "A", A, B, "192.0.2.3"),
      }),
    ],
    [
      "exact, and there is one value more",
      false,
      () => ({
        is: "exact",
        set: recordSet(at("guard"), "A", A),
      }),
    ],
    [
      "exact, and the record set has another value",
      false,
      () => ({
        is: "exact",
        set: recordSet(at("guard"), "A", A, "192.0.2.3"),
      }),
    ],
    [
      "exact, and the record set does not exist",
      false,
      () => ({
        is: "exact",
        set: recordSet(at("guard"), "TXT", '"x"'),
      }),
    ],
    ["name unused, and it is", true, () => ({ is: "name-unused", name: unused() })],
    ["name unused, and it is used", false, () => ({ is: "name-unused", name: present().name })],
  ];
  const unused = (): DnsName => recordSet(at("never-used"), "A", A).name;

  testWhere(
    expects.preconditions === true && expects.atomicity === "zone",
    "each kind of precondition passes and fails as it says",
    async () => {
      const session = harness().open();
      await mustApply(session, [create(present())]);
      for (const [index, [title, passes, precondition]] of cases.entries()) {
        const next = recordSet(at(`guarded-${index}`), "A", A);
        const asked = group(next.name, [{ op: "create", next }], [precondition()]);
        // What the back end says that it cannot assert is no reason to refuse.
        const assertion = assertionOf(precondition(), asked, session.capabilities);
        const isNever = assertion === "never";
        // Such a back end may compare the TTL, too: the record set is read again, no more.
        if (assertion === "rewritten" && title === "exactly so in another TTL") continue;
        const isExpected = passes || isNever;
        const status = await applyStatus(session, asked);
        expect(status, title).toBe(isExpected ? "applied" : "precondition-failed");
        const exists = (await harness().poll(next.name, "A")) !== null;
        expect(exists, title).toBe(isExpected);
      }
    },
  );

  test("a value that came since the reading is what the capabilities say", async () => {
    const [session, other] = [harness().open(), harness().open()];
    const { preconditions, wholeSets = false } = session.capabilities;
    const read = recordSet(at("since"), "A", A);
    await mustApply(session, [create(read)]);
    await harness().settle();
    for (const one of [session, other]) await one.records(await zoneOf(one), [read.name], soon());
    await mustApply(other, [replace(read, { ...read, values: [A, B] })]);
    const next = { ...read, values: ["192.0.2.3"] };
    const isCompared = preconditions.written.exact !== "never";
    const status = isCompared ? "precondition-failed" : "applied";
    expect(await applyStatus(session, replace(read, next))).toBe(status);
    const left = wholeSets ? next.values : [B, ...next.values];
    expect((await harness().poll(read.name, "A"))?.values).toEqual(isCompared ? [A, B] : left);
  });
}
