import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { nameOf } from "../../../../test/support/values/zone-text.ts";
import { MemoryCluster } from "../../../../test/support/worlds/memory-cluster.ts";
import { classOf } from "../../../model/dns-class.ts";
import { DNS_PROVIDER } from "../../../model/kinds.ts";
import { ensureEmbeddedProvider } from "./embedded-provider.ts";

const server = (port: number) => ({
  at: { host: "127.0.0.1", port },
  zone: nameOf("@"),
  dnsClass: "gardendns",
  tsig: { name: "k", algorithm: "hmac-sha256" as const, secretBase64: "c2VjcmV0" },
});

test("the embedded provider is made once, its Secret follows the port", async () => {
  const cluster = new MemoryCluster("c");
  await ensureEmbeddedProvider(cluster, server(1));
  const secret = (): string => JSON.stringify(cluster.now(SECRET, "default", "embedded"));
  expect(secret()).toContain(btoa("127.0.0.1:1"));
  expect(cluster.now(DNS_PROVIDER, "default", "embedded")?.["spec"]).toMatchObject({
    type: "rfc2136",
    secretRef: { name: "embedded" },
  });
  const writes = cluster.writes.length;
  await ensureEmbeddedProvider(cluster, server(1));
  expect(cluster.writes.length).toBe(writes);
  await ensureEmbeddedProvider(cluster, server(2));
  expect(secret()).toContain(btoa("127.0.0.1:2"));
});

describe("the provider that stands follows the options of dev, and keeps what a person wrote", () => {
  const provider = (cluster: MemoryCluster) => cluster.now(DNS_PROVIDER, "default", "embedded");
  const domains = (cluster: MemoryCluster) => fieldsOf(provider(cluster)?.["spec"])["domains"];

  test("another zone comes to the one before", async () => {
    const cluster = new MemoryCluster("c");
    const lab = { ...server(1), zone: trustedDnsName("lab.example.net") };
    await ensureEmbeddedProvider(cluster, server(1));
    await ensureEmbeddedProvider(cluster, lab);
    expect(domains(cluster)).toEqual({ include: ["example.org", "lab.example.net"] });
    const writes = cluster.writes.length;
    await ensureEmbeddedProvider(cluster, lab);
    expect(cluster.writes.length).toBe(writes);
  });

  test.each([
    ["a part of the zone", { include: ["sub.example.org"], exclude: ["x.sub.example.org"] }],
    ["everything", {}],
  ])("%s is enough", async (_, chosen) => {
    const cluster = new MemoryCluster("c");
    cluster.apply(DNS_PROVIDER, {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSProvider",
      metadata: { name: "embedded", namespace: "default" },
      spec: { type: "rfc2136", secretRef: { name: "embedded" }, domains: chosen },
    });
    await ensureEmbeddedProvider(cluster, server(1));
    expect(domains(cluster)).toEqual(chosen);
  });

  test("its class is that of the controllers, from the first start on and after a change", async () => {
    const cluster = new MemoryCluster("c");
    for (const dnsClass of ["mine", "gardendns", "mine"]) {
      await ensureEmbeddedProvider(cluster, { ...server(1), dnsClass });
      const object = provider(cluster);
      expect(object === null ? null : classOf(object)).toBe(dnsClass);
    }
  });
});
