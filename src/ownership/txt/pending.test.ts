import { describe, expect, test } from "vitest";
import { parseZone } from "../../../test/support/values/zone-text.ts";
import type { RecordSet } from "../../model/record-set.ts";
import { dataHash } from "../data-hash.ts";
import { givesRights, isPendingRemoval, pendingLabels } from "./pending.ts";

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
    expect(pendingLabels(step, { data: found })).toEqual({ state: "pending", data });
    if (found === "") expect(pendingLabels(step, {})).toEqual({ state: "pending", data });
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
