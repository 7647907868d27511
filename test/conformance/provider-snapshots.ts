/**
 * Conformance of reads: complete, the same by name as whole, canonical, and with a change token
 * that moves.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareKeys, type RecordSet } from "../../src/model/record-set.ts";
import { movedByName, setsAfter } from "../../src/sync/cache/sets-after.ts";
import type { Expectations, Subject } from "./provider.ts";
import {
  create,
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
import { isUnsupported } from "./test-where.ts";

const NO_TOKEN = "the API does not tell cheaply that a zone changed: it is listed anew";

/** Declares the cases. */
export function snapshotCases({ harness, at, expects }: Subject): void {
  test("a full reading is sorted, canonical, and has the apex SOA and NS", async () => {
    const session = harness().open();
    const { sets } = await session.records(await zoneOf(session), null, soon());
    const apex = sets.filter(({ name }) => name === harness().zone).map(({ type }) => type);
    const { apex: shown = ["NS", "SOA"] } = expects;
    expect(apex).toEqual(expect.arrayContaining([...shown]));
    expect([...sets].sort(compareKeys)).toEqual(sets);
    for (const set of sets) expect([...new Set(set.values)].sort()).toEqual(set.values);
  });

  test("names read one by one are what a full reading says", async () => {
    const session = harness().open();
    const more = [
      recordSet(at("read"), "TXT", '"a b"'),
      recordSet(at("*.read-wild"), "A", "192.0.2.3"),
    ];
    const drafts = [
      recordSet(at("read"), "A", "192.0.2.1", "192.0.2.2"),
      recordSet(at("read-alias"), "CNAME", at("read")),
      ...(expects.hostsOnly === true ? [] : more),
    ];
    const sets = await Promise.all(drafts.map((set) => normalizedBy(session, set)));
    for (const set of sets) await mustApply(session, [create(set)]);
    await harness().settle();
    const labels = ["read", "read-alias", "*.read-wild", "x.read-wild", "read-nothing", "@"];
    const names = labels.map((label) => recordSet(at(label), "A", "192.0.2.1").name);
    const zone = await zoneOf(session);
    const full = (await session.records(zone, null, soon())).sets;
    const wanted = full.filter(({ name }) => names.includes(name));
    const sansSoa = (list: readonly RecordSet[]) => list.filter(({ type }) => type !== "SOA");
    expect(sansSoa(await readNames(session, names))).toEqual(sansSoa(wanted));
    expect(wanted.filter(({ name }) => name.includes("read"))).toEqual([...sets].sort(compareKeys));
  });

  test("what is read back is what normalize says, and normalizing again changes nothing", async () => {
    const session = harness().open();
    const zone = await zoneOf(session);
    let number = 0;
    await fc.assert(
      fc.asyncProperty(anySet(expects), async (draft) => {
        const { name } = recordSet(at(`law-${number++}`), "A");
        const set = session.normalize({ ...draft, name }, zone);
        expect(session.normalize(set, zone)).toEqual(set);
        expect(session.audit(set, zone)).toEqual([]);
        await mustApply(session, [create(set)]);
        await harness().settle();
        const [read, ...more] = await readNames(session, [set.name]);
        expect(more).toEqual([]);
        expect(read === undefined ? null : session.normalize(read, zone)).toEqual(set);
        await mustApply(session, [remove(set)]);
      }),
      { numRuns: 40 },
    );
  });

  test("upper case in values and names does not make a difference", async () => {
    const session = harness().open();
    const loud = recordSet(at("loud"), "CNAME", at("TARGET").toUpperCase());
    const calm = await normalizedBy(session, loud);
    expect(calm.values).toEqual([at("target")]);
    await mustApply(session, [create(loud)]);
    await harness().settle();
    expect(await readNames(session, [loud.name])).toEqual([calm]);
    await mustApply(session, [remove(calm)]);
  });

  test("the change token moves with a write, stays without one, and names what moved", async ({
    task,
  }) => {
    const session = harness().open();
    const zone = await zoneOf(session);
    if (session.changeToken === undefined) return isUnsupported(task, NO_TOKEN);
    const before = (await session.records(zone, null, soon())).token ?? "";
    expect(await session.changeToken?.(zone, soon())).toBe(before);
    const set = recordSet(at("token"), "A", "192.0.2.1");
    await mustApply(session, [create(set)]);
    const after = await session.changeToken?.(zone, soon());
    expect(after).not.toBe(before);
    const delta = await session.changesSince?.(zone, before, soon());
    expect(delta?.token).toBe(after);
    if (delta?.names !== null) expect(delta?.names).toContain(set.name);
    const none = await session.changesSince?.(zone, after ?? "", soon());
    expect(none?.names?.filter((name) => name !== harness().zone) ?? []).toEqual([]);
  });

  test("a delta that tells records leads from the earlier reading to the later one", async ({
    task,
  }) => {
    const session = harness().open();
    const zone = await zoneOf(session);
    if (session.changesSince === undefined) return isUnsupported(task, NO_TOKEN);
    const two = { ...recordSet(at("two"), "A", "192.0.2.1"), values: ["192.0.2.1", "192.0.2.2"] };
    const gone = recordSet(at("gone"), "TXT", '"gone"');
    const alias = recordSet(at("alias"), "CNAME", at("two"));
    await mustApply(session, [create(two), create(gone), create(alias)]);
    const before = await session.records(zone, null, soon());
    const next = { ...two, values: ["192.0.2.2", "192.0.2.3"] };
    const retimed = withTtl(next, 1200);
    const address = recordSet(at("alias"), "A", "192.0.2.9");
    await mustApply(session, [replace(two, next), remove(gone)]);
    await mustApply(session, [
      replace(next, retimed),
      create(recordSet(at("new"), "A", "192.0.2.4")),
    ]);
    await mustApply(session, [remove(alias)]);
    await mustApply(session, [create(address)]);
    await harness().settle();
    const after = await session.records(zone, null, soon());
    const { records, names } = await session.changesSince(zone, before.token ?? "", soon());
    if (records === undefined) return;
    expect([...movedByName(records).keys()].sort()).toEqual(names);
    for (const [name, moved] of movedByName(records)) {
      const ofName = (sets: readonly RecordSet[]) => sets.filter((set) => set.name === name);
      const predicted = [...setsAfter(ofName(before.sets), moved)].sort(compareKeys);
      expect(predicted).toEqual(ofName(after.sets));
    }
    expect(names).toEqual([alias, gone, recordSet(at("new"), "A", ""), two].map((set) => set.name));
  });

  test("what a stranger writes is read", async () => {
    const session = harness().open();
    const draft = withTtl(recordSet(at("stranger"), "A", "192.0.2.77"), 1200);
    const other = await normalizedBy(session, draft);
    await harness().addForeign(other);
    await harness().settle();
    expect(await readNames(session, [other.name])).toEqual([other]);
  });
}

