/** Who may use which DNSProvider: namespaces, owners, realms; and the owner id that one gives. */
import { SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_OWNER, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const REALMS = "dns.gardener.cloud/realms";
const OWNER_ID = "dns.gardener.cloud/owner-id";
const IGNORE = "resources.gardener.cloud/ignore-owners-for-access-control";
const OWNERS = "resources.gardener.cloud/owners";
type Annotations = Readonly<Record<string, string>>;

function world(targetNamespace: string | null = null) {
  const made = programWorld({ targetNamespace });
  const { cluster, clock } = made;
  const provider = (namespace: string, annotations: Annotations = {}) => {
    const secret = objectOf("v1", "Secret", "s", { metadata: { namespace } });
    cluster.apply(SECRET, secret);
    const spec = { type: "memory", secretRef: { name: "s" } };
    const fields = { metadata: { namespace, annotations }, spec };
    cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p", fields));
  };
  const entry = (namespace: string, annotations: Annotations = {}) => {
    const spec = { dnsName: "www.example.org", targets: ["192.0.2.1"] };
    const fields = { metadata: { namespace, annotations }, spec };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "www", fields));
  };
  const service = (namespace: string, more: Annotations = {}) => {
    const annotations = { "dns.gardener.cloud/dnsnames": "www.example.org", ...more };
    const fields = { metadata: { namespace, annotations }, spec: { type: "LoadBalancer" } };
    cluster.apply(SERVICE, objectOf("v1", "Service", "web", fields));
    const loadBalancer = { ingress: [{ ip: "192.0.2.1" }] };
    cluster.setStatus(SERVICE, namespace, "web", { loadBalancer });
  };
  const dnsOwner = (ownerId: string) => {
    const metadata = { name: ownerId };
    cluster.apply(DNS_OWNER, { apiVersion: API, kind: "DNSOwner", metadata, spec: { ownerId } });
  };
  const only = (): KubeObject | undefined => {
    const list = cluster.list(DNS_ENTRY);
    return list.state === "value" ? list.value[0] : undefined;
  };
  const status = () => only()?.["status"];
  const isPublished = () => made.values("www.example.org").length > 0;
  cluster.delete(DNS_PROVIDER, "default", "p");
  return {
    ...{ ...made, provider, entry, service, dnsOwner, only, status, isPublished },
    rest: () => clock.advance(60_000),
  };
}

test("--disable-namespace-restriction: a DNSProvider serves objects of every namespace", async () => {
  const { start, provider, entry, rest, isPublished, status } = world();
  provider("dns");
  entry("shop");
  const first = start();
  await rest();
  expect(isPublished()).toBe(false);
  expect(status()).toMatchObject({ state: "Error" });
  await first.stop();
  const second = start(null, { publish: { anyNamespace: true } });
  await rest();
  expect(isPublished()).toBe(true);
  await second.stop();
});

test("--disable-namespace-restriction: a reference may be to an entry of another namespace", async () => {
  const { start, provider, cluster, rest, values } = world();
  provider("dns");
  const entry = (namespace: string, name: string, more: object) =>
    cluster.apply(
      DNS_ENTRY,
      objectOf(API, "DNSEntry", name, {
        metadata: { namespace },
        spec: { dnsName: `${name}.example.org`, ...more },
      }),
    );
  entry("dns", "www", { targets: [], reference: { name: "far", namespace: "shop" } });
  // A reference without a namespace is to that of its own entry.
  entry("shop", "far", { reference: { name: "last" } });
  entry("shop", "last", { targets: ["192.0.2.7"] });
  entry("dns", "loop", { reference: { name: "loop", namespace: "shop" } });
  entry("shop", "loop", { reference: { name: "loop", namespace: "dns" } });
  const messageOf = (namespace: string, name: string) =>
    JSON.stringify(cluster.now(DNS_ENTRY, namespace, name)?.["status"]);
  const first = start();
  await rest();
  expect(values("www.example.org")).toEqual([]);
  expect(messageOf("dns", "www")).toMatch(
    /namespace shop.*its own \(dns\) only, unless --disable-/,
  );
  await first.stop();
  const second = start(null, { publish: { anyNamespace: true } });
  await rest();
  expect(values("www.example.org")).toEqual(["192.0.2.7"]);
  expect(messageOf("dns", "loop")).toMatch(/form a loop: loop → shop\/loop → loop/);
  entry("shop", "last", { targets: ["192.0.2.8"] });
  await rest();
  expect(values("www.example.org")).toEqual(["192.0.2.8"]);
  await second.stop();
});

