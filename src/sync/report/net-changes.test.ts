/** What changes of the journal come to, as they are taken back. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { UndoQuery } from "../contract/ownership-rows.ts";
import type { ZoneChange } from "../contract/zone-change.ts";
import { netChanges } from "./net-changes.ts";

const ZONE = trustedDnsName("example.org");
const NAME = trustedDnsName("www.example.org");
const LAST: UndoQuery = { zone: null, name: NAME, hash: null, sinceMs: null };
const SINCE: UndoQuery = { ...LAST, name: null, sinceMs: 0 };

/** `1: A a -> b`, `2: A b ->`, `3: undo A -> b`, `4 hash: …`; newest last, as they happened. */
function journal(...lines: readonly string[]): readonly ZoneChange[] {
  return lines
    .map((line): ZoneChange => {
      const [, at = "", hash, undo, type = "", before, after] =
        /^(\d+)( \w+)?:( undo)? (\w+)(?: (\w+))? ->(?: (\w+))?$/.exec(line) ?? [];
      return {
        ...{ atMs: Number(at), zone: ZONE, name: NAME, type, object: "service/a/b" },
        ...{ why: "", providers: [], callMs: 1, cause: undo === undefined ? "edit" : "undo" },
        is: before === undefined ? "created" : after === undefined ? "removed" : "changed",
        ...(hash === undefined ? {} : { hash: hash.trim() }),
        ...(before === undefined ? {} : { before: { values: [before], ttlSeconds: 1 } }),
        ...(after === undefined ? {} : { after: { values: [after], ttlSeconds: 1 } }),
      };
    })
    .reverse();
}

function net(changes: readonly ZoneChange[], query: UndoQuery): readonly string[] {
  const text = (data: { readonly values: readonly string[] } | null): string =>
    data?.values.join() ?? "nothing";
  return netChanges(changes, query).map(
    ({ key, before, after }) => `${key.type} ${text(after)} -> ${text(before)}`,
  );
}

test.each([
  ["the last one alone", ["1: A -> a", "2: A a -> b", "3: A b -> c"], ["A c -> b"]],
  [
    "a change of type as a whole",
    ["1: A -> a", "2: A a ->", "2: CNAME -> x"],
    ["A nothing -> a", "CNAME x -> nothing"],
  ],
  [
    "one before, once the last is undone",
    ["1: A -> a", "2: A a -> b", "3: undo A b -> a"],
    ["A a -> nothing"],
  ],
  [
    "two undos are passed over",
    ["1: A -> a", "2: A a -> b", "3: A b -> c", "4: undo A c -> b", "5: undo A b -> a"],
    ["A a -> nothing"],
  ],
  [
    "what comes after an undo",
    ["1: A -> a", "2: A a -> b", "3: undo A b -> a", "4: A a -> c"],
    ["A c -> a"],
  ],
  ["an undo whose changes are forgotten ends it", ["5: undo A b -> a"], []],
])("by name: %s", (_, lines, expected) => {
  expect(net(journal(...lines), LAST)).toEqual(expected);
});

test.each([
  [
    "all of a time are one change",
    ["1: A -> a", "2: A a -> b", "3: TXT -> t"],
    ["A b -> nothing", "TXT t -> nothing"],
  ],
  [
    "what came to nothing is none",
    ["1: A -> a", "2: A a ->", "3: TXT x -> y", "4: undo TXT y -> x"],
    [],
  ],
])("by time: %s", (_, lines, expected) => {
  expect(net(journal(...lines), SINCE)).toEqual(expected);
});

test("by the hash of an approved set, of which the journal has these", () => {
  const changes = journal("2 h1: A a ->", "3 h1: A -> b", "4 h1: A b ->");
  expect(net(changes, { ...LAST, name: null, hash: "h1" })).toEqual(["A nothing -> a"]);
});
