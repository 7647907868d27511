import { messageOf } from "@zonekeeper/base/operation-error";
import { listOf, numberOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { nameOf } from "../../test/support/values/zone-text.ts";
import { classAnnotations } from "./dns-class.ts";
import { hasSameData, type RecordSet } from "./record-set.ts";

const set: Omit<RecordSet, "ttlSeconds"> = {
  name: nameOf("www"),
  type: "A",
  setIdentifier: "a",
  values: ["192.0.2.1"],
  properties: {},
  routingPolicy: { type: "weighted", parameters: { weight: "1" } },
};

test.each<[string, Partial<typeof set>, boolean]>([
  ["nothing", {}, true],
  ["a value", { values: ["192.0.2.2"] }, false],
  ["a property", { properties: { proxied: "true" } }, false],
  ["no policy", { routingPolicy: null }, false],
  ["an equal policy", { routingPolicy: { type: "weighted", parameters: { weight: "1" } } }, true],
  ["another weight", { routingPolicy: { type: "weighted", parameters: { weight: "2" } } }, false],
  ["another type", { routingPolicy: { type: "latency", parameters: { weight: "1" } } }, false],
])("data differs by %s", (_, other, same) => {
  expect(hasSameData(set, { ...set, ...other })).toBe(same);
  expect(hasSameData({ ...set, ...other }, set)).toBe(same);
});

test("fields of objects that people wrote are what they claim to be, or nothing", () => {
  expect([numberOf(1), numberOf("1"), numberOf(Number.NaN)]).toEqual([1, null, null]);
  expect([listOf(null), listOf("a"), listOf([1])]).toEqual([[], null, [1]]);
  expect([textsOf(["a"]), textsOf([1]), textsOf("a"), textsOf(undefined)]).toEqual([
    ["a"],
    null,
    null,
    [],
  ]);
});

test("what was thrown has a message, whatever it is", () => {
  expect([messageOf(new Error("lost")), messageOf("lost")]).toEqual(["lost", "lost"]);
});

test("the class of a new object is written where it is not the default", () => {
  expect(classAnnotations("gardendns")).toEqual({});
  expect(classAnnotations("other")).toEqual({ "dns.gardener.cloud/class": "other" });
});