test("an entry uses DNSProviders of its realms, and hears which one it would need", async () => {
  const { start, provider, entry, rest, values, status } = world();
  provider("default", { [REALMS]: "b, a" });
  entry("default");
  const running = start();
  await rest();
  expect(values("www.example.org")).toEqual([]);
  expect(status()).toMatchObject({
    state: "Error",
    message: `No responsible provider found: DNSProvider default/p, which serves www.example.org, is for objects of realm a, b; set ${REALMS}: a, or create a DNSProvider for the realm of this object`,
  });
  entry("default", { [REALMS]: "x,b" });
  await rest();
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  // Records stay: whether the DNSProvider or the entry left the realm cannot be known.
  provider("default", { [REALMS]: "a" });
  await rest();
  expect(status()).toMatchObject({ state: "Stale" });
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  await running.stop();
});

test.each(["entries", "direct"] as const)(
  "realms of a Service, or else --target-realms, decide with --publish %s",
  async (publishing) => {
    const { start, provider, service, rest, isPublished, only } = world();
    provider("default", { [REALMS]: "a" });
    service("default", { [REALMS]: "b" });
    const running = start(publishing, {
      publish: { marks: { realms: "a", ignoreOwners: true, labels: { creator: "me" } } },
    });
    await rest();
    expect(isPublished()).toBe(false);
    service("default");
    await rest();
    expect(isPublished()).toBe(true);
    if (publishing === "entries")
      expect(only()?.metadata).toMatchObject({
        annotations: { [REALMS]: "a" },
        labels: { creator: "me" },
      });
    await running.stop();
  },
);

test("a generated entry uses what its namespace may use; its owners decide where that is said", async () => {
  const { start, provider, service, rest, isPublished, only, status } = world("entries");
  provider("entries");
  service("shop");
  const first = start();
  await rest();
  expect(isPublished()).toBe(true);
  expect(only()?.metadata.annotations?.[IGNORE]).toBe("true");
  await first.stop();
  const marks = { realms: null, ignoreOwners: false, labels: {} };
  const second = start(null, { publish: { marks } });
  await rest();
  expect(only()?.metadata.annotations?.[IGNORE]).toBe("false");
  expect(status()).toMatchObject({ state: "Stale" });
  expect(isPublished()).toBe(true);
  provider("shop");
  await rest();
  expect(status()).toMatchObject({ state: "Ready", provider: "shop/p" });
  await second.stop();
});

test.each([
  ["entries", "/Service/shop/web", true],
  ["entries", "/Service/other/web", false],
  ["entries", "/Service/shop/web,/Service/other/web", false],
  ["entries", "elsewhere:/Service/shop/web", false],
  // Anybody could write it there.
  ["other", "/Service/shop/web", false],
])("an entry in %s for %s, made by another program", async (namespace, owners, isServed) => {
  const { start, provider, entry, rest, isPublished } = world("entries");
  provider("shop");
  entry(namespace, { [OWNERS]: owners });
  const running = start();
  await rest();
  expect(isPublished()).toBe(isServed);
  await running.stop();
});

test("a DNSProvider gives its entries an owner id, which their own comes before", async () => {
  const { start, provider, entry, dnsOwner, rest, zone, status } = world();
  provider("default", { [OWNER_ID]: "team" });
  entry("default");
  const running = start();
  await rest();
  expect(status()).toMatchObject({ state: "Stale" });
  expect(JSON.stringify(status())).toContain('the owner id \\"team\\" is not active');
  dnsOwner("team");
  await rest();
  expect(zone()).toContain("external-dns/owner=team");
  entry("default", { [OWNER_ID]: "shop" });
  dnsOwner("shop");
  await rest();
  expect(zone()).toContain("external-dns/owner=shop");
  expect(zone()).not.toContain("external-dns/owner=team");
  await running.stop();
});

test.each(["entries", "direct"] as const)(
  "the owner id of a Service, or of --target-owner-id, holds with --publish %s",
  async (publishing) => {
    const { start, provider, service, dnsOwner, rest, zone, only } = world();
    provider("default");
    service("default", { [OWNER_ID]: "shop" });
    for (const id of ["shop", "all"]) dnsOwner(id);
    const first = start(publishing);
    await rest();
    expect(zone()).toContain("external-dns/owner=shop");
    if (publishing === "entries") expect(only()?.["spec"]).toMatchObject({ ownerId: "shop" });
    await first.stop();
    const second = start(publishing, { publish: { targetOwnerId: "all" } });
    await rest();
    expect(zone()).toContain("external-dns/owner=all");
    expect(zone()).not.toContain("external-dns/owner=shop");
    service("default");
    await rest();
    await second.stop();
    const third = start(publishing);
    await rest();
    expect(zone()).toContain("external-dns/owner=me");
    if (publishing === "entries") expect(only()?.["spec"]).not.toHaveProperty("ownerId");
    await third.stop();
  },
);
