/** The status of DNSAnnotations, in the whole program (ADR 0048). */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ANNOTATION, DNS_ENDPOINT, DNS_OWNER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const NAMES = "dns.gardener.cloud/dnsnames";
const TTL = "dns.gardener.cloud/ttl";

type Texts = Readonly<Record<string, string>>;

function world(publishing: "entries" | "direct" = "entries") {
  const made = programWorld({ publishing });
  const { cluster, clock } = made;
  const service = (name: string, annotations: Texts = {}) => {
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", name, { metadata: { annotations }, spec }));
    const loadBalancer = { ingress: [{ ip: "192.0.2.1" }] };
    cluster.setStatus(SERVICE, "default", name, { loadBalancer });
  };
  const annotate = (name: string, annotations: Texts, ref: object = {}) => {
    const resourceRef = { apiVersion: "v1", kind: "Service", name: "web", ...ref };
    const spec = { resourceRef, annotations };
    cluster.apply(DNS_ANNOTATION, objectOf(API, "DNSAnnotation", name, { spec }));
  };
  const statusOf = (name: string) =>
    fieldsOf(cluster.now(DNS_ANNOTATION, "default", name)?.["status"]);
  const eventsOf = (name: string) =>
    cluster.events
      .filter(({ object }) => object === `dnsannotation/default/${name}`)
      .map(({ note }) => `${note.type} ${note.reason}: ${note.message}`);
  const rest = () => clock.advance(60_000);
  return { ...made, service, annotate, statusOf, eventsOf, rest };
}

describe.each(["entries", "direct"] as const)("with --publish %s", (publishing) => {
  test("who counts is active; who loses a key sees to whom, in the status and in an Event", async () => {
    const { service, annotate, statusOf, eventsOf, rest, start, values, clock } = world(publishing);
    const running = start();
    annotate("old", { [NAMES]: "www.example.org", [TTL]: "60" });
    await rest();
    expect(statusOf("old")).toEqual({
      active: false,
      message:
        "spec.resourceRef.name: there is no Service default/web; create it, or correct the reference",
    });
    service("web", { [TTL]: "60" });
    await rest();
    expect(values("www.example.org")).toEqual(["192.0.2.1"]);
    expect(statusOf("old")).toEqual({ active: true });
    await clock.advance(10_000);
    annotate("young", { [NAMES]: "api.example.org", [TTL]: "90", "dns.gardener.cloud/class": "x" });
    annotate("late", { [TTL]: "90" });
    await rest();
    expect(values("api.example.org")).toEqual(["192.0.2.1"]);
    const ttl = `spec.annotations[${TTL}] has no effect: Service default/web sets it; remove it there or here`;
    const message = `${ttl}; spec.annotations[dns.gardener.cloud/class] has no effect: write it on the object itself`;
    expect(statusOf("young")).toEqual({ active: true, message });
    expect(statusOf("late")).toEqual({ active: false, message: ttl });
    expect(eventsOf("young")).toEqual([`Warning AnnotationIgnored: ${message}`]);
    expect(eventsOf("old")).toEqual([]);
    await running.stop();
  });

  test("the oldest DNSAnnotation has a key; when it goes, the next one does, and both say so", async () => {
    const { service, annotate, statusOf, rest, start, cluster, clock } = world(publishing);
    const running = start();
    service("web");
    annotate("z-old", { [NAMES]: "www.example.org", [TTL]: "60" });
    await clock.advance(10_000);
    annotate("a-young", { [TTL]: "90" });
    await rest();
    expect(statusOf("a-young")).toMatchObject({
      active: false,
      message: expect.stringContaining("the older DNSAnnotation default/z-old sets it"),
    });
    cluster.delete(DNS_ANNOTATION, "default", "z-old");
    await rest();
    expect(statusOf("a-young")).toEqual({ active: true });
    await running.stop();
  });
});