/** Record sets of the types that everybody takes, boring ones most often. */
function anySet({
  refusesEmptyText,
  plainTexts,
  lacksMail,
  hostsOnly,
}: Expectations): fc.Arbitrary<RecordSet> {
  const address = fc.nat(253).map((host) => `198.51.100.${host + 1}`);
  const addresses = fc.uniqueArray(address, { minLength: 1, maxLength: 5 });
  const text = fc
    .string({ unit: "grapheme-ascii", minLength: 0, maxLength: 60 })
    .map((fragments) => `"${fragments.trimEnd().replaceAll(/["\\]/g, "\\$&")}"`)
    .filter((value) => refusesEmptyText !== true || value !== '""')
    .filter((value) => plainTexts !== true || !value.includes("\\"));
  const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/);
  const values = fc.oneof(
    addresses.map((list) => ({ type: "A", values: list })),
    fc.nat(0xffff).map((n) => ({ type: "AAAA", values: [`2001:DB8:0:0::${n.toString(16)}`] })),
    ...(hostsOnly === true ? [] : [text.map((value) => ({ type: "TXT", values: [value] }))]),
    label.map((name) => ({ type: "CNAME", values: [`${name}.Example.NET`] })),
    ...(lacksMail === true
      ? []
      : [label.map((name) => ({ type: "MX", values: [`10 ${name}.example.net`] }))]),
  );
  const ttl = fc.constantFrom(900, 600, 86_400);
  return fc
    .tuple(values, ttl)
    .map(([rdata, ttlSeconds]) =>
      withTtl(recordSet("x.invalid", rdata.type, ...rdata.values), ttlSeconds),
    );
}
