/** What the wrapper around a registry adds to it, and what it passes on as it is. */
import { describe, expect, test } from "vitest";
import { nameOf, ORIGIN, parseZone, shortName } from "../../test/support/values/zone-text.ts";
import type { RecordSet } from "../model/record-set.ts";
import type { OwnedRecordSet } from "../plan/changes.ts";
import { openGardenerOwnership } from "./gardener/registry.ts";
import { openMeshOwnership } from "./mesh/registry.ts";
import { openNoopOwnership } from "./noop/registry.ts";
import type { Ownership } from "./ownership.ts";
import { openTxtOwnership } from "./txt/ownership.ts";
import { withOtherFormats } from "./with-other-formats.ts";

const isOwnedByUs = (owner: string) => owner === "me";
const options = { apex: ORIGIN, isOwnedByUs };
const among = (registry: Ownership) => withOtherFormats(registry, options);
const REGISTRIES = {
  txt: () => among(openTxtOwnership(options)),
  gardener: () => among(openGardenerOwnership({ ...options, atomic: true })),
  mesh: () => among(openMeshOwnership({ ...options, atomic: true })),
  noop: () => among(openNoopOwnership({ owner: "me" })),
};
const TXT = (owner: string, name: string, before = "", after = "") =>
  `${name} 300 TXT "heritage=external-dns,${before}external-dns/owner=${owner}${after}"`;
const MESH = (owner: string, name: string, type = "A") =>
  `${name} 300 TXT "m=mesh,mesh=${owner},types=${type}"`;
const GARDENER = (owner: string) =>
  `comment-www 600 TXT "owner=${owner}"\ncomment-www 600 TXT "prefix=comment-"`;

const shown = (views: readonly OwnedRecordSet[]) =>
  views.map(({ name, type, data, marker, contested, owners }) => {
    const owner = contested ? (owners ?? []).join("+") : (marker?.owner ?? "nobody");
    return `${shortName(name)} ${type} ${data === null ? "half" : "data"} ${owner}`;
  });