describe("DNSAnnotations of DNSEndpoints", () => {
  const OWNER = "dns.gardener.cloud/owner-id";
  const POLICY = "dns.gardener.cloud/routing-policy";

  function endpoints() {
    const made = programWorld({ controllers: ["compound", "crd"] });
    const { cluster } = made;
    const endpoint = (address: string, annotations: Texts = {}) => {
      const one = { dnsName: "www.example.org", recordType: "A", targets: [address] };
      const metadata = { annotations };
      const object = { metadata, spec: { endpoints: [one] } };
      cluster.apply(
        DNS_ENDPOINT,
        objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", "web", object),
      );
    };
    const annotate = (annotations: Texts) => {
      const resourceRef = { apiVersion: "externaldns.k8s.io/v1alpha1", kind: "DNSEndpoint" };
      const spec = { resourceRef: { ...resourceRef, name: "web" }, annotations };
      cluster.apply(DNS_ANNOTATION, objectOf(API, "DNSAnnotation", "one", { spec }));
    };
    const status = () => fieldsOf(cluster.now(DNS_ANNOTATION, "default", "one")?.["status"]);
    return { ...made, endpoint, annotate, status, rest: () => made.clock.advance(60_000) };
  }

  test("the owner id counts, in either order; it goes with the DNSAnnotation", async () => {
    const { endpoint, annotate, status, rest, start, cluster, values, zone } = endpoints();
    const running = start();
    cluster.apply(DNS_OWNER, {
      ...objectOf(API, "DNSOwner", "shop", { spec: { ownerId: "shop" } }),
      metadata: { name: "shop" },
    });
    annotate({ [OWNER]: "shop" });
    await rest();
    expect(status()).toMatchObject({ active: false });
    endpoint("192.0.2.1");
    await rest();
    expect(values("www.example.org")).toEqual(["192.0.2.1"]);
    expect(zone()).toContain("external-dns/owner=shop");
    expect(status()).toEqual({ active: true });
    await running.stop();
  });

  test("what has no effect on it is said with what to write instead, and the rest counts", async () => {
    const { endpoint, annotate, status, rest, start } = endpoints();
    const running = start();
    endpoint("192.0.2.1", { [POLICY]: "" });
    annotate({ [NAMES]: "b.example.org", [TTL]: "60" });
    await rest();
    const message = `spec.annotations[${NAMES}] has no effect: names go in spec.endpoints; spec.annotations[${TTL}] has no effect: seconds go in recordTTL of spec.endpoints`;
    expect(status()).toEqual({ active: false, message });
    annotate({ [NAMES]: "b.example.org", [OWNER]: "me" });
    await rest();
    expect(status()).toMatchObject({ active: true });
    await running.stop();
  });

  test("while DNSAnnotations cannot be listed nothing of a DNSEndpoint goes", async () => {
    const { endpoint, rest, start, cluster, values } = endpoints();
    const kept = { dnsName: "kept.example.org", recordType: "A", targets: ["192.0.2.2"] };
    const put = (name: string, ...list: readonly object[]) => {
      const spec = { endpoints: list };
      cluster.apply(
        DNS_ENDPOINT,
        objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", name, { spec }),
      );
    };
    put("kept", kept);
    endpoint("192.0.2.1");
    const running = start();
    await rest();
    cluster.setKindState(DNS_ANNOTATION, "forbidden");
    await rest();
    put("web");
    await rest();
    expect(values("www.example.org")).toEqual(["192.0.2.1"]);
    cluster.relist(DNS_ANNOTATION);
    await rest();
    expect(values("www.example.org")).toEqual([]);
    await running.stop();
  });
});

test.each(["entries", "direct"] as const)(
  "Z-5 with --publish %s: a typo in the reference of a live DNSAnnotation removes nothing, a restart neither",
  async (publishing) => {
    const { service, annotate, statusOf, rest, start, values, cluster } = world(publishing);
    const running = start();
    service("web");
    annotate("one", { [NAMES]: "www.example.org" });
    await rest();
    expect(values("www.example.org")).toEqual(["192.0.2.1"]);
    annotate("one", { [NAMES]: "www.example.org" }, { kind: "Servce" });
    await rest();
    const message = expect.stringMatching(/"Servce" of "v1" is no kind.*published before stays/);
    expect(statusOf("one")).toEqual({ active: false, message });
    await running.stop();
    const again = start();
    await rest();
    expect(values("www.example.org")).toEqual(["192.0.2.1"]);
    const warned = cluster.events.filter(({ note }) =>
      /DNSAnnotation default\/one .*may mean this object/.test(note.message),
    );
    expect(new Set(warned.map(({ object }) => object))).toEqual(new Set(["service/default/web"]));
    annotate("one", { [NAMES]: "www.example.org" });
    await rest();
    expect(statusOf("one")).toEqual({ active: true });
    expect(values("www.example.org")).toEqual(["192.0.2.1"]);
    await again.stop();
  },
);

