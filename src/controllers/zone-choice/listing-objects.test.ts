import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { DNS_ANNOTATION, DNS_ENTRY, SERVICE_ENTRY } from "../../model/kinds.ts";
import { openSource } from "../../sources/index.ts";
import { type ListedKind, listingObjects } from "./listing-objects.ts";

const WWW = trustedDnsName("www.example.org");
const DNS_CLASS = "gardendns";
const NAMES = "dns.gardener.cloud/dnsnames";

/** Returns the text about the one object, which has this name among others. */
async function listing(kind: KindRef, object: object, status?: object, isAsked = isWww) {
  const cluster = new MemoryCluster("c1");
  const metadata = { name: "web", namespace: "default" };
  const { metadata: more = {}, ...rest } = object as { readonly metadata?: object };
  const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
  cluster.apply(kind, {
    ...{ apiVersion, kind: kind.kind, ...rest },
    metadata: { ...metadata, ...more },
  });
  if (status !== undefined) cluster.setStatus(kind, "default", "web", status);
  const options = { dnsClasses: [DNS_CLASS] as const, targetNamespace: null };
  const kinds = ["dnsentry", "service-dns", "istio-serviceentry"].map((name): ListedKind => {
    const kind = { view: cluster, dnsClasses: [DNS_CLASS] as const, kept: new WeakMap() };
    return { ...kind, source: openSource(name, options) };
  });
  const listed = await listingObjects(kinds, { isAsked, refused: new Map() }, new VirtualClock());
  return listed.map(({ object: who, state, message }) => `${who} ${state} ${message}`.trim());
}

const isWww = (name: string): boolean => name === WWW;

const service = (annotations: object, type = "LoadBalancer") => ({
  metadata: { annotations: { "dns.gardener.cloud/dnsnames": WWW, ...annotations } },
  spec: { type },
});
const spec = { dnsName: WWW, targets: ["192.0.2.1"] };

test("an entry that is published, and one that waits for its address, are listed without trouble", async () => {
  expect(await listing(DNS_ENTRY, { spec }, { state: "Ready" })).toEqual(["dnsentry/default/web"]);
  expect(await listing(SERVICE, service({}))).toEqual([
    "service/default/web  it has no address yet",
  ]);
});

test.each(["Stale", "Error", "Invalid"])("an entry that is %s says why", async (state) => {
  const bad = { spec: { ...spec, targets: ["192.0.2.999"] } };
  const status = { state, message: "spec.targets: no address" };
  expect(await listing(DNS_ENTRY, bad, status)).toEqual([
    `dnsentry/default/web ${state} spec.targets: no address`,
  ]);
});

test("an entry that a rate limit keeps waiting says so; one that is about to be written does not", async () => {
  const waits = { state: "Pending", message: "provider throttled: default/p takes 240 changes" };
  expect(await listing(DNS_ENTRY, { spec }, waits)).toEqual([
    "dnsentry/default/web Pending provider throttled: default/p takes 240 changes",
  ]);
  const written = { state: "Pending", message: "dns entry is being published" };
  expect(await listing(DNS_ENTRY, { spec }, written)).toEqual([
    "dnsentry/default/web  dns entry is being published",
  ]);
});

const EXTERNAL = "external-dns.alpha.kubernetes.io/hostname for external-dns";

test.each([
  ["dns.gardener.cloud/dnsname", "dns.gardener.cloud/dnsnames"],
  ["dns.gardner.cloud/dnsnames", "dns.gardener.cloud/dnsnames"],
  [
    "external-dns.alpha.kubernets.io/hostname",
    `${EXTERNAL}, dns.gardener.cloud/dnsnames for Zonekeeper`,
  ],
])("a Service that has the name in the misspelt %s says which one is meant", async (key, meant) => {
  const metadata = { annotations: { [key]: `a.example.org, ${WWW}` } };
  expect(await listing(SERVICE, { metadata, spec: { type: "LoadBalancer" } })).toEqual([
    `service/default/web Unsupported no annotation is called so: write ${meant}, or remove it (metadata.annotations[${key}])`,
  ]);
});

test("objects that are not read, or not wholly, say why", async () => {
  const annotations = { "dns.gardener.cloud/class": "other" };
  const other = "OtherClass its class is other, and this instance is for gardendns";
  expect(await listing(DNS_ENTRY, { spec, metadata: { annotations } })).toEqual([
    `dnsentry/default/web ${other}`,
  ]);
  // What its own controller has written is that controller's trouble.
  const status = { state: "Invalid", message: "spec.targets: no address" };
  expect(await listing(DNS_ENTRY, { spec, metadata: { annotations } }, status)).toEqual([
    `dnsentry/default/web ${other}`,
  ]);
  expect(await listing(SERVICE, service(annotations))).toEqual([`service/default/web ${other}`]);
  expect(await listing(SERVICE, service({}, "ClusterIP"))).toEqual([
    "service/default/web NotLoadBalancer service is not of type LoadBalancer: its names are not published; change spec.type (spec.type)",
  ]);
  expect(await listing(SERVICE, service({ "dns.gardener.cloud/ttl": "-1" }))).toEqual([
    expect.stringMatching(/^service\/default\/web InvalidTtl invalid TTL: "-1" /),
  ]);
});