describe("the groups of the registry are passed on", () => {
  const BLOCKER = { code: "NameInUse", message: "" } as const;
  const calls: string[] = [];
  const registry: Ownership = {
    format: "stub",
    read: async () => [],
    affected: (name) => [name, nameOf("affected")],
    related: (name) => [name, nameOf("related")],
    zoneMarkers: {
      learn: (sets) => void calls.push(`learn ${sets.length}`),
      dependentNames: () => [nameOf("competing")],
      refuses: () => BLOCKER,
      blockerOf: () => BLOCKER,
    },
    permits: { namesOfPermits: () => [nameOf("_permit")] },
    migration: { outdated: (name) => ({ name, changes: [], holds: [] }) },
    externalStore: {
      isStale: true,
      refresh: async () => [nameOf("refreshed")],
      recordIntents: async () => void calls.push("recordIntents"),
      resync: async (_, others = new Map()) =>
        void calls.push(["resync", ...[...others].flat()].join(" ")),
    },
    prepare: async (plan) => ({
      ok: true,
      group: { name: plan.name, keys: [], changes: [], preconditions: [] },
      holds: [],
    }),
    confirm: async () => void calls.push("confirm"),
  };
  const wrapped = among(registry);
  const www = nameOf("www");
  const [address, text] = parseZone('www 300 A 192.0.2.1\nwww 300 TXT "hello"');
  const all = [text, address].filter((set): set is RecordSet => set !== undefined);

  test("its answers", async () => {
    const { format, externalStore, permits } = wrapped;
    expect([format, externalStore?.isStale]).toEqual(["stub", true]);
    expect(permits?.namesOfPermits([])).toEqual([nameOf("_permit")]);
    expect(wrapped.zoneMarkers?.dependentNames(www)).toEqual([nameOf("competing")]);
    expect(await wrapped.externalStore?.refresh()).toEqual([nameOf("refreshed")]);
    const content = { at: () => [] };
    for (const set of all) expect(wrapped.zoneMarkers?.blockerOf(set, content)).toEqual(BLOCKER);
    const asked = all.map((set) => [set.type, wrapped.zoneMarkers?.refuses(set)?.code ?? null]);
    expect(asked).toEqual([
      ["TXT", "NameInUse"],
      ["A", null],
    ]);
    expect(wrapped.migration?.outdated(www, content, { location: null, encrypt: false }).name).toBe(
      www,
    );
  });

  test("calls", async () => {
    const group = { name: www, keys: [], changes: [], preconditions: [] };
    wrapped.zoneMarkers?.learn([]);
    await wrapped.externalStore?.recordIntents([group]);
    await wrapped.confirm(group, { name: www, status: "applied" });
    await wrapped.externalStore?.resync([]);
    const sets = parseZone(`www 300 A 192.0.2.1\n${TXT("west", "a-www")}\n${TXT("me", "a-api")}`);
    await wrapped.externalStore?.resync(sets);
    const before = ["learn 0", "recordIntents", "confirm", "resync"];
    expect(calls.slice(0, 4)).toEqual(before);
    expect(calls.slice(4)).toEqual([expect.stringMatching(/^resync \S*www\.example\.org.* west$/)]);
  });

  test("names: its own, and those of all formats", () => {
    expect([...wrapped.affected(nameOf("a-www"))].sort()).toEqual(
      ["a-www", "affected", "www"].map(nameOf).sort(),
    );
    const related = wrapped.related(www);
    for (const one of ["www", "related", "affected", "a-www", "_owner.a.www", "comment-www"])
      expect(related).toContain(nameOf(one));
    expect(new Set(related).size).toBe(related.length);
  });

  test("a registry without groups gets only those of the wrapper", () => {
    const [text] = parseZone('www 300 TXT "hello"');
    const noop = REGISTRIES.noop();
    expect(text && noop.zoneMarkers?.refuses(text)).toBeNull();
    expect(text && noop.zoneMarkers?.blockerOf(text, { at: () => [] })).toBeNull();
    expect(noop.zoneMarkers?.dependentNames(www)).toEqual([]);
    expect([noop.permits, noop.migration, noop.externalStore]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("what is read", () => {
  const PENDING = TXT("you", "a-www", "external-dns/data=+1,", ",external-dns/state=pending");
  test.each<[string, keyof typeof REGISTRIES, readonly string[], readonly string[]]>([
    [
      "a record of another owner is there once",
      "gardener",
      ["www 300 A 192.0.2.1", TXT("you", "a-www")],
      ["a-www TXT data nobody", "www A data you"],
    ],
    [
      "a marker of ours of another format says nothing, also beside one that does",
      "mesh",
      [TXT("you", "a-api"), TXT("me", "api"), MESH("me", "www")],
      ["a-api TXT data nobody", "api A half you", "api TXT data nobody", "www A half me"],
    ],
    [
      "what two formats say of one key is said once, by the first",
      "noop",
      [TXT("you", "a-www"), MESH("east", "_mesh.www")],
      ["_mesh.www TXT data nobody", "a-www TXT data nobody", "www A half you"],
    ],
    [
      "a record that two formats give away is the first one's",
      "noop",
      ["www 300 A 192.0.2.1", TXT("you", "a-www"), MESH("east", "_mesh.www")],
      ["_mesh.www TXT data nobody", "a-www TXT data nobody", "www A data you"],
    ],
    [
      "a pending marker of another owner says nothing of the record there",
      "gardener",
      ["www 300 A 192.0.2.1", PENDING],
      ["a-www TXT data nobody", "www A data nobody", "www A half you"],
    ],
    [
      "the text of a marker in another type is none",
      "gardener",
      ["www 300 A 192.0.2.1", TXT("you", "a-www").replace(" TXT ", " HINFO ")],
      ["a-www HINFO data nobody", "www A data nobody"],
    ],
    [
      "a marker of ours in a text of ours is no secondary marker",
      "txt",
      [TXT("me", "txt-www"), MESH("me", "www")],
      ["www TXT data me"],
    ],
    [
      "another's in a text of ours is one; owners are sorted",
      "txt",
      [TXT("me", "txt-www"), MESH("east", "www")],
      ["www A half east", "www TXT data east+me"],
    ],
    [
      "in somebody else's text it is his affair",
      "txt",
      [TXT("you", "txt-www"), MESH("east", "www")],
      ["www A half east", "www TXT data you"],
    ],
    [
      "where the registry itself knows of two, these are named",
      "txt",
      [TXT("me", "txt-www"), TXT("you", "_owner.txt.www"), MESH("east", "www")],
      ["www A half east", "www TXT data me+you"],
    ],
    [
      "a marker of ours whose text is not there has no secondary marker",
      "txt",
      [PENDING.replace("=you", "=me").replace("a-www", "txt-www"), MESH("east", "www")],
      ["www A half east", "www TXT data nobody", "www TXT half me"],
    ],
    [
      "a lock of Gardener has no owner, and does not make a record ours",
      "txt",
      ["www 300 A 192.0.2.1", `${GARDENER("me")}\ncomment-www 600 TXT "kind=DNSLock"`],
      ["comment-www TXT data nobody", "www A data "],
    ],
  ])("%s", async (_, registry, lines, views) => {
    const read = await REGISTRIES[registry]().read(parseZone(lines.join("\n")));
    expect(shown(read)).toEqual(views);
  });
});
