/** What the wrapper around a registry adds to it, and what it hands on as it is. */
import { describe, expect, test } from "vitest";
import { nameOf, ORIGIN, parseZone, shortName } from "../../test/support/values/zone-text.ts";
import type { RecordSet } from "../model/record-set.ts";
import type { OwnedRecordSet } from "../plan/changes.ts";
import { openGardenerOwnership } from "./gardener/ownership.ts";
import { openMeshOwnership } from "./mesh/ownership.ts";
import { openNoopOwnership } from "./noop/ownership.ts";
import type { Ownership } from "./ownership.ts";
import { openTxtOwnership } from "./txt/ownership.ts";
import { withOthers } from "./with-other-formats.ts";

const isOurs = (owner: string) => owner === "me";
const options = { apex: ORIGIN, isOurs };
const among = (registry: Ownership) => withOthers(registry, options);
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

describe("what the registry answers is handed on", () => {
  const BAR = { code: "NameInUse", message: "" } as const;
  const heard: string[] = [];
  const registry: Ownership = {
    format: "stub",
    carriesPermits: true,
    isStale: true,
    read: async () => [],
    affected: (name) => [name, nameOf("affected")],
    related: (name) => [name, nameOf("related")],
    dependentNames: () => [nameOf("rival")],
    refuses: () => BAR,
    blockerOf: () => BAR,
    prepare: async (plan) => ({
      ok: true,
      group: { name: plan.name, keys: [], changes: [], preconditions: [] },
      holds: [],
    }),
    outdated: (name) => ({ name, changes: [], holds: [] }),
    begin: async () => void heard.push("begin"),
    confirm: async () => void heard.push("confirm"),
    refresh: async () => [nameOf("refreshed")],
    resync: async () => void heard.push("resync"),
  };
  const wrapped = among(registry);
  const www = nameOf("www");
  const [address, text] = parseZone('www 300 A 192.0.2.1\nwww 300 TXT "hello"');
  const all = [text, address].filter((set): set is RecordSet => set !== undefined);

  test("what it is and what it knows", async () => {
    expect([wrapped.format, wrapped.carriesPermits, wrapped.isStale]).toEqual(["stub", true, true]);
    expect(wrapped.dependentNames?.(www)).toEqual([nameOf("rival")]);
    expect(await wrapped.refresh?.()).toEqual([nameOf("refreshed")]);
    const content = { at: () => [] };
    for (const set of all) expect(wrapped.blockerOf?.(set, content)).toEqual(BAR);
    const asked = all.map((set) => [set.type, wrapped.refuses?.(set)?.code ?? null]);
    expect(asked).toEqual([
      ["TXT", "NameInUse"],
      ["A", null],
    ]);
    expect(wrapped.outdated?.(www, content, { location: null, encrypt: false }).name).toBe(www);
  });

  test("what it is told", async () => {
    const group = { name: www, keys: [], changes: [], preconditions: [] };
    await wrapped.begin?.([group]);
    await wrapped.confirm(group, { name: www, status: "applied" });
    await wrapped.resync?.([]);
    expect(heard).toEqual(["begin", "confirm", "resync"]);
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

  test("one that knows nothing of it says nothing", () => {
    const [wish] = parseZone('www 300 TXT "hello"');
    const noop = REGISTRIES.noop();
    expect(wish && noop.refuses?.(wish)).toBeNull();
    expect(wish && noop.blockerOf?.(wish, { at: () => [] })).toBeNull();
    expect([noop.isStale, noop.carriesPermits, noop.dependentNames?.(www)]).toEqual([
      false,
      false,
      [],
    ]);
  });
});

describe("what is read", () => {
  const PENDING = TXT("you", "a-www", "external-dns/data=+1,", ",external-dns/state=pending");
  test.each<[string, keyof typeof REGISTRIES, readonly string[], readonly string[]]>([
    [
      "another's record is there once",
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
      "a pending marker of another's says nothing of what stands there",
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
      "a marker of ours in a text of ours is no guest",
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
      "a marker of ours whose text is not there has no guest",
      "txt",
      [PENDING.replace("=you", "=me").replace("a-www", "txt-www"), MESH("east", "www")],
      ["www A half east", "www TXT data nobody", "www TXT half me"],
    ],
    [
      "a lock of Gardener's is nobody's, and no one of ours",
      "txt",
      ["www 300 A 192.0.2.1", `${GARDENER("me")}\ncomment-www 600 TXT "kind=DNSLock"`],
      ["comment-www TXT data nobody", "www A data "],
    ],
  ])("%s", async (_, registry, lines, views) => {
    const read = await REGISTRIES[registry]().read(parseZone(lines.join("\n")));
    expect(shown(read)).toEqual(views);
  });
});
