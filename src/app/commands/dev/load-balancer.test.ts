import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { StartQueue } from "@zonekeeper/kube/ports/work-queue";
import { expect, test } from "vitest";
import { MemoryCluster } from "../../../../test/support/worlds/memory-cluster.ts";
import { AddressPool, LoadBalancer } from "./load-balancer.ts";

const service = (name: string, spec: object = { type: "LoadBalancer" }): KubeObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "default" },
  spec,
});
const ingress = (name: string): KubeObject => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "Ingress",
  metadata: { name, namespace: "default" },
  spec: {},
});

/** A queue that works off its keys at once, one after the other. */
function immediateQueue(): { start: StartQueue; idle(): Promise<void> } {
  const keys = new Set<string>();
  let reconcile: (key: string) => Promise<void> = async () => {};
  return {
    start: (options) => {
      reconcile = options.reconcile;
      return {
        add: (key) => keys.add(key),
        addAfter: (key) => keys.add(key),
        addLast: (key) => keys.add(key),
        stop: async () => {},
      };
    },
    idle: async () => {
      for (let key = [...keys][0]; key !== undefined; key = [...keys][0]) {
        keys.delete(key);
        await reconcile(key);
      }
    },
  };
}

function world() {
  const cluster = new MemoryCluster("c");
  const queue = immediateQueue();
  const start = () =>
    new LoadBalancer({ view: cluster, writer: cluster, events: cluster, startQueue: queue.start });
  const address = (kind: typeof SERVICE, name: string): unknown => {
    const status = JSON.stringify(cluster.now(kind, "default", name)?.["status"] ?? null);
    return /"ip":"([^"]+)"/.exec(status)?.[1];
  };
  return { cluster, queue, start, address };
}

test("a Service and an Ingress get different addresses, once", async () => {
  const { cluster, queue, start, address } = world();
  start();
  cluster.apply(SERVICE, service("a"));
  cluster.apply(INGRESS, ingress("b"));
  cluster.apply(SERVICE, service("c", { type: "ClusterIP" }));
  await queue.idle();
  expect([address(SERVICE, "a"), address(INGRESS, "b"), address(SERVICE, "c")]).toEqual([
    "192.0.2.1",
    "192.0.2.2",
    undefined,
  ]);
  const writes = cluster.writes.length;
  cluster.apply(SERVICE, service("a", { type: "LoadBalancer", ports: [] }));
  await queue.idle();
  expect(address(SERVICE, "a")).toBe("192.0.2.1");
  expect(cluster.writes.slice(writes).filter((write) => write.includes("patchStatus"))).toEqual([]);
});

test("addresses that statuses show are kept over a restart and not given twice", async () => {
  const { cluster, queue, start, address } = world();
  cluster.apply(SERVICE, service("new"));
  cluster.apply(SERVICE, service("old"));
  cluster.setStatus(SERVICE, "default", "old", {
    loadBalancer: { ingress: [{ ip: "192.0.2.1" }] },
  });
  start();
  await queue.idle();
  expect([address(SERVICE, "old"), address(SERVICE, "new")]).toEqual(["192.0.2.1", "192.0.2.2"]);
});

test("nothing is given while a kind is not listed", async () => {
  const { cluster, queue, start, address } = world();
  cluster.apply(SERVICE, service("a"));
  cluster.setKindState(INGRESS, "syncing");
  start();
  await queue.idle();
  expect(address(SERVICE, "a")).toBeUndefined();
  cluster.relist(INGRESS);
  await queue.idle();
  expect(address(SERVICE, "a")).toBe("192.0.2.1");
});

test("spec.loadBalancerIP is followed, nonsense in it is not", async () => {
  const { cluster, queue, start, address } = world();
  start();
  cluster.apply(SERVICE, service("a", { type: "LoadBalancer", loadBalancerIP: "198.51.100.7" }));
  cluster.apply(SERVICE, service("b", { type: "LoadBalancer", loadBalancerIP: "nonsense" }));
  await queue.idle();
  expect([address(SERVICE, "a"), address(SERVICE, "b")]).toEqual(["198.51.100.7", "192.0.2.1"]);
});

test("a Service that is no longer LoadBalancer, or was deleted, gives its address back", async () => {
  const { cluster, queue, start, address } = world();
  start();
  for (const name of ["a", "b"]) cluster.apply(SERVICE, service(name));
  await queue.idle();
  cluster.apply(SERVICE, service("a", { type: "ClusterIP" }));
  await queue.idle();
  expect(address(SERVICE, "a")).toBeUndefined();
  cluster.delete(SERVICE, "default", "b");
  cluster.apply(SERVICE, service("c"));
  cluster.apply(SERVICE, service("d"));
  await queue.idle();
  expect([address(SERVICE, "c"), address(SERVICE, "d")]).toEqual(["192.0.2.1", "192.0.2.2"]);
});

test("a full pool is told by an Event, and the next free address goes to who waits", async () => {
  const { cluster, queue, start, address } = world();
  start();
  for (let index = 0; index < 255; index++) cluster.apply(SERVICE, service(`s${index}`));
  await queue.idle();
  expect(address(SERVICE, "s253")).toBe("192.0.2.254");
  expect(address(SERVICE, "s254")).toBeUndefined();
  expect(cluster.events.map((event) => event.note.reason)).toEqual(["NoAddress"]);
  cluster.delete(SERVICE, "default", "s7");
  await queue.idle();
  expect(address(SERVICE, "s254")).toBe("192.0.2.8");
});

test("an address that several services chose stays in use until the last one releases it", () => {
  const pool = new AddressPool();
  pool.note("a", "192.0.2.1");
  pool.note("b", "192.0.2.1");
  pool.release("a");
  expect(pool.take("c")).toBe("192.0.2.2");
  pool.release("b");
  expect(pool.take("d")).toBe("192.0.2.1");
});
