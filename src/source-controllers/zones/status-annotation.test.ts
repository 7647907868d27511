import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { objectOf } from "../../../test/support/worlds/program-world.ts";
import { STATUS_ANNOTATION } from "../../model/annotation-keys.ts";
import { SERVICE_ENTRY } from "../../model/kinds.ts";
import { StatusAnnotation } from "./status-annotation.ts";

function world() {
  const cluster = new MemoryCluster("c1");
  const first = cluster.apply(
    SERVICE_ENTRY,
    objectOf("networking.istio.io/v1", "ServiceEntry", "db", {}),
  );
  const now = (): KubeObject => cluster.now(SERVICE_ENTRY, "default", "db") ?? first;
  const text = (): string | null => now().metadata.annotations?.[STATUS_ANNOTATION] ?? null;
  const ports = { writer: cluster, log: new MemoryLog(), dnsClasses: DEFAULT_CLASSES };
  return { cluster, first, now, text, status: new StatusAnnotation(ports, SERVICE_ENTRY) };
}

test("trouble that ends before the cache has shown our text is taken away", async () => {
  const { first, text, status } = world();
  await status.write(first, "Error: x");
  expect(text()).toBe("Error: x");
  // The cache still has the object as it was before our write.
  await status.write(first, null);
  expect(text()).toBeNull();
});

test("what is there at a start is ours; nothing equal is written", async () => {
  const { cluster, now, text, status } = world();
  const annotations = { [STATUS_ANNOTATION]: "Error: x" };
  cluster.apply(SERVICE_ENTRY, { ...now(), metadata: { ...now().metadata, annotations } });
  const before = cluster.writes.length;
  await status.write(now(), "Error: x");
  expect(cluster.writes.length).toBe(before);
  await status.write(now(), null);
  expect(text()).toBeNull();
});

test("a text that somebody else put there stays until ours changes", async () => {
  const { cluster, now, text, status } = world();
  await status.write(now(), "Error: x");
  const annotations = { [STATUS_ANNOTATION]: "theirs" };
  cluster.apply(SERVICE_ENTRY, { ...now(), metadata: { ...now().metadata, annotations } });
  await status.write(now(), "Error: x");
  expect(text()).toBe("theirs");
  await status.write(now(), "Error: y");
  expect(text()).toBe("Error: y");
});
