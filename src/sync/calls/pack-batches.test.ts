import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { trustedDnsName } from "../../model/dns-name.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup, Precondition } from "../../plan/changes.ts";
import { Footprint, pack, writeSet } from "./pack-batches.ts";

function setAt(name: string): RecordSet {
  return {
    name: trustedDnsName(name),
    type: "TXT",
    setIdentifier: null,
    ttlSeconds: 300,
    values: ['"x"'],
    properties: {},
    routingPolicy: null,
  };
}

function group(
  name: string,
  also: readonly string[] = [],
  asserts: readonly string[] = [],
): ChangeGroup {
  return {
    name: trustedDnsName(name),
    keys: [],
    changes: [name, ...also].map((at) => ({ op: "create", next: setAt(at) })),
    preconditions: asserts.map((at): Precondition => ({ is: "absent", key: setAt(at) })),
  };
}

const accepted = (groups: readonly ChangeGroup[]): readonly string[] => {
  const footprint = new Footprint();
  return groups.filter((one) => footprint.tryAdd(one)).map((one) => one.name);
};

describe("Z-11 groups that touch a common name do not share a round", () => {
  test("a user's text at the name of another's marker waits for the next round", () => {
    expect(accepted([group("www", ["a-www"]), group("a-www", ["txt-a-www"])])).toEqual(["www"]);
  });

  test("so does what another group rests upon, in either order", () => {
    expect(accepted([group("www", [], ["a-www"]), group("a-www")])).toEqual(["www"]);
    expect(accepted([group("a-www"), group("www", [], ["a-www"])])).toEqual(["a-www"]);
  });

  test("two groups may rest upon the same name", () => {
    expect(accepted([group("a", [], ["x"]), group("b", [], ["x"])])).toEqual(["a", "b"]);
  });

  test("no name is written by two groups of a round, whatever comes", () => {
    const names = fc.constantFrom("a", "b", "c", "d", "e", "f");
    const some = fc.uniqueArray(names, { maxLength: 2 });
    const groups = fc.array(fc.tuple(names, some, some).map(([n, also, on]) => group(n, also, on)));
    fc.assert(
      fc.property(groups, (all) => {
        const footprint = new Footprint();
        const seen = new Set<string>();
        for (const one of all.filter((candidate) => footprint.tryAdd(candidate))) {
          for (const name of writeSet(one)) expect(seen.has(name)).toBe(false);
          for (const name of writeSet(one)) seen.add(name);
        }
      }),
    );
  });
});

describe("batches", () => {
  test("keep order and stay within the limits", () => {
    const sizes = fc.integer({ min: 1, max: 5 });
    const groups = fc.uniqueArray(fc.nat(50)).map((all) => all.map((n) => group(`n${n}`)));
    fc.assert(
      fc.property(groups, sizes, (all, groupsMax) => {
        const batches = pack(all, { groupsMax, valuesMax: 1000, bytesMax: 100_000 });
        expect(batches.flat()).toEqual(all);
        for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(groupsMax);
      }),
    );
  });

  test("a group over a limit by itself gets a batch of its own", () => {
    const large = group("large", ["b", "c", "d"]);
    const batches = pack([group("a"), large, group("e")], {
      groupsMax: 10,
      valuesMax: 2,
      bytesMax: 100_000,
    });
    expect(batches.map((batch) => batch.map((one) => one.name))).toEqual([["a"], ["large"], ["e"]]);
  });

  test("nothing to do makes no batch", () => {
    expect(pack([], { groupsMax: 1, valuesMax: 1, bytesMax: 1 })).toEqual([]);
  });
});
