import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { expect, test } from "vitest";
import { STATUS_ANNOTATION } from "../../model/annotation-keys.ts";
import { changedFields, isOutcomeOnly } from "./status-patch.ts";

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

const annotations = { "dns.gardener.cloud/dnsnames": "www.example.org" };
const before: KubeObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace: "default", resourceVersion: "1", generation: 1, annotations },
  spec: { type: "LoadBalancer" },
  status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
};
const { metadata } = before;
const shown: KubeObject = {
  ...before,
  metadata: {
    ...metadata,
    resourceVersion: "2",
    annotations: { ...annotations, [STATUS_ANNOTATION]: "Ready: 1 name published" },
  },
};
const change = (object: KubeObject, type: ObjectChange["type"] = "modified"): ObjectChange =>
  type === "added"
    ? { type, kind: SERVICE, object }
    : { type, kind: SERVICE, object, previous: before };

test("the annotation of the outcome, written or removed, is only our own echo", () => {
  expect(isOutcomeOnly(change(shown), false)).toBe(true);
  expect(isOutcomeOnly({ ...change(before), previous: shown }, false)).toBe(true);
  const bare = { ...before, metadata: { ...metadata, annotations: {} } };
  const first = {
    ...bare,
    metadata: { ...shown.metadata, annotations: { [STATUS_ANNOTATION]: "x" } },
  };
  expect(isOutcomeOnly({ ...change(first), previous: bare }, false)).toBe(true);
});

test.each([
  ["another annotation", { ...shown, metadata: { ...shown.metadata, annotations: {} } }],
  ["the spec", { ...shown, spec: { type: "ClusterIP" } }],
  ["the generation", { ...shown, metadata: { ...shown.metadata, generation: 2 } }],
  ["a deletion", { ...shown, metadata: { ...shown.metadata, deletionTimestamp: "now" } }],
  ["another object of that name", { ...shown, metadata: { ...shown.metadata, uid: "2" } }],
])("%s is more", (_, object) => {
  expect(isOutcomeOnly(change(object), true)).toBe(false);
});

test("the status counts where the kind's status is not ours", () => {
  const moved = { ...shown, status: { loadBalancer: {} } };
  expect([false, true].map((is) => isOutcomeOnly(change(moved), is))).toEqual([false, true]);
});

test("what is new or gone is more", () => {
  expect(isOutcomeOnly(change(shown, "added"), true)).toBe(false);
  expect(isOutcomeOnly({ ...change(shown, "deleted"), proof: "watched" }, true)).toBe(false);
});
