import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const RECONCILE = { "gardener.cloud/operation": "reconcile", "example.org/note": "mine" };

async function started(): Promise<SpineWorld> {
  const world = new SpineWorld();
  world.provider();
  world.resolver.set("a.lb.test", "192.0.2.1");
  world.resolver.set("b.lb.test", "192.0.2.2");
  world.entry("web", { dnsName: "www.example.org", targets: ["a.lb.test", "b.lb.test"] });
  world.start();
  await world.pass(10_000);
  return world;
}

const annotationsOf = (world: SpineWorld, kind: KindRef, name: string) =>
  world.cluster.now(kind, "default", name)?.metadata.annotations;

test("on a DNSEntry its hosts are looked up at once, once, and the annotation goes", async () => {
  const world = await started();
  world.resolver.set("a.lb.test", "192.0.2.9");
  world.annotate(DNS_ENTRY, "web", RECONCILE);
  await world.pass(5_000);
  expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.2 192.0.2.9"]);
  expect(annotationsOf(world, DNS_ENTRY, "web")).toEqual({ "example.org/note": "mine" });
  const asked = world.resolver.asked.length;
  await world.pass(60_000);
  expect(world.resolver.asked).toHaveLength(asked);
});

test("on a DNSProvider its zones are listed at once", async () => {
  const world = await started();
  world.account.addZone({ name: trustedDnsName("example.net") });
  await world.pass(5_000);
  const zones = (): string =>
    JSON.stringify(world.cluster.now(DNS_PROVIDER, "default", "p")?.["status"]);
  expect(zones()).not.toContain("example.net");
  world.annotate(DNS_PROVIDER, "p", RECONCILE);
  await world.pass(5_000);
  expect(zones()).toContain("example.net");
  expect(annotationsOf(world, DNS_PROVIDER, "p")).toEqual({ "example.org/note": "mine" });
});

test("another operation, and an entry of another class, are left alone", async () => {
  const world = await started();
  world.annotate(DNS_ENTRY, "web", { "gardener.cloud/operation": "rotate" });
  await world.pass(5_000);
  expect(annotationsOf(world, DNS_ENTRY, "web")).toEqual({ "gardener.cloud/operation": "rotate" });
  const other = { ...RECONCILE, "dns.gardener.cloud/class": "other" };
  world.annotate(DNS_ENTRY, "web", other);
  await world.pass(5_000);
  expect(annotationsOf(world, DNS_ENTRY, "web")).toEqual(other);
});
