import { describe, expect, test } from "vitest";
import { parseZone } from "../../../test/support/values/zone-text.ts";
import type { RecordSet } from "../../model/record-set.ts";
import { dataHash } from "../data-hash.ts";
import { givesRights, isPendingRemoval, mayLabelPart, pendingLabels } from "./pending.ts";

const setOf = (last: number): RecordSet => {
  const [set] = parseZone(`www 300 A 192.0.2.${last}`);
  if (set === undefined) throw new Error("no set");
  return set;
};
const hash = (last: number) => dataHash(setOf(last));
const [ONE, TWO, THREE, FOUR, FIVE] = [hash(1), hash(2), hash(3), hash(4), hash(5)];

describe("what a pending marker says", () => {
  test.each<[string, number | null, number | null, string, string]>([
    ["a create", null, 1, "", `+${ONE}`],
    ["an update", 1, 2, "", `${ONE}+${TWO}`],
    ["a removal", 1, null, "", `${ONE}+`],
    ["what was begun before may still arrive", 1, 2, `${ONE}+${THREE}`, `${ONE}.${THREE}+${TWO}`],
    ["what is said already is said once", 1, 2, `${TWO}+${ONE}`, `${ONE}+${TWO}`],
    [
      "two that are earlier, the last ones",
      1,
      2,
      `${THREE}.${FOUR}+${FIVE}`,
      `${ONE}.${FOUR}.${FIVE}+${TWO}`,
    ],
    ["an empty side is none of them", 1, 2, `${THREE}.${FOUR}+`, `${ONE}.${THREE}.${FOUR}+${TWO}`],
  ])("%s", (_, present, next, found, data) => {
    const step = {
      present: present === null ? null : setOf(present),
      next: next === null ? null : setOf(next),
    };
    expect(pendingLabels(step, { data: found }, false)).toEqual({ state: "pending", data });
    if (found === "") expect(pendingLabels(step, {}, false)).toEqual({ state: "pending", data });
  });

  test.each<[string, Record<string, string>, boolean, boolean]>([
    ["a final marker covers any data", {}, true, false],
    ["also with hashes of before", { data: `${TWO}+` }, true, false],
    ["what stands", { state: "pending", data: `${ONE}+${TWO}` }, true, false],
    ["what is to stand", { state: "pending", data: `${TWO}+${ONE}` }, true, false],
    ["what was begun earlier", { state: "pending", data: `${TWO}.${ONE}+${THREE}` }, true, false],
    ["another's data", { state: "pending", data: `${TWO}+${THREE}` }, false, false],
    ["what is on its way out", { state: "pending", data: `${ONE}+` }, true, true],
    ["nothing at all", { state: "pending" }, false, false],
  ])("rights over data, and whether it leaves: %s", (_, labels, rights, leaves) => {
    expect([givesRights(labels, setOf(1)), isPendingRemoval(labels)]).toEqual([rights, leaves]);
  });
});

const setsOf = (...lasts: number[]): RecordSet => ({
  ...setOf(1),
  values: lasts.map((last) => `192.0.2.${last}`),
});
const part = (last: number) => hash(last).slice(0, 6);
const byValue = (present: RecordSet | null, next: RecordSet | null, found = {}) =>
  pendingLabels({ present, next }, found, true);
const inOrder = (...lasts: number[]) => lasts.map(part).sort().join(".");

describe("Z-10 where a call writes one value", () => {
  test("each value is named, and what stays is named once", () => {
    const data = (present: RecordSet | null, next: RecordSet | null) =>
      byValue(present, next)["data"];
    expect(data(null, setsOf(1, 2))).toBe(`+${inOrder(1, 2)}`);
    expect(data(setsOf(1, 2), setsOf(2, 3))).toBe(`${part(1)}+${inOrder(2, 3)}`);
    expect(data(setsOf(1), setsOf(1, 2))).toBe(`${part(1)}+${inOrder(1, 2)}`);
    expect(data(setsOf(1, 2), setsOf(1))).toBe(`${part(2)}+${part(1)}`);
    expect(data(setsOf(1, 2), null)).toBe(`${inOrder(1, 2)}+`);
  });

  test("any part of before and after is ours, and nothing beside it", () => {
    const labels = byValue(setsOf(1, 2), setsOf(3, 4));
    for (const mixed of [setsOf(1, 2), setsOf(2), setsOf(1, 3), setsOf(4), setsOf(3, 4)])
      expect(givesRights(labels, mixed)).toBe(true);
    for (const mixed of [setsOf(5), setsOf(1, 5), setsOf(1, 2, 3, 4, 5)])
      expect(givesRights(labels, mixed)).toBe(false);
    expect(givesRights(labels, { ...setsOf(1), type: "AAAA" })).toBe(false);
  });

  test("a removal that goes on has the text that it had", () => {
    const whole = byValue(setsOf(1, 2, 3), null);
    expect(byValue(setsOf(2, 3), null, whole)).toEqual(whole);
    expect(isPendingRemoval(whole)).toBe(true);
  });

  test("a change that goes on keeps what may still arrive", () => {
    const begun = byValue(setsOf(1, 2), setsOf(3, 4));
    const labels = byValue(setsOf(3, 2), setsOf(5), begun);
    for (const last of [1, 2, 3, 4, 5]) expect(givesRights(labels, setsOf(last))).toBe(true);
  });

  test("a part beside others is known as such", () => {
    const going = byValue(setsOf(1, 2), null);
    expect(mayLabelPart(going, setsOf(2, 5))).toBe(true);
    expect(mayLabelPart(going, setsOf(5))).toBe(false);
    expect(mayLabelPart(going, setsOf(2))).toBe(false);
    const unnamed = pendingLabels({ present: setsOf(1, 2), next: null }, {}, false);
    expect(mayLabelPart(unnamed, setsOf(2))).toBe(true);
    const created = pendingLabels({ present: null, next: setsOf(1, 2) }, {}, false);
    expect(mayLabelPart(created, setsOf(2))).toBe(false);
  });
});