test("two lines of one status are written once: no write without a change", async () => {
  const { service, annotate, rest, start, cluster } = world();
  service("web", { [TTL]: "60" });
  annotate("one", { [NAMES]: "www.example.org", [TTL]: "90" });
  const running = start();
  await rest();
  const before = cluster.writes.length;
  service("web", { [TTL]: "60", "other.example/key": "1" });
  await rest();
  await running.stop();
  const again = start();
  await rest();
  await again.stop();
  expect(cluster.writes.slice(before).filter((line) => line.includes("dnsannotations"))).toEqual(
    [],
  );
});

test.each([
  [
    "an unknown kind",
    { apiVersion: "apps/v1", kind: "Deployment" },
    'spec.resourceRef: "Deployment" of "apps/v1" is no kind that is annotated; write Service of v1 or Ingress of networking.k8s.io/v1 or DNSEntry of dns.gardener.cloud/v1alpha1 or DNSEndpoint of externaldns.k8s.io/v1alpha1',
  ],
  [
    "an object of another namespace",
    { namespace: "stranger" },
    "spec.resourceRef.namespace: objects of the namespace stranger are annotated only there; create the DNSAnnotation in stranger, or refer to an object of default",
  ],
  ["a kind of another group", { apiVersion: "x.example/v1" }, 'spec.resourceRef: "Service" of "x.'],
])("a reference to %s says field and remedy", async (_, ref, message) => {
  const { service, annotate, statusOf, eventsOf, rest, start } = world();
  const running = start();
  service("web");
  annotate("one", { [NAMES]: "www.example.org" }, ref);
  await rest();
  expect(statusOf("one")).toEqual({ active: false, message: expect.stringContaining(message) });
  expect(eventsOf("one")).toEqual([expect.stringContaining(message)]);
  await running.stop();
});

test("an object of another class is somebody else's, and so is an unserved kind", async () => {
  const { service, annotate, statusOf, rest, start } = world();
  const running = start();
  service("web", { "dns.gardener.cloud/class": "other" });
  annotate("one", { [NAMES]: "www.example.org" });
  await rest();
  expect(statusOf("one")).toEqual({});
  await running.stop();
});

test("one that is for this class, at an object of another, is told; what that one's process says stays", async () => {
  const { service, annotate, statusOf, eventsOf, rest, start, cluster, values } = world();
  const running = start();
  const names = { [NAMES]: "www.example.org", "dns.gardener.cloud/class": "gardendns" };
  service("web", { "dns.gardener.cloud/class": "other" });
  annotate("one", names);
  await rest();
  const message =
    "spec.resourceRef: this is for class gardendns, and the class of Service default/web is other: write dns.gardener.cloud/class: gardendns on the object itself, or, where nobody else reads class other, start Zonekeeper with --source-dns-class gardendns,other";
  expect(statusOf("one")).toEqual({ active: false, message });
  expect(eventsOf("one")).toEqual([`Warning AnnotationIgnored: ${message}`]);
  service("web", { "dns.gardener.cloud/class": "third" });
  await rest();
  // Our own text is recognised, and follows the object.
  const text = message.replaceAll("other", "third");
  expect(statusOf("one")).toEqual({ active: false, message: text });
  cluster.setStatus(DNS_ANNOTATION, "default", "one", { active: true });
  annotate("one", { ...names, [TTL]: "60" });
  await rest();
  expect(statusOf("one")).toEqual({ active: true });
  expect(values("www.example.org")).toEqual([]);
  service("web", { "dns.gardener.cloud/class": "gardendns" });
  await rest();
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  await running.stop();
});

test("while its kind cannot be read nothing is said, and nothing is published anew", async () => {
  const { service, annotate, statusOf, rest, start, cluster, values } = world();
  cluster.setKindState(INGRESS, "forbidden");
  service("web");
  annotate(
    "one",
    { [NAMES]: "www.example.org" },
    { apiVersion: "networking.k8s.io/v1", kind: "Ingress" },
  );
  const running = start();
  await rest();
  expect(statusOf("one")).toEqual({});
  expect(values("www.example.org")).toEqual([]);
  await running.stop();
});

test("without the right to write it the status is left out, and records are published", async () => {
  const { service, annotate, statusOf, rest, start, cluster, values } = world();
  cluster.fail({ on: "patchStatus", kind: DNS_ANNOTATION, code: "Forbidden", applied: false });
  service("web");
  annotate("one", { [NAMES]: "www.example.org" });
  const running = start();
  await rest();
  expect(statusOf("one")).toEqual({});
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  await running.stop();
});
