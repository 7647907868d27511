import { expect, test } from "vitest";
import { noSuchSet } from "./held-set-api.ts";

const SETS = [
  { hash: "1111", kind: "removals", changes: 3, removals: 3 },
  { hash: "2222", kind: "updates", changes: 7, removals: 0, formerHashes: ["0a", "0b"] },
] as const;

test.each([
  [
    "0b",
    "the set 0b has other changes meanwhile and is 2222 now (7 changes); read it with zonekeeper plan, then: zonekeeper restore 2222",
  ],
  [
    "9999",
    "no zone holds a set 9999; zonekeeper plan shows what is held and its hash, now 1111 (3 changes), 2222 (7 changes): a hash changes while its set grows",
  ],
])("for %s: %s", (hash, message) => {
  expect(noSuchSet("restore", hash, SETS)).toBe(message);
});

test("where nothing is held it names no hash", () => {
  expect(noSuchSet("approve", "9999", [])).toMatch(/ shows what is held and its hash$/);
});
