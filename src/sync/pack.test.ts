import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { trustedDnsName } from "../model/dns-name.ts";
import type { RecordSet } from "../model/record-set.ts";
import type { ChangeGroup } from "../plan/changes.ts";
import { pack, partGroups, toUnits, writeSet } from "./pack.ts";

function group(name: string, also: readonly string[] = []): ChangeGroup {
  const set = (at: string): RecordSet => ({
    name: trustedDnsName(at),
    type: "TXT",
    setIdentifier: null,
    ttlSeconds: 300,
    values: ['"x"'],
    properties: {},
    routingPolicy: null,
  });
  return {
    name: trustedDnsName(name),
    keys: [],
    changes: [name, ...also].map((at) => ({ op: "create", next: set(at) })),
    preconditions: [],
  };
}

const names = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h");
const groups = fc.uniqueArray(
  fc.tuple(names, fc.uniqueArray(names, { maxLength: 2 })).map(([n, also]) => group(n, also)),
  { selector: (g) => g.name },
);

describe("Z-11 groups that write at one owner name go one after the other", () => {
  test("of two that meet the first goes now", () => {
    const [foo, bar, marked] = [group("foo", ["a-foo"]), group("bar"), group("a-foo")];
    expect(partGroups([foo, bar, marked])).toEqual({ now: [foo, bar], later: [marked] });
  });

  test("no name is written twice in one round, and none is lost", () => {
    fc.assert(
      fc.property(groups, (all) => {
        const { now, later } = partGroups(all);
        const written = now.flatMap((one) => [...writeSet(one)]);
        expect(new Set(written).size).toBe(written.length);
        expect(new Set([...now, ...later])).toEqual(new Set(all));
        expect(now[0]).toBe(all[0]);
      }),
    );
  });
});

describe("Z-11 groups that share an owner name are one unit", () => {
  test("a marker name that another group writes joins the two", () => {
    const units = toUnits([group("foo", ["a-foo"]), group("bar"), group("a-foo", ["txt-a-foo"])]);
    expect(units.map((unit) => unit.map((g) => g.name))).toEqual([["bar"], ["foo", "a-foo"]]);
  });

  test("units part the groups, and no name is written by two units", () => {
    fc.assert(
      fc.property(groups, (all) => {
        const units = toUnits(all);
        expect(units.flat().length).toBe(all.length);
        const seen = new Set<string>();
        for (const unit of units) {
          const own = new Set(unit.flatMap((g) => [...writeSet(g)]));
          for (const name of own) expect(seen.has(name)).toBe(false);
          for (const name of own) seen.add(name);
        }
      }),
    );
  });
});

describe("batches", () => {
  test("keep order, split no unit and stay within the limits where a unit alone does", () => {
    fc.assert(
      fc.property(groups, fc.integer({ min: 1, max: 5 }), (all, groupsMax) => {
        const units = toUnits(all);
        const batches = pack(units, { groupsMax, valuesMax: 1000, bytesMax: 100_000 });
        expect(batches.flat()).toEqual(units);
        for (const batch of batches)
          expect(batch.length === 1 || batch.flat().length <= groupsMax).toBe(true);
      }),
    );
  });

  test("nothing to do makes no batch", () => {
    expect(pack([], { groupsMax: 1, valuesMax: 1, bytesMax: 1 })).toEqual([]);
  });
});
