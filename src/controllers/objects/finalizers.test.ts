import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { patchFinalizer } from "./finalizers.ts";

const OUR_FINALIZER = "dns.gardener.cloud/compound";
const finalizers = (cluster: MemoryCluster) =>
  cluster.now(SECRET, "default", "s")?.metadata.finalizers;

function stage(present: readonly string[]): { cluster: MemoryCluster; object: KubeObject } {
  const cluster = new MemoryCluster("c1");
  const metadata = { name: "s", namespace: "default", finalizers: present };
  const object = cluster.apply(SECRET, { apiVersion: "v1", kind: "Secret", metadata });
  return { cluster, object };
}

test("others' finalizers stay, also those that came after the object was read", async () => {
  const { cluster, object } = stage(["a"]);
  cluster.apply(SECRET, { ...object, metadata: { ...object.metadata, finalizers: ["a", "b"] } });
  await patchFinalizer(cluster, SECRET, { object, finalizers: [OUR_FINALIZER], to: "add" });
  expect(finalizers(cluster)).toEqual(["a", "b", OUR_FINALIZER]);
  await patchFinalizer(cluster, SECRET, { object, finalizers: [OUR_FINALIZER], to: "remove" });
  expect(finalizers(cluster)).toEqual(["a", "b", OUR_FINALIZER]);
  const now = { ...object, metadata: { ...object.metadata, finalizers: ["a", OUR_FINALIZER] } };
  await patchFinalizer(cluster, SECRET, { object: now, finalizers: [OUR_FINALIZER], to: "remove" });
  expect(finalizers(cluster)).toEqual(["a", "b"]);
});

test("what our own write did already is not done again", async () => {
  const { cluster, object } = stage([]);
  await patchFinalizer(cluster, SECRET, { object, finalizers: [OUR_FINALIZER], to: "add" });
  const writes = cluster.writes.length;
  await patchFinalizer(cluster, SECRET, { object, finalizers: [OUR_FINALIZER], to: "add" });
  expect([cluster.writes.length, finalizers(cluster)]).toEqual([writes, [OUR_FINALIZER]]);
});

test("an object that was made anew is left alone", async () => {
  const { cluster, object } = stage([]);
  cluster.delete(SECRET, "default", "s");
  cluster.apply(SECRET, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s", namespace: "default" },
  });
  await patchFinalizer(cluster, SECRET, { object, finalizers: [OUR_FINALIZER], to: "add" });
  expect(finalizers(cluster)).toBeUndefined();
});
