/** Host names as targets of objects that are published directly: looked up as those of entries. */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENDPOINT } from "../../model/kinds.ts";

const NAMES = "dns.gardener.cloud/dnsnames";
const RESOLVE = "dns.gardener.cloud/resolve-targets-to-addresses";
const INTERVAL = "dns.gardener.cloud/cname-lookup-interval";
const BOTH = ["192.0.2.1", "192.0.2.2"];

function world() {
  const made = programWorld({ publishing: "direct" });
  const { cluster, clock, resolver } = made;
  resolver.set("a.lb.test", "192.0.2.1");
  resolver.set("b.lb.test", "192.0.2.2");
  const service = (hosts: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const annotations = { [NAMES]: "www.example.org", [INTERVAL]: "60", ...more };
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", "web", { metadata: { annotations }, spec }));
    const loadBalancer = { ingress: hosts.map((hostname) => ({ hostname })) };
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer });
  };
  const values = () => made.values("www.example.org");
  return { ...made, service, values, rest: () => clock.advance(180_000) };
}

test("several host names become their addresses, which follow their server", async () => {
  const { service, values, rest, start, resolver } = world();
  service(["a.lb.test", "b.lb.test"]);
  const running = start();
  await rest();
  expect(values()).toEqual(BOTH);
  resolver.set("a.lb.test", "192.0.2.9");
  await rest();
  expect(values()).toEqual(["192.0.2.2", "192.0.2.9"]);
  await running.stop();
});

test("one host name is an alias, and its addresses where the annotation asks for them", async () => {
  const { service, values, rest, start } = world();
  service(["a.lb.test"]);
  const running = start();
  await rest();
  expect(values()).toEqual(["a.lb.test"]);
  service(["a.lb.test"], { [RESOLVE]: "true" });
  await rest();
  expect(values()).toEqual(["192.0.2.1"]);
  await running.stop();
});

test("host names of an Ingress become their addresses, which follow their server", async () => {
  const { cluster, rest, start, values, resolver } = world();
  const annotations = { [NAMES]: "*", [INTERVAL]: "60", [RESOLVE]: "true" };
  const spec = { rules: [{ host: "www.example.org" }] };
  const ingress = objectOf("networking.k8s.io/v1", "Ingress", "web", {
    metadata: { annotations },
    spec,
  });
  cluster.apply(INGRESS, ingress);
  const balance = (...hosts: readonly string[]) =>
    cluster.setStatus(INGRESS, "default", "web", {
      loadBalancer: { ingress: hosts.map((hostname) => ({ hostname })) },
    });
  balance("a.lb.test");
  const running = start();
  await rest();
  expect(values()).toEqual(["192.0.2.1"]);
  balance("a.lb.test", "b.lb.test");
  await rest();
  expect(values()).toEqual(BOTH);
  resolver.mood = "fails";
  await rest();
  expect(values()).toEqual(BOTH);
  resolver.mood = "answers";
  resolver.set("a.lb.test", "192.0.2.9");
  await rest();
  expect(values()).toEqual(["192.0.2.2", "192.0.2.9"]);
  await running.stop();
});

test("targets of a DNSEndpoint are published as they are; what asks for look-ups there is told", async () => {
  const { cluster, clock, start, values } = programWorld({ controllers: ["compound", "crd"] });
  const annotations = { [INTERVAL]: "60", [RESOLVE]: "true", [NAMES]: "b.example.org" };
  const endpoints = [{ dnsName: "www.example.org", recordType: "CNAME", targets: ["a.lb.test"] }];
  const metadata = { annotations };
  cluster.apply(
    DNS_ENDPOINT,
    objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", "web", {
      metadata,
      spec: { endpoints },
    }),
  );
  const running = start();
  await clock.advance(60_000);
  expect(values("www.example.org")).toEqual(["a.lb.test"]);
  const messages = cluster.events.map(({ note }) => note.message).join("\n");
  for (const [key, why] of [
    [INTERVAL, "write a DNSEntry"],
    [RESOLVE, "write a DNSEntry"],
    [NAMES, "spec.endpoints"],
  ] as const)
    expect(messages).toMatch(
      new RegExp(`metadata.annotations\\[${key}\\]: has no effect on a DNSEndpoint: .*${why}`),
    );
  await running.stop();
});

test.each(["fails", "hangs"] as const)(
  "Z-31 a resolver that %s ends no record, also over a restart",
  async (mood) => {
    const { service, values, rest, start, resolver, zone } = world();
    service(["a.lb.test", "b.lb.test"]);
    const running = start();
    await rest();
    resolver.mood = mood;
    await rest();
    expect(values()).toEqual(BOTH);
    const before = zone();
    await running.stop();
    const next = start();
    await rest();
    expect(zone()).toBe(before);
    resolver.mood = "answers";
    resolver.set("a.lb.test", "192.0.2.9");
    await rest();
    expect(values()).toEqual(["192.0.2.2", "192.0.2.9"]);
    await next.stop();
  },
);
