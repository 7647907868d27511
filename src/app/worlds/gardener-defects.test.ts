/**
 * Defects of Gardener's program that we do not have, in the whole program: the numbers are those of
 * docs/reference/gardener-defects.md.
 */
import { SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";

function world() {
  const made = programWorld();
  const { cluster, clock } = made;
  const entry = (name: string, spec: object) =>
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { spec }));
  const stateOf = (name: string) =>
    fieldsOf(cluster.now(DNS_ENTRY, "default", name)?.["status"])["state"];
  return { ...made, entry, stateOf, rest: () => clock.advance(60_000) };
}

test("1: a reference where neither entry has TTL, owner id or interval ends, and is published", async () => {
  const { entry, stateOf, rest, start, values } = world();
  entry("target", { dnsName: "target.example.org", targets: ["192.0.2.1"] });
  entry("one", { dnsName: "one.example.org", reference: { name: "target" } });
  const running = start();
  await rest();
  expect(values("one.example.org")).toEqual(["192.0.2.1"]);
  expect(stateOf("one")).toBe("Ready");
  await running.stop();
});

test("4: of two entries of one name the older one has it; the younger one goes without the record", async () => {
  const { entry, stateOf, rest, start, values, clock, cluster } = world();
  entry("older", { dnsName: "www.example.org", targets: ["192.0.2.1"] });
  await clock.advance(10_000);
  entry("younger", { dnsName: "www.example.org", targets: ["192.0.2.2"] });
  const running = start();
  await rest();
  expect([values("www.example.org"), stateOf("older"), stateOf("younger")]).toEqual([
    ["192.0.2.1"],
    "Ready",
    "Error",
  ]);
  cluster.delete(DNS_ENTRY, "default", "younger");
  await rest();
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  await running.stop();
});

test("6: a Secret that a DNSProvider of another class no longer names loses the finalizer of that class", async () => {
  const { rest, start, cluster } = world();
  const dnsClasses = ["other"] as const;
  const metadata = { annotations: { "dns.gardener.cloud/class": "other" } };
  const provider = (secret: string) => {
    const spec = { type: "memory", secretRef: { name: secret } };
    cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p", { metadata, spec }));
  };
  provider("s");
  cluster.apply(SECRET, objectOf("v1", "Secret", "t", {}));
  const running = start(undefined, { dnsClasses });
  await rest();
  const finalizers = (name: string) =>
    cluster.now(SECRET, "default", name)?.metadata.finalizers ?? [];
  expect([finalizers("s"), finalizers("t")]).toEqual([["other.dns.gardener.cloud/compound"], []]);
  provider("t");
  await rest();
  expect([finalizers("s"), finalizers("t")]).toEqual([[], ["other.dns.gardener.cloud/compound"]]);
  await running.stop();
});

test("8: the annotation cname-lookup-interval counts from the creation of the entry on", async () => {
  const { rest, start, cluster } = world();
  const annotations = {
    "dns.gardener.cloud/dnsnames": "www.example.org",
    "dns.gardener.cloud/cname-lookup-interval": "90",
  };
  const spec = { type: "LoadBalancer" };
  cluster.apply(SERVICE, objectOf("v1", "Service", "web", { metadata: { annotations }, spec }));
  const ingress = [{ hostname: "a.lb.test" }, { hostname: "b.lb.test" }];
  cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress } });
  const running = start();
  await rest();
  const entries = cluster.all(DNS_ENTRY).map((one) => [one.metadata.generation, one["spec"]]);
  expect(entries).toEqual([[1, expect.objectContaining({ cnameLookupInterval: 90 })]]);
  await running.stop();
});

test("12: domains of a DNSProvider that change are taken up, in both directions", async () => {
  const { entry, stateOf, rest, start, cluster } = world();
  const include = (...domains: readonly string[]) => {
    const spec = { type: "memory", secretRef: { name: "s" }, domains: { include: domains } };
    cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p", { spec }));
  };
  const served = () =>
    fieldsOf(fieldsOf(cluster.now(DNS_PROVIDER, "default", "p")?.["status"])["domains"])[
      "included"
    ];
  entry("a", { dnsName: "www.a.example.org", targets: ["192.0.2.1"] });
  include("b.example.org");
  const running = start();
  await rest();
  expect([served(), stateOf("a")]).toEqual([["b.example.org"], "Error"]);
  include("a.example.org", "b.example.org");
  await rest();
  expect([served(), stateOf("a")]).toEqual([["a.example.org", "b.example.org"], "Ready"]);
  include("b.example.org");
  await rest();
  expect([served(), stateOf("a")]).toEqual([["b.example.org"], "Stale"]);
  await running.stop();
});
