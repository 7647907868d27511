import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup, Precondition } from "../../plan/changes.ts";
import type { BatchLimits } from "../../providers/provider.ts";
import { Footprint, type PackCapabilities, pack, writeSet } from "./pack-batches.ts";

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

const SENT = { absent: "sent", exact: "sent" } as const;
const IMPLIED = { absent: "implied", exact: "implied" } as const;

/** A back end with these limits; preconditions are sent unless a test says otherwise. */
function within(
  batch: BatchLimits,
  preconditions: PackCapabilities["preconditions"] = { written: SENT, others: SENT },
): PackCapabilities {
  return { batch, preconditions, cnameConflicts: "refused" };
}

/** Creates of `count` names, each an A with its marker, as the registry txt makes them. */
function published(count: number): readonly ChangeGroup[] {
  return Array.from({ length: count }, (_, at) => group(`n${at}`, [`a-n${at}`], [`n${at}`]));
}

describe("batches in the units of the vendor", () => {
  const implied = { written: IMPLIED, others: { absent: "never", exact: "rewritten" } } as const;

  test("what a create implies costs nothing: 1000 names are 2 calls of 1000 values", () => {
    const limits = within({ groupsMax: 1000, valuesMax: 1000, charactersMax: 32_000 }, implied);
    expect(pack(published(1000), limits).map(({ length }) => length)).toEqual([500, 500]);
  });

  test("what is sent beside the writes counts", () => {
    const limits = within({ groupsMax: 1000, valuesMax: 1000 });
    expect(pack(published(1000), limits)[0]).toHaveLength(333);
  });

  test.each([
    ["charactersMax", { charactersMax: 60 }, 10],
    ["additionsMax", { additionsMax: 7 }, 3],
    ["bytesMax", { bytesMax: 150 }, 4],
  ] as const)("%s", (_what, limit, most) => {
    const batches = pack(published(20), within({ groupsMax: 100, ...limit }, implied));
    expect(Math.max(...batches.map(({ length }) => length))).toBe(most);
  });

  test("a replacement is a deletion and an addition", () => {
    const replaced = (name: string): ChangeGroup => ({
      ...group(name),
      changes: [{ op: "replace", previous: setAt(name), next: setAt(name) }],
    });
    const all = ["a", "b", "c"].map(replaced);
    expect(pack(all, within({ groupsMax: 9, deletionsMax: 2 }, implied))).toHaveLength(2);
    expect(pack(all, within({ groupsMax: 9, valuesMax: 4 }, implied))).toHaveLength(2);
  });

  test("what each batch asserts takes its part, rewritten where it cannot be sent", () => {
    const compare: Precondition = { is: "exact", set: setAt("fence") };
    const limits = within({ groupsMax: 9, valuesMax: 4 }, implied);
    expect(
      pack(
        ["a", "b", "c"].map((name) => group(name)),
        limits,
        [compare],
      ),
    ).toHaveLength(2);
    expect(
      pack(
        ["a", "b", "c"].map((name) => group(name)),
        limits,
      ),
    ).toHaveLength(1);
  });
});

describe("batches", () => {
  test("keep order and stay within the limits", () => {
    const sizes = fc.integer({ min: 1, max: 5 });
    const groups = fc.uniqueArray(fc.nat(50)).map((all) => all.map((n) => group(`n${n}`)));
    fc.assert(
      fc.property(groups, sizes, (all, groupsMax) => {
        const batches = pack(all, within({ groupsMax, valuesMax: 1000 }));
        expect(batches.flat()).toEqual(all);
        for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(groupsMax);
      }),
    );
  });

  test("a group over a limit by itself gets a batch of its own", () => {
    const large = group("large", ["b", "c", "d"]);
    const limits = within({ groupsMax: 10, valuesMax: 2 });
    const batches = pack([group("a"), large, group("e")], limits);
    expect(batches.map((batch) => batch.map((one) => one.name))).toEqual([["a"], ["large"], ["e"]]);
  });

  test("nothing to do makes no batch", () => {
    expect(pack([], within({ groupsMax: 1 }))).toEqual([]);
  });
});
