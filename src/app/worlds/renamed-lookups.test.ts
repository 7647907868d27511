/** An object of host names that is renamed while none can be looked up keeps its former record. */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const HOSTS = ["a.lb.test", "b.lb.test"];
const BOTH = ["192.0.2.1", "192.0.2.2"];
const WAYS = ["entry", "direct"] as const;
const MOODS = ["fails", "hangs"] as const;

function world(way: (typeof WAYS)[number]) {
  const made = programWorld(way === "entry" ? { controllers: ["compound"] } : { publishing: way });
  const { cluster, clock, resolver } = made;
  HOSTS.forEach((host, index) => {
    resolver.set(host, BOTH[index] ?? "");
  });
  const name = (dnsName: string, hosts: readonly string[] = HOSTS) => {
    if (way === "entry") {
      const spec = { dnsName, targets: hosts, cnameLookupInterval: 60 };
      const entry = objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", "web", { spec });
      cluster.apply(DNS_ENTRY, entry);
      return;
    }
    const annotations = { "dns.gardener.cloud/dnsnames": dnsName };
    const fields = { metadata: { annotations }, spec: { type: "LoadBalancer" } };
    cluster.apply(SERVICE, objectOf("v1", "Service", "web", fields));
    const loadBalancer = { ingress: hosts.map((hostname) => ({ hostname })) };
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer });
  };
  return { ...made, name, rest: () => clock.advance(180_000) };
}

test.each(
  WAYS.flatMap((way) =>
    MOODS.flatMap((mood) => [true, false].map((restarts) => ({ way, mood, restarts }))),
  ),
)("$way, the resolver $mood, restart: $restarts", async ({ way, mood, restarts }) => {
  const { name, rest, start, values, resolver } = world(way);
  name("www.example.org");
  let running = start();
  await rest();
  expect(values("www.example.org")).toEqual(BOTH);
  resolver.mood = mood;
  if (restarts) {
    await running.stop();
    name("shop.example.org");
    running = start();
  } else {
    name("shop.example.org", ["c.lb.test", "d.lb.test"]);
  }
  await rest();
  expect(values("www.example.org")).toEqual(BOTH);
  expect(values("shop.example.org")).toEqual([]);
  resolver.mood = "answers";
  name("shop.example.org");
  await rest();
  expect(values("shop.example.org")).toEqual(BOTH);
  expect(values("www.example.org")).toEqual([]);
  await running.stop();
});
