import { expect, test } from "vitest";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { DNS_ENTRY } from "../../../../../test/support/values/entry-kind.ts";
import { MemoryCluster } from "../../../../../test/support/worlds/memory-cluster.ts";
import type { KubeObject } from "../../objects/kubernetes.ts";
import { PreviewCluster } from "./preview-cluster.ts";

const REF = { kind: DNS_ENTRY, namespace: "default", name: "www" };
const object = (spec: object, name = REF.name): KubeObject => ({
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSEntry",
  metadata: { name, namespace: REF.namespace },
  spec,
});

function previewed() {
  const real = new MemoryCluster("c1");
  const preview = new PreviewCluster({ view: real, reader: real, clock: new VirtualClock() });
  const seen: string[] = [];
  preview.subscribe(DNS_ENTRY, {
    onChange: ({ type, object: { metadata } }) => void seen.push(`${type} ${metadata.name}`),
    onState: () => undefined,
  });
  const shown = () => {
    const found = preview.get(DNS_ENTRY, REF.namespace, REF.name);
    return found.state === "value" ? found.value : null;
  };
  return { real, preview, seen, shown };
}

test("what is created, changed and removed is shown to the controllers, and to nobody else", async () => {
  const { real, preview, seen, shown } = previewed();
  await preview.create(DNS_ENTRY, object({ dnsName: "www.example.org" }));
  await preview.patchStatus(REF, { status: { state: "Ready" } });
  await preview.patch(REF, { metadata: { finalizers: ["f"] }, spec: { ttl: 60 } });
  expect(shown()).toMatchObject({
    metadata: { generation: 2, finalizers: ["f"] },
    spec: { dnsName: "www.example.org", ttl: 60 },
    status: { state: "Ready" },
  });
  const all = preview.list(DNS_ENTRY);
  expect(all.state === "value" && all.value).toHaveLength(1);
  await preview.remove(REF);
  expect(shown()?.metadata.deletionTimestamp).toBeDefined();
  await preview.patch(REF, { metadata: { finalizers: [] } });
  expect([shown(), await preview.read(REF)]).toEqual([null, null]);
  expect(seen).toEqual([
    "added www",
    "modified www",
    "modified www",
    "modified www",
    "deleted www",
  ]);
  expect(real.writes).toEqual([]);
});

test("writes lie over the real object, and follow it when it changes", async () => {
  const { real, preview, shown } = previewed();
  real.apply(DNS_ENTRY, object({ dnsName: "www.example.org" }));
  const written = real.writes.length;
  await preview.patch(REF, { metadata: { finalizers: ["f"] } });
  await preview.patchStatus(REF, { status: { state: "Error" } });
  real.apply(DNS_ENTRY, object({ dnsName: "www.example.org", ttl: 60 }));
  const expected = {
    metadata: { finalizers: ["f"] },
    spec: { ttl: 60 },
    status: { state: "Error" },
  };
  expect(shown()).toMatchObject(expected);
  expect(await preview.read(REF)).toMatchObject(expected);
  expect(real.now(DNS_ENTRY, REF.namespace, REF.name)?.["status"]).toBeUndefined();
  expect(real.writes.length).toBe(written + 1);
  real.delete(DNS_ENTRY, REF.namespace, REF.name);
  expect(shown()).toBeNull();
});

test("an object that another instance creates for real takes the place of the previewed one", async () => {
  const { real, preview, seen, shown } = previewed();
  await preview.create(DNS_ENTRY, object({ dnsName: "www.example.org" }));
  await expect(preview.create(DNS_ENTRY, object({}))).rejects.toMatchObject({
    code: "AlreadyExists",
  });
  real.apply(DNS_ENTRY, object({ dnsName: "real.example.org" }));
  expect(shown()).toMatchObject({ spec: { dnsName: "real.example.org" } });
  expect(seen).toEqual(["added www", "modified www"]);
  await expect(preview.patchStatus({ ...REF, name: "none" }, { status: {} })).rejects.toMatchObject(
    { code: "NotFound" },
  );
});
