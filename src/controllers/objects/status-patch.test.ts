import { expect, test } from "vitest";
import { changedFields } from "./status-patch.ts";

const KEPT = { keepsConditions: true };
const condition = { type: "Ready", status: "True", observedGeneration: 2 };

test.each([
  ["a field that is wanted away and is not there", { message: null }, {}],
  ["fields in another order", { at: { a: 1, b: [2] } }, { at: { b: [2], a: 1 } }],
  ["a field without a value", { at: { a: 1, b: undefined } }, { at: { a: 1 } }],
  ["conditions", { conditions: [condition] }, { conditions: [{ ...condition }] }],
])("%s: no change", (_, wanted, current) => {
  expect(changedFields(current, wanted, KEPT)).toBe(null);
});

test.each([
  ["a field that goes", { message: null }, { message: "held" }],
  ["a field that comes", { state: "Ready" }, {}],
  ["a number for a text", { generation: 1 }, { generation: "1" }],
  ["a list for its only item", { targets: ["a"] }, { targets: "a" }],
  ["a list in another order", { targets: ["a", "b"] }, { targets: ["b", "a"] }],
  ["a longer list", { targets: ["a"] }, { targets: ["a", "b"] }],
  ["a list for an object", { at: [] }, { at: {} }],
  ["a field more inside", { at: { a: 1 } }, { at: { a: 1, b: 2 } }],
  ["a null inside", { at: { a: null } }, { at: {} }],
])("%s: a change", (_, wanted, current) => {
  expect(changedFields(current, { ...wanted, other: 1 }, KEPT)).toEqual({ ...wanted, other: 1 });
  expect(changedFields({ ...current, other: 1 }, { ...wanted, other: 1 }, KEPT)).toEqual(wanted);
});

test("a difference in conditions alone counts where they are kept", () => {
  const wanted = { state: "Ready", conditions: [condition] };
  expect(changedFields({ state: "Ready" }, wanted, { keepsConditions: false })).toBe(null);
  expect(changedFields({ state: "" }, wanted, { keepsConditions: false })).toEqual(wanted);
});
