/** S7 where a call writes one value: the check knows each state of such an update, and no other. */
import { expect, test } from "vitest";
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { Change } from "../../../src/plan/changes.ts";
import { nameOf } from "../../support/values/zone-text.ts";
import { isBetween } from "./mixed-values.ts";

/** Values by letter, in place of addresses. */
const NUMBERS = { a: 1, b: 2, c: 3, d: 4, x: 9 } as const;

function valuesOf(letters: string): readonly string[] {
  return [...letters].map((one) => `192.0.2.${NUMBERS[one as keyof typeof NUMBERS]}`);
}

function changeOf(before: string, after: string): Change {
  const set = (letters: string): RecordSet => ({
    ...{ name: nameOf("www"), type: "A", ttlSeconds: 300, setIdentifier: null },
    ...{ properties: {}, routingPolicy: null, values: valuesOf(letters) },
  });
  if (before === "") return { op: "create", next: set(after) };
  if (after === "") return { op: "remove", previous: set(before) };
  return { op: "replace", previous: set(before), next: set(after) };
}

test.each([
  ["ab", "cd", "cb", "a value that came took the place of one that goes"],
  ["ab", "c", "cb", "the first of two is changed, the second not yet removed"],
  ["a", "bc", "b", "the first of two is changed, the second not yet added"],
  ["ab", "ac", "ac", "it is done"],
  ["ab", "", "b", "one of two is removed"],
  ["", "abc", "ab", "two of three are added"],
])("S7 %s to %s may show %s: %s", (before, after, shown) => {
  expect(isBetween(changeOf(before, after), valuesOf(shown))).toBe(true);
});

test.each([
  ["ab", "cd", "b", "a value went for which none came"],
  ["ab", "cd", "abc", "a value came beside one that it replaces"],
  ["ab", "c", "b", "all that is there goes"],
  ["ab", "ac", "bc", "what stays is gone"],
  ["ab", "cd", "cx", "a value of nobody"],
  ["ab", "", "x", "a value of nobody stands for what is removed"],
])("S7 %s to %s never shows %s: %s", (before, after, shown) => {
  expect(isBetween(changeOf(before, after), valuesOf(shown))).toBe(false);
});
