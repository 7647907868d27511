/** Conformance of writes: what is applied, what is refused, and that nothing else is touched. */
import { expect, test } from "vitest";
import type { Precondition } from "../../src/plan/changes.ts";
import type { Subject } from "./provider.ts";
import {
  applyOnce,
  applyStatus,
  create,
  group,
  mustApply,
  normalizedBy,
  readNames,
  recordSet,
  remove,
  replace,
  soon,
  withTtl,
  zoneOf,
} from "./provider-harness.ts";
import { isUnsupported, testWhere } from "./test-where.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";

/** Declares the cases. */
export function applyingCases({ harness, at, expects }: Subject): void {
  const guarded = expects.preconditions !== false;
  const compares = expects.preconditions === true;
  const atomic = expects.atomicity === "zone";

  test("the capabilities are what is promised", () => {
    const { capabilities } = harness().open();
    expect(capabilities.atomicity).toBe(expects.atomicity);
    const { absent, exact } = capabilities.preconditions.written;
    expect([absent !== "never", exact !== "never"]).toEqual([guarded, compares]);
    expect(capabilities.batch.groupsMax).toBeGreaterThan(0);
    const types = ["A", "AAAA", "CNAME", ...(expects.hostsOnly === true ? [] : ["TXT"])];
    expect([...capabilities.types]).toEqual(expect.arrayContaining(types));
  });

  test("a record set is created, replaced and removed, and an independent reader sees it", async () => {
    const session = harness().open();
    const first = recordSet(at("plain"), "A", A);
    const second = recordSet(at("plain"), "A", A, B);
    const { ttlSeconds } = await normalizedBy(session, first);
    await mustApply(session, [create(first)]);
    expect(await harness().poll(first.name, "A")).toEqual({ ttlSeconds, values: [A] });
    await mustApply(session, [replace(first, second)]);
    expect(await harness().poll(first.name, "A")).toEqual({ ttlSeconds, values: [A, B] });
    await mustApply(session, [remove(second)]);
    expect(await harness().poll(first.name, "A")).toBeNull();
  });

  test("a changed TTL alone arrives", async () => {
    const session = harness().open();
    const before = recordSet(at("ttl"), "A", A, B);
    await mustApply(session, [create(before)]);
    const after = withTtl(before, 1200);
    const { ttlSeconds } = await normalizedBy(session, after);
    await mustApply(session, [replace(before, after)]);
    expect(await harness().poll(before.name, "A")).toEqual({ ttlSeconds, values: [A, B] });
  });

  test("values leave one by one: what is not in the new set is gone, what is in both stays", async () => {
    const session = harness().open();
    const before = recordSet(at("values"), "A", A, B);
    const after = recordSet(at("values"), "A", B, "192.0.2.3");
    await mustApply(session, [create(before)]);
    await mustApply(session, [replace(before, after)]);
    expect((await harness().poll(before.name, "A"))?.values).toEqual([B, "192.0.2.3"]);
  });

  testWhere(guarded, "a name that was taken meanwhile is not taken again", async () => {
    const session = harness().open();
    const other = recordSet(at("taken"), "A", A);
    await mustApply(session, [create(other)]);
    const mine = create(recordSet(at("taken"), "A", B));
    expect(await applyStatus(session, mine)).toBe("precondition-failed");
    expect((await harness().poll(other.name, "A"))?.values).toEqual([A]);
  });

  testWhere(compares, "replace and remove of what has changed since it was read fail", async () => {
    const session = harness().open();
    const read = recordSet(at("changed"), "A", A);
    const now = recordSet(at("changed"), "A", A, B);
    await mustApply(session, [create(read)]);
    await mustApply(session, [replace(read, now)]);
    const mine = recordSet(at("changed"), "A", "192.0.2.9");
    expect(await applyStatus(session, replace(read, mine))).toBe("precondition-failed");
    expect(await applyStatus(session, remove(read))).toBe("precondition-failed");
    expect((await harness().poll(read.name, "A"))?.values).toEqual([A, B]);
  });

  test("a change of type inside one group leaves the new type, both ways", async () => {
    const session = harness().open();
    const address = recordSet(at("type"), "A", A);
    const alias = recordSet(at("type"), "CNAME", at("target"));
    await mustApply(session, [create(address)]);
    for (const [previous, next] of [[address, alias] as const, [alias, address] as const]) {
      const changes = [{ op: "remove", previous } as const, { op: "create", next } as const];
      await mustApply(session, [group(next.name, changes, [{ is: "exact", set: previous }])]);
      expect((await harness().poll(next.name, next.type))?.values).toEqual(next.values);
      expect(await harness().poll(next.name, previous.type)).toBeNull();
    }
  });

  testWhere(guarded, "a CNAME conflict is never lost in silence", async () => {
    const session = harness().open();
    const address = recordSet(at("conflict-a"), "A", A);
    const alias = recordSet(at("conflict-c"), "CNAME", at("target"));
    await mustApply(session, [create(address), create(alias)]);
    const aliasOverAddress = create(recordSet(at("conflict-a"), "CNAME", at("target")));
    const addressOverAlias = create(recordSet(at("conflict-c"), "A", A));
    expect(await applyStatus(session, aliasOverAddress)).not.toBe("applied");
    expect(await applyStatus(session, addressOverAlias)).not.toBe("applied");
    expect((await harness().poll(address.name, "A"))?.values).toEqual([A]);
    expect((await harness().poll(alias.name, "CNAME"))?.values).toEqual(alias.values);
  });

  testWhere(atomic, "a foreign record set that appears bars the switch to a CNAME", async () => {
    const session = harness().open();
    const own = recordSet(at("switch"), "A", A);
    await mustApply(session, [create(own)]);
    await harness().addForeign(recordSet(at("switch"), "AAAA", "2001:db8::1"));
    const next = recordSet(at("switch"), "CNAME", at("target"));
    const preconditions: readonly Precondition[] = [
      { is: "exact", set: own },
      ...["AAAA", "TXT", "MX", "CNAME"].map((type) => ({
        is: "absent" as const,
        key: { name: own.name, type, setIdentifier: null },
      })),
    ];
    const changes = [{ op: "remove", previous: own } as const, { op: "create", next } as const];
    const status = await applyStatus(session, group(own.name, changes, preconditions));
    expect(status).toBe("precondition-failed");
    expect((await harness().poll(own.name, "A"))?.values).toEqual([A]);
    expect((await harness().poll(own.name, "AAAA"))?.values).toEqual(["2001:db8::1"]);
  });

  testWhere(atomic, "what a stranger has at the same name stays when ours goes", async () => {
    const session = harness().open();
    const own = recordSet(at("shared"), "A", A);
    const other = recordSet(at("shared"), "TXT", '"not yours"');
    await mustApply(session, [create(own)]);
    await harness().addForeign(other);
    await mustApply(session, [remove(own)]);
    expect((await harness().poll(other.name, "TXT"))?.values).toEqual(['"not yours"']);
  });

  testWhere(
    atomic,
    "even without preconditions only values that were read are taken away",
    async () => {
      const session = harness().open();
      const read = recordSet(at("mixed"), "A", A, B);
      await mustApply(session, [create(recordSet(at("mixed"), "A", B, "192.0.2.3"))]);
      const status = await applyStatus(
        session,
        group(read.name, [{ op: "remove", previous: read }]),
      );
      // Where the removal itself names what was read, it may fail as a whole.
      const { exact } = session.capabilities.preconditions.written;
      const mayRefuse = exact === "implied" && status === "precondition-failed";
      expect(mayRefuse || status === "applied", status).toBe(true);
      const left = mayRefuse ? [B, "192.0.2.3"] : ["192.0.2.3"];
      expect((await harness().poll(read.name, "A"))?.values).toEqual(left);
    },
  );

  test("the apex takes addresses and text, and keeps its SOA and NS", async () => {
    const session = harness().open();
    const text = expects.hostsOnly === true ? [] : [recordSet(at("@"), "TXT", '"v=spf1 -all"')];
    const sets = [recordSet(at("@"), "A", A), ...text];
    for (const set of sets) await mustApply(session, [create(set)]);
    expect((await harness().poll(harness().zone, "A"))?.values).toEqual([A]);
    const { apex = ["SOA", "NS"] } = expects;
    for (const type of apex) expect(await harness().poll(harness().zone, type)).not.toBeNull();
    for (const set of sets) await mustApply(session, [remove(set)]);
    expect(await harness().poll(harness().zone, "A")).toBeNull();
    for (const type of apex) expect(await harness().poll(harness().zone, type)).not.toBeNull();
  });

  test("a wildcard is a name like any other, or held before it is tried", async () => {
    const session = harness().open();
    const wildcard = recordSet(at("*.wild"), "A", A);
    const problems = session.audit(wildcard, await zoneOf(session));
    if (expects.hostsOnly === true) return expect(problems).toHaveLength(1);
    await mustApply(session, [create(wildcard)]);
    expect((await harness().poll(wildcard.name, "A"))?.values).toEqual([A]);
    await mustApply(session, [remove(wildcard)]);
    expect(await harness().poll(wildcard.name, "A")).toBeNull();
  });

  test("a name with * elsewhere than as its first label, where the provider says so", async ({
    task,
  }) => {
    const session = harness().open();
    if (session.capabilities.starInNames !== true)
      return isUnsupported(
        task,
        "`*` is written as the first label only; no server of this kind was tried with others",
      );
    for (const label of ["a-*.star", "a.own.*.star"]) {
      const text = recordSet(at(label), "TXT", '"x"');
      await mustApply(session, [create(text)]);
      expect((await harness().poll(text.name, "TXT"))?.values).toEqual(['"x"']);
      await harness().settle();
      expect(await readNames(session, [text.name])).toEqual([text]);
      await mustApply(session, [remove(text)]);
      expect(await harness().poll(text.name, "TXT")).toBeNull();
    }
  });

  const { many = 500 } = expects;
  const samples = [0, many / 2, many - 1];
  test("many groups go in as few calls as the back end takes, and out again", async () => {
    const session = harness().open();
    const sets = Array.from({ length: many }, (_, index) =>
      recordSet(at(`many-${index}`), "A", `192.0.2.${index % 250}`),
    );
    await mustApply(session, sets.map(create));
    await harness().settle();
    for (const index of samples)
      expect(await harness().poll(sets[index]?.name ?? harness().zone, "A")).not.toBeNull();
    const snapshot = await session.records(await zoneOf(session), null, soon());
    const names = new Set(snapshot.sets.map(({ name }) => name));
    expect(sets.filter(({ name }) => !names.has(name))).toEqual([]);
    await mustApply(session, sets.map(remove));
    for (const index of samples)
      expect(await harness().poll(sets[index]?.name ?? harness().zone, "A")).toBeNull();
  });

  testWhere(atomic, "a call is all or nothing, and one bad group is found by halving", async () => {
    const session = harness().open();
    const good = ["half-1", "half-2", "half-3"].map((label) => recordSet(at(label), "A", A));
    const bad = recordSet("elsewhere.invalid", "A", A);
    const groups = [...good, bad].map((next) => group(next.name, [{ op: "create", next }]));
    const outcomes = await applyOnce(session, groups);
    // Either the answer names the culprit, or all groups share the refusal.
    const isNamed = outcomes.some(({ status }) => status === "refused-together");
    const innocent = isNamed ? "refused-together" : "rejected";
    const statuses = [innocent, innocent, innocent, "rejected"];
    expect(outcomes.map(({ status }) => status)).toEqual(statuses);
    for (const set of good) expect(await harness().poll(set.name, "A")).toBeNull();
    const right = await applyOnce(session, groups.slice(2));
    expect(right.map(({ status }) => status)).toEqual([innocent, "rejected"]);
    await mustApply(session, groups.slice(0, 2));
    await mustApply(session, groups.slice(2, 3));
    expect(await applyStatus(session, groups[3] ?? create(bad))).toBe("rejected");
  });
}
