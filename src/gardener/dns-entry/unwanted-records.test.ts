import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { MapState, memoryFuse } from "../../../test/support/values/fuse.ts";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { FUSE_LIMITS } from "../../model/fuse-limits.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const OLD = "www.example.org 300 A 192.0.2.1";
const NEW = "www.example.com 300 A 192.0.2.1";

/** Every removal from the first zone trips. */
function limitsOf(zone: string) {
  const limits = { ...FUSE_LIMITS, strong: 0, strongShare: 0, namespaceShare: 0, free: 0 };
  return zone === "example.org" ? { limits } : {};
}

/**
 * An entry that has moved from the zone where it was the last name; the fuse keeps what it left
 * there.
 */
async function moved(): Promise<SpineWorld> {
  const state = new MapState();
  const world: SpineWorld = new SpineWorld(["example.org", "example.com"], {
    openGuard: ({ zone }) =>
      memoryFuse({
        key: zone.name,
        zone: zone.name,
        state,
        clock: world.clock,
        ...limitsOf(zone.name),
      }),
  });
  world.start();
  world.provider();
  await world.pass();
  world.entry("web", { dnsName: "www.example.org", targets: ["192.0.2.1"] });
  await world.pass();
  world.entry("web", { dnsName: "www.example.com", targets: ["192.0.2.1"] });
  await world.pass();
  expect([world.zone(), world.zone("example.com")]).toEqual([[OLD], [NEW]]);
  return world;
}

const HELD =
  /^Stale: dns entry active; its former record www.example.org is held: .*approve [0-9a-f]+/;

test("Z-16: an entry whose old record is held by the fuse is not Ready until it is gone", async () => {
  const world = await moved();
  expect(world.entries()["web"]).toMatch(HELD);
  expect(await world.explain("www.example.org")).toMatchObject([
    { verdict: "open", claims: [], heldSets: [{ kind: "removals", changes: 1 }] },
  ]);
  const hash = /approve ([0-9a-f]+)/.exec(world.entries()["web"] ?? "")?.[1] ?? "";
  expect(await world.approve(hash)).toBe(1);
  await world.pass();
  expect(world.zone()).toEqual([]);
  expect(world.entries()["web"]).toBe("Ready: dns entry active");
});

test("after a restart the entry says so again", async () => {
  const world = await moved();
  await world.stop();
  world.start();
  await world.pass(5_000);
  expect(world.zone()).toEqual([OLD]);
  expect(world.entries()["web"]).toMatch(HELD);
});

test("an entry that takes its old name back has no unwanted records", async () => {
  const world = await moved();
  world.entry("back", { dnsName: "www.example.org", targets: ["192.0.2.1"] });
  await world.pass();
  expect(world.entries()).toEqual({
    back: "Ready: dns entry active",
    web: "Ready: dns entry active",
  });
});

test("a moved entry can be deleted; what the fuse holds of it goes when it is approved", async () => {
  const world = await moved();
  world.cluster.delete(DNS_ENTRY, "default", "web");
  await world.pass();
  expect([world.zone("example.com"), world.entries()]).toEqual([[], {}]);
  const [set] = world.zones().flatMap(({ heldSets }) => heldSets);
  expect(await world.approve(set?.hash ?? "")).toBe(1);
  await world.pass();
  expect(world.zone()).toEqual([]);
});

test("ADR 0021: a Service that lives on without one address family keeps the name, not that record", async () => {
  const world = new SpineWorld();
  world.start();
  world.provider();
  await world.pass();
  world.service("web", "www.example.org", "192.0.2.1");
  const ingress = [{ ip: "192.0.2.1" }, { ip: "2001:db8::1" }];
  world.cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress } });
  await world.pass();
  expect(world.zone()).toEqual([OLD, "www.example.org 300 AAAA 2001:db8::1"]);
  const [first] = ingress;
  world.cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress: [first] } });
  await world.pass();
  expect(world.zone()).toEqual([OLD]);
  expect(world.markers()).toHaveLength(1);
  expect(Object.values(world.entries())).toEqual(["Ready: dns entry active"]);
});

test("Z-19: an entry goes while its record stays for another object that has no address; its Service can have the name again", async () => {
  const world = new SpineWorld();
  world.start();
  world.provider();
  await world.pass();
  world.service("web", "www.example.org", "192.0.2.1");
  await world.pass();
  world.service("other", "www.example.org", "192.0.2.2");
  await world.pass();
  world.cluster.setStatus(SERVICE, "default", "other", { loadBalancer: {} });
  await world.pass();
  expect(world.zone()).toEqual([OLD]);
  const present = Object.keys(world.entries()).length;
  world.service("web", "b.example.org", "192.0.2.1");
  await world.pass(10_000);
  // Z-4: it stays for the other one, and the entry that was made for it has gone.
  expect(world.zone()).toEqual(["b.example.org 300 A 192.0.2.1", OLD]);
  expect(Object.keys(world.entries())).toHaveLength(present);
  world.service("web", "www.example.org", "192.0.2.7");
  await world.pass(10_000);
  expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.7"]);
});
