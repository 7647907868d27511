import { CONFIG_MAP } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { ConfigMapRegistry } from "./config-map-registry.ts";

const open = (owner: string, cluster = new MemoryCluster("c1")) =>
  new ConfigMapRegistry({ writer: cluster, namespace: "dns", owner });

test.each([
  ["external-dns-1", /^external-dns-1-registry-1$/],
  ["My/Owner", /^my-owner-[0-9a-f]{16}-registry-1$/],
  ["my-owner", /^my-owner-registry-1$/],
  ["---", /^owner-[0-9a-f]{16}-registry-1$/],
  ["x".repeat(200), /^x{150}-[0-9a-f]{16}-registry-1$/],
])("the owner %s has objects of its own that Kubernetes takes", (owner, name) => {
  expect(open(owner).nameOf("registry-1")).toMatch(name);
});

test("a write compares the version that was read", async () => {
  const registry = open("me");
  expect(await registry.read("registry-1")).toBeNull();
  const first = await registry.write("registry-1", { records: "[]" }, null);
  await expect(registry.write("registry-1", {}, null)).rejects.toMatchObject({
    code: "AlreadyExists",
  });
  const second = await registry.write("registry-1", { records: "[1]" }, first);
  await expect(registry.write("registry-1", {}, first)).rejects.toMatchObject({ code: "Conflict" });
  expect(await registry.read("registry-1")).toEqual({
    data: { records: "[1]" },
    version: second,
  });
});

test("what has no texts is an error, not nothing", async () => {
  const cluster = new MemoryCluster("c1");
  const metadata = { name: "me-registry-1", namespace: "dns" };
  cluster.apply(CONFIG_MAP, { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: 1 } });
  await expect(open("me", cluster).read("registry-1")).rejects.toMatchObject({
    code: "RegistryUnusable",
  });
});
