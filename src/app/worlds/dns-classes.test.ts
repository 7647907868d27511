/** A list of classes: the first is served, objects of the others are taken into it. */
import { SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { DNS_ENTRY, DNS_OWNER, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const NAMES = "dns.gardener.cloud/dnsnames";
const OLD = "old.dns.gardener.cloud/compound";
const MAIN = "dns.gardener.cloud/compound";
const BOTH = { dnsClasses: ["gardendns", "old"] } as const;

function world() {
  const made = programWorld();
  const { cluster, clock } = made;
  const ofClass = (dnsClass: string) => ({ annotations: { [CLASS_ANNOTATION]: dnsClass } });
  cluster.delete(DNS_PROVIDER, "default", "p");
  const spec = { type: "memory", secretRef: { name: "s" } };
  const provider = (dnsClass: string) =>
    cluster.apply(
      DNS_PROVIDER,
      objectOf(API, "DNSProvider", "p", { metadata: ofClass(dnsClass), spec }),
    );
  const entry = (target: string) => {
    const wanted = { dnsName: "www.example.org", targets: [target] };
    cluster.apply(
      DNS_ENTRY,
      objectOf(API, "DNSEntry", "www", { metadata: ofClass("old"), spec: wanted }),
    );
  };
  const service = (dnsClass: string) => {
    const annotations = { ...ofClass(dnsClass).annotations, [NAMES]: "web.example.org" };
    const fields = { metadata: { annotations }, spec: { type: "LoadBalancer" } };
    cluster.apply(SERVICE, objectOf("v1", "Service", "web", fields));
    const loadBalancer = { ingress: [{ ip: "192.0.2.9" }] };
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer });
  };
  const now = (kind: KindRef, name: string): KubeObject | null =>
    cluster.now(kind, kind === DNS_OWNER ? "" : "default", name);
  const classAt = (kind: KindRef, name: string) =>
    now(kind, name)?.metadata.annotations?.[CLASS_ANNOTATION];
  const finalizers = (kind: KindRef, name: string) => now(kind, name)?.metadata.finalizers;
  const entries = (): readonly KubeObject[] => {
    const list = cluster.list(DNS_ENTRY);
    return list.state === "value" ? list.value : [];
  };
  const rest = () => clock.advance(60_000);
  return { ...made, provider, entry, service, classAt, finalizers, entries, rest };
}

test("objects of a further class become ones of the main class, and no record is written", async () => {
  const { start, cluster, rest, serial, values, ...at } = world();
  at.provider("old");
  at.entry("192.0.2.1");
  at.service("old");
  const spec = { ownerId: "shop" };
  const annotations = { [CLASS_ANNOTATION]: "old" };
  const metadata = { name: "shop", annotations };
  cluster.apply(DNS_OWNER, { apiVersion: API, kind: "DNSOwner", metadata, spec });
  const before = start(undefined, { dnsClasses: ["old"] });
  await rest();
  await before.stop();
  expect(at.finalizers(DNS_ENTRY, "www")).toEqual([OLD]);
  expect(at.finalizers(SECRET, "s")).toEqual([OLD]);
  const [published, uids] = [serial(), at.entries().map(({ metadata: { uid } }) => uid)];
  expect(values("web.example.org")).toEqual(["192.0.2.9"]);
  const after = start(undefined, BOTH);
  await rest();
  for (const [kind, name] of [
    [DNS_ENTRY, "www"],
    [DNS_PROVIDER, "p"],
    [SECRET, "s"],
  ] as const)
    expect([kind.kind, at.finalizers(kind, name)]).toEqual([kind.kind, [MAIN]]);
  for (const [kind, name] of [
    [DNS_ENTRY, "www"],
    [DNS_PROVIDER, "p"],
    [DNS_OWNER, "shop"],
  ] as const)
    expect(at.classAt(kind, name)).toBeUndefined();
  expect(at.entries().map(({ metadata: { uid } }) => uid)).toEqual(uids);
  for (const one of at.entries()) expect(one["status"]).toMatchObject({ state: "Ready" });
  expect(serial()).toBe(published);
  // Whoever writes the Service chooses its class.
  expect(at.classAt(SERVICE, "web")).toBe("old");
  at.entry("192.0.2.2");
  await rest();
  expect(values("www.example.org")).toEqual(["192.0.2.2"]);
  await after.stop();
});

test("an entry of a further class that is being deleted loses its record, and goes", async () => {
  const { start, cluster, rest, values, ...at } = world();
  at.provider("old");
  at.entry("192.0.2.1");
  const before = start(undefined, { dnsClasses: ["old"] });
  await rest();
  await before.stop();
  cluster.delete(DNS_ENTRY, "default", "www");
  const after = start(undefined, BOTH);
  await rest();
  expect(values("www.example.org")).toEqual([]);
  expect(at.entries()).toEqual([]);
  await after.stop();
});

test("entries of another target class are for another process", async () => {
  const { start, rest, values, ...at } = world();
  at.provider("public");
  at.service("gardendns");
  const maker = start(undefined, { targetClass: "public" });
  await rest();
  const [made] = at.entries();
  expect(made?.metadata).toMatchObject({ annotations: { [CLASS_ANNOTATION]: "public" } });
  expect(made?.metadata.finalizers).toBeUndefined();
  expect(values("web.example.org")).toEqual([]);
  const publisher = start(undefined, { dnsClasses: ["public"], owner: "you" });
  await rest();
  expect(values("web.example.org")).toEqual(["192.0.2.9"]);
  await maker.stop();
  await publisher.stop();
});

test("sources may read another class than that of the entries", async () => {
  const { start, rest, values, ...at } = world();
  at.provider("gardendns");
  at.service("intern");
  const running = start(undefined, { sourceClasses: ["intern"], targetClass: "gardendns" });
  await rest();
  expect(values("web.example.org")).toEqual(["192.0.2.9"]);
  at.service("gardendns");
  await rest();
  expect([values("web.example.org"), at.entries()]).toEqual([[], []]);
  await running.stop();
});

test("two lists that contradict each other come to rest, and say so", async () => {
  const { start, rest, cluster, values, ...at } = world();
  at.provider("old");
  at.entry("192.0.2.1");
  const annotations = { [CLASS_ANNOTATION]: "old" };
  const metadata = { name: "shop", annotations };
  const spec = { ownerId: "shop" };
  cluster.apply(DNS_OWNER, { apiVersion: API, kind: "DNSOwner", metadata, spec });
  const one = start(undefined, BOTH);
  const two = start(undefined, { dnsClasses: ["old", "gardendns"], owner: "you" });
  await rest();
  const versions = () =>
    [DNS_ENTRY, DNS_PROVIDER, SECRET, DNS_OWNER].flatMap((kind) => {
      const list = cluster.list(kind);
      const all = list.state === "value" ? list.value : [];
      return all.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
    });
  const before = versions();
  await rest();
  expect(versions()).toEqual(before);
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  for (const entry of at.entries()) expect(entry["status"]).toMatchObject({ state: "Ready" });
  const contested = cluster.events.filter(({ note }) => note.reason === "ClassContested");
  expect(contested.map(({ object }) => object.split("/")[0])).toEqual(
    expect.arrayContaining(["dnsprovider", "dnsowner", "dnsentry"]),
  );
  await one.stop();
  await two.stop();
});
