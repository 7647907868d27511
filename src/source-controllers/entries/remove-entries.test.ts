import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { describe, expect, test } from "vitest";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { isAsSeen, removeAsSeen } from "./remove-entries.ts";

const service = (names: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { namespace: "default", name: "web", annotations: { names } },
});

function stage() {
  const cluster = new MemoryCluster("c1");
  const seen = cluster.apply(SERVICE, service("a"));
  const isStillSo = (then: KubeObject | null): Promise<boolean> =>
    isAsSeen({ reader: cluster }, { kind: SERVICE, namespace: "default", name: "web", seen: then });
  return { cluster, seen, isStillSo };
}

describe("Z-2: a removal rests on the source as the API has it", () => {
  test("seen as it is", async () => {
    const { seen, isStillSo } = stage();
    expect(await isStillSo(seen)).toBe(true);
  });

  test("an annotation or a status moved: no generation does", async () => {
    const { cluster, seen, isStillSo } = stage();
    const later = cluster.apply(SERVICE, service("a,b"));
    expect([await isStillSo(seen), await isStillSo(later)]).toEqual([false, true]);
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer: {} });
    expect(await isStillSo(later)).toBe(false);
  });

  test("gone, made again, not seen", async () => {
    const { cluster, seen, isStillSo } = stage();
    expect(await isStillSo(null)).toBe(false);
    cluster.delete(SERVICE, "default", "web");
    expect([await isStillSo(seen), await isStillSo(null)]).toEqual([false, true]);
    cluster.apply(SERVICE, service("a"));
    expect([await isStillSo(seen), await isStillSo(null)]).toEqual([false, false]);
  });

  test("an API that does not answer proves nothing", async () => {
    const { cluster, seen, isStillSo } = stage();
    cluster.fail({ on: "read", code: "Unavailable", applied: false });
    await expect(isStillSo(seen)).rejects.toThrow("injected");
  });
});

describe("an entry goes as it was seen, or not", () => {
  const entry: KubeObject = {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata: { namespace: "default", name: "e" },
    spec: { dnsName: "a.example.org" },
  };

  test.each([
    ["as it was seen", () => {}, true, 0],
    [
      "changed since",
      (c: MemoryCluster) => c.setStatus(DNS_ENTRY, "default", "e", { state: "Ready" }),
      false,
      1,
    ],
    [
      "made again",
      (c: MemoryCluster) => {
        c.delete(DNS_ENTRY, "default", "e");
        c.apply(DNS_ENTRY, entry);
      },
      false,
      1,
    ],
    ["gone", (c: MemoryCluster) => c.delete(DNS_ENTRY, "default", "e"), true, 0],
  ])("%s", async (_, meanwhile, isRemoved, left) => {
    const cluster = new MemoryCluster("c1");
    const seen = cluster.apply(DNS_ENTRY, entry);
    meanwhile(cluster);
    expect(await removeAsSeen({ writer: cluster }, seen)).toBe(isRemoved);
    expect(cluster.all(DNS_ENTRY)).toHaveLength(left);
  });

  test("another failure is one", async () => {
    const cluster = new MemoryCluster("c1");
    const seen = cluster.apply(DNS_ENTRY, entry);
    cluster.fail({ on: "remove", code: "Unavailable", applied: false });
    await expect(removeAsSeen({ writer: cluster }, seen)).rejects.toThrow("injected");
  });
});
