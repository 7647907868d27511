import { INGRESS, NAMESPACE, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { ViewListener } from "@zonekeeper/kube/ports/cluster-view";
import { describe, expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { MapState } from "../../../test/support/values/fuse.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { PinnedCluster } from "./pinned-cluster.ts";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** `changes` were made before, and so many other namespaces exist: the UID follows from them. */
function clusterWith(services: number, { others = 0, changes = 20 } = {}): MemoryCluster {
  const cluster = new MemoryCluster("c1");
  const namespace = (name: string, change: number) =>
    cluster.apply(NAMESPACE, {
      ...{ apiVersion: "v1", kind: "Namespace" },
      metadata: { name, labels: { change: String(change) } },
    });
  for (let index = 0; index < others; index += 1) namespace(`n${index}`, 0);
  for (let change = 0; change < changes; change += 1) namespace("kube-system", change);
  for (let index = 0; index < services; index += 1) apply(cluster, index);
  return cluster;
}

function apply(cluster: MemoryCluster, index: number): void {
  const metadata = { name: `s${index}`, namespace: "default" };
  cluster.apply(SERVICE, { apiVersion: "v1", kind: "Service", metadata });
}

async function pinned(view: MemoryCluster, state = new MapState(), clock = new VirtualClock()) {
  const log = new MemoryLog();
  let checks = 0;
  const onChecked = () => {
    checks += 1;
  };
  const ports = { state, clock, log, onChecked, key: "cluster/me/c1" };
  const cluster = new PinnedCluster({ ...ports, view, reader: view, kinds: [SERVICE, INGRESS] });
  await settled();
  return { cluster, state, clock, log, checks: () => checks };
}

describe("Z-30 a cluster is who it was", () => {
  test("a new one is pinned, and is the same after a restart", async () => {
    const view = clusterWith(8);
    const first = await pinned(view);
    expect([first.cluster.isChecked, first.cluster.trouble, first.checks()]).toEqual([
      true,
      null,
      1,
    ]);
    await first.cluster.stop();
    const again = await pinned(view, first.state);
    expect([again.cluster.isChecked, again.cluster.trouble]).toEqual([true, null]);
  });

  test.each<[string, MemoryCluster, RegExp]>([
    ["another UID", clusterWith(8, { others: 1 }), /its UID is \S+ and was \S+\. Nothing/],
    ["lower versions", clusterWith(8, { changes: 1 }), /services have version 9, after 28[.;] /],
    ["less than half of the objects", clusterWith(3, { changes: 40 }), /3 of 8 services are there/],
  ])("%s: a person has to accept it", async (_, next, message) => {
    const { state, cluster: before } = await pinned(clusterWith(8));
    await before.stop();
    const { cluster, log } = await pinned(next, state);
    expect(cluster.trouble?.message).toMatch(message);
    expect(log.lines.map((line) => JSON.stringify(line)).join()).toContain("is not the one it was");
    expect(await cluster.accept("0000")).toBe(false);
    const hash = cluster.trouble?.hash ?? "";
    expect(cluster.trouble?.message).toContain(`zonekeeper approve ${hash}`);
    expect(await cluster.accept(hash)).toBe(true);
    expect([cluster.isChecked, cluster.trouble]).toEqual([true, null]);
    await cluster.stop();
    expect((await pinned(next, state)).cluster.trouble).toBeNull();
  });

  test("what was seen to be deleted is not lost, and few objects say nothing", async () => {
    const view = clusterWith(8);
    const { cluster } = await pinned(view);
    for (let index = 0; index < 6; index += 1) view.delete(SERVICE, "default", `s${index}`);
    view.relist(SERVICE);
    await settled();
    expect([cluster.isChecked, cluster.trouble]).toEqual([true, null]);
    view.holdWatch(SERVICE);
    for (let index = 6; index < 8; index += 1) view.delete(SERVICE, "default", `s${index}`);
    view.relist(SERVICE);
    await settled();
    expect(cluster.trouble).toBeNull();
  });

  test("what is missing from a list proves nothing before it was compared, or while it is too much", async () => {
    const view = clusterWith(8);
    const { cluster } = await pinned(view);
    view.holdWatch(SERVICE);
    for (let index = 0; index < 5; index += 1) view.delete(SERVICE, "default", `s${index}`);
    view.relist(SERVICE);
    expect(cluster.isChecked).toBe(false);
    await settled();
    expect(cluster.trouble?.message).toContain("3 of 8 services are there");
    // They come back: a restore of another kind, or a mistake that was mended.
    for (let index = 0; index < 5; index += 1) apply(view, index);
    view.relist(SERVICE);
    await settled();
    expect(cluster.trouble).toBeNull();
  });

  test("a kind that is listed after another one is counted once", async () => {
    const { state, cluster: before } = await pinned(clusterWith(8));
    await before.stop();
    const view = clusterWith(0, { changes: 40 });
    view.holdWatch(SERVICE);
    view.setKindState(SERVICE, "syncing");
    for (let index = 0; index < 7; index += 1) apply(view, index);
    const { cluster } = await pinned(view, state);
    expect(cluster.isChecked).toBe(true);
    view.relist(SERVICE);
    await settled();
    expect([cluster.isChecked, cluster.trouble]).toEqual([true, null]);
    await cluster.stop();
  });

  test("what turns out to be missing after the list was compared is compared, too", async () => {
    const view = clusterWith(8);
    const late: ViewListener[] = [];
    const subscribe: MemoryCluster["subscribe"] = (kind, listener) => {
      late.push(listener);
      return view.subscribe(kind, listener);
    };
    const slow = new Proxy(view, {
      get: (target, key) => {
        if (key === "subscribe") return subscribe;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const { cluster } = await pinned(slow);
    const object = view.now(SERVICE, "default", "s0");
    if (object === null) throw new Error("there are Services");
    const change = { type: "deleted", kind: SERVICE, object, proof: "missing-from-list" } as const;
    for (const listener of late) listener.onChange(change);
    expect(cluster.isChecked).toBe(false);
    await settled();
    expect(cluster.isChecked).toBe(true);
  });

  test("while the state or the UID cannot be read, nothing is checked; it is tried again", async () => {
    const view = clusterWith(8);
    view.fail({ on: "read", code: "Unavailable", applied: false });
    const { cluster, clock } = await pinned(view);
    expect([cluster.isChecked, cluster.wasChecked]).toEqual([false, false]);
    await clock.advance(5_000);
    await settled();
    expect(cluster.isChecked).toBe(true);
  });

  test("state that cannot be read is no new cluster", async () => {
    const state = new MapState();
    state.texts.set("cluster/me/c1", "{");
    const { cluster, log } = await pinned(clusterWith(8), state);
    expect([cluster.isChecked, cluster.wasChecked]).toEqual([false, false]);
    expect(JSON.stringify(log.lines)).toContain("cannot be read; remove it");
    await cluster.stop();
  });

  test.each<[string, number, boolean]>([
    ["a second later", 1_000, false],
    ["when the process stops", 0, true],
  ])(
    "what was seen to be deleted is not missed at the next start: saved %s",
    async (_, ms, stops) => {
      const view = clusterWith(8);
      const { cluster, state, clock } = await pinned(view);
      for (let index = 0; index < 6; index += 1) view.delete(SERVICE, "default", `s${index}`);
      await clock.advance(ms);
      await settled();
      if (stops) await cluster.stop();
      expect(clock.pendingTimers).toBe(0);
      expect((await pinned(view, state)).cluster.trouble).toBeNull();
    },
  );
});