test("an address that is missing for what the spec says is trouble; a remark on an annotation is not", async () => {
  const metadata = { annotations: { "zonekeeper.dev/publish": "true" } };
  const passthrough = { hosts: [WWW], resolution: "NONE" };
  expect(await listing(SERVICE_ENTRY, { metadata, spec: passthrough })).toEqual([
    "serviceentry/default/web InvalidServiceEntry resolution NONE has no endpoints; list IP addresses in spec.addresses (spec.endpoints)",
  ]);
  expect(await listing(SERVICE, service({ "dns.gardener.cloud/ip-stack": "ipv6" }))).toEqual([
    "service/default/web  it has no address yet",
  ]);
});

test("a name that is mistaken is listed as it is written", async () => {
  const mistaken = "www..example.org\u001b[2J";
  const metadata = { annotations: { "dns.gardener.cloud/dnsnames": mistaken } };
  const all: string[] = [];
  const isAsked = (name: string): boolean => all.push(name) > 0;
  const spec = { type: "LoadBalancer" };
  expect(await listing(SERVICE, { metadata, spec }, undefined, isAsked)).toEqual([
    expect.stringMatching(/^service\/default\/web InvalidDnsName .*empty label/),
  ]);
  expect(all).toEqual(["www..example.org\\u001b[2j"]);
});

test("an object of other names is not listed", async () => {
  expect(await listing(DNS_ENTRY, { spec: { ...spec, dnsName: "a.example.org" } })).toEqual([]);
});

test("what is known of an object is found anew once it, or what it rests on, is another", async () => {
  const cluster = new MemoryCluster("c1");
  const source = openSource("service-dns", { dnsClasses: [DNS_CLASS], targetNamespace: null });
  let calls = 0;
  const reads = [
    { kind: DNS_ENTRY, namespace: "default", name: "x" },
    { kind: DNS_ENTRY, inNamespace: "other" },
  ];
  const counted: ListedKind["source"] = {
    ...source,
    endpoints: (object, view) => {
      calls += 1;
      const found = source.endpoints(object, view);
      return { ...found, reads: [...(found.reads ?? []), ...reads] };
    },
  };
  const kept: ListedKind["kept"] = new WeakMap();
  const kinds = [{ view: cluster, source: counted, dnsClasses: [DNS_CLASS] as const, kept }];
  const listed = async () => {
    const asked = { isAsked: () => true, refused: new Map() };
    const rows = await listingObjects(kinds, asked, new VirtualClock());
    return [...rows.map(({ name }) => name), calls];
  };
  const applyService = (names: string) =>
    cluster.apply(SERVICE, {
      ...{ apiVersion: "v1", kind: "Service", spec: { type: "LoadBalancer" } },
      metadata: { name: "web", namespace: "default", annotations: { [NAMES]: names } },
    });
  const applyEntry = (namespace: string) =>
    cluster.apply(DNS_ENTRY, {
      ...{ apiVersion: "dns.gardener.cloud/v1alpha1", kind: "DNSEntry", spec },
      metadata: { name: "x", namespace },
    });
  applyService(WWW);
  expect(await listed()).toEqual([WWW, 1]);
  expect(await listed(), "as it was").toEqual([WWW, 1]);
  applyEntry("default");
  expect(await listed(), "what it names is there").toEqual([WWW, 2]);
  applyEntry("other");
  expect(await listed(), "one more in a list").toEqual([WWW, 3]);
  applyEntry("elsewhere");
  expect(await listed()).toEqual([WWW, 3]);
  cluster.setKindState(DNS_ANNOTATION, "forbidden");
  expect(await listed(), "a kind cannot be read").toEqual([WWW, 4]);
  applyService("new.example.org");
  expect(await listed()).toEqual(["new.example.org", 5]);
});

test("of who is asked for trouble alone, what is fine and not refused is left out", async () => {
  const cluster = new MemoryCluster("c1");
  const source = openSource("dnsentry", { dnsClasses: [DNS_CLASS], targetNamespace: null });
  const kept: ListedKind["kept"] = new WeakMap();
  const kinds = [{ view: cluster, source, dnsClasses: [DNS_CLASS] as const, kept }];
  cluster.apply(DNS_ENTRY, {
    ...{ apiVersion: "dns.gardener.cloud/v1alpha1", kind: "DNSEntry", spec },
    metadata: { name: "web", namespace: "default" },
  });
  const statesWith = async (refused: ReadonlyMap<string, { state: string; message: string }>) => {
    const asked = { isAsked: () => true, onlyTroubled: true, refused };
    return (await listingObjects(kinds, asked, new VirtualClock())).map(({ state }) => state);
  };
  expect(await statesWith(new Map())).toEqual([]);
  const refused = { state: "WriteRefused", message: "quota" };
  expect(await statesWith(new Map([["dnsentry/default/web", refused]]))).toEqual(["WriteRefused"]);
});
