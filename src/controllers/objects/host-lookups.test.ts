import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const INTERVAL_MS = 600_000;
const TWO = { dnsName: "www.example.org", targets: ["a.lb.test", "b.lb.test"] };

async function started(spec: object = TWO): Promise<SpineWorld> {
  const world = new SpineWorld();
  world.provider();
  world.resolver.set("a.lb.test", "192.0.2.1");
  world.resolver.set("b.lb.test", "192.0.2.2", "2001:db8::2");
  world.entry("web", spec);
  world.start();
  await world.pass(60_000);
  return world;
}

const BOTH = ["www.example.org 300 A 192.0.2.1 192.0.2.2", "www.example.org 300 AAAA 2001:db8::2"];

test("two host names in, their addresses out; one changes, and the zone follows", async () => {
  const world = await started();
  expect(world.zone()).toEqual(BOTH);
  expect(world.entries()["web"]).toBe("Ready: dns entry active");
  world.resolver.set("a.lb.test", "192.0.2.9");
  await world.pass(INTERVAL_MS);
  expect(world.zone()).toContain("www.example.org 300 A 192.0.2.2 192.0.2.9");
});

test("one host name stays an alias, unless its addresses are asked for", async () => {
  const world = await started({ dnsName: "www.example.org", targets: ["a.lb.test"] });
  expect(world.zone()).toEqual(["www.example.org 300 CNAME a.lb.test"]);
  expect(world.resolver.asked).toEqual([]);
  const spec = { dnsName: "www.example.org", targets: ["a.lb.test"] };
  world.entry("web", { ...spec, resolveTargetsToAddresses: true });
  await world.pass(60_000);
  expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.1"]);
  const interval = () => fieldsOf(world.cluster.now(DNS_ENTRY, "default", "web")?.["status"]);
  expect(interval()).toMatchObject({ cnameLookupInterval: 600 });
  world.entry("web", spec);
  await world.pass(60_000);
  expect(interval()).not.toHaveProperty("cnameLookupInterval");
});

test.each(["fails", "hangs"] as const)(
  "Z-31 a resolver that %s ends no record, also over a restart",
  async (mood) => {
    const world = await started();
    world.resolver.mood = mood;
    await world.pass(2 * INTERVAL_MS);
    expect(world.zone()).toEqual(BOTH);
    expect(world.entries()["web"]).toMatch(/^Ready: .*a\.lb\.test cannot be looked up: .*stay/);
    await world.stop();
    world.start();
    await world.pass(2 * INTERVAL_MS);
    expect(world.zone()).toEqual(BOTH);
    world.resolver.mood = "answers";
    world.resolver.set("a.lb.test", "192.0.2.9");
    await world.pass(INTERVAL_MS);
    expect(world.zone()).toContain("www.example.org 300 A 192.0.2.2 192.0.2.9");
    expect(world.entries()["web"]).toBe("Ready: dns entry active");
  },
);

test("Z-31 a host that lost all its addresses, or hides behind loopback, keeps the last ones", async () => {
  const world = await started();
  world.resolver.set("a.lb.test");
  world.resolver.set("b.lb.test", "0.0.0.0", "::");
  await world.pass(INTERVAL_MS);
  expect(world.zone()).toEqual(BOTH);
  expect(world.entries()["web"]).toContain("a.lb.test cannot be looked up: it has no address");
});

test("Z-31 a kind of address that no host has any more goes with an edit of the hosts only", async () => {
  const world = await started();
  world.resolver.set("b.lb.test", "192.0.2.2");
  await world.pass(INTERVAL_MS);
  expect(world.zone()).toEqual(BOTH);
  expect(world.entries()["web"]).toContain("no host has an AAAA address any more");
  world.resolver.set("c.lb.test", "192.0.2.3");
  world.entry("web", { ...TWO, targets: [...TWO.targets, "c.lb.test"] });
  await world.pass(60_000);
  expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.1 192.0.2.2 192.0.2.3"]);
});

test("Z-31 while one host has never answered, what the zone has stays beside the answers", async () => {
  const world = await started();
  await world.stop();
  world.resolver.set("a.lb.test");
  world.resolver.set("b.lb.test", "192.0.2.7");
  world.start();
  await world.pass(60_000);
  expect(world.zone()).toEqual([
    "www.example.org 300 A 192.0.2.1 192.0.2.2 192.0.2.7",
    "www.example.org 300 AAAA 2001:db8::2",
  ]);
});

test("Z-31 an entry whose new hosts have no address is Stale, and keeps what it had", async () => {
  const world = await started({ dnsName: "www.example.org", targets: ["192.0.2.8"] });
  world.entry("web", { dnsName: "www.example.org", targets: ["x.lb.test", "y.lb.test"] });
  await world.pass(60_000);
  expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.8"]);
  expect(world.entries()["web"]).toMatch(/^Stale: .*x\.lb\.test cannot be looked up/);
});

test("an entry none of whose hosts has an address is held, and says which", async () => {
  const world = await started({ dnsName: "www.example.org", targets: ["x.lb.test", "y.lb.test"] });
  expect(world.zone()).toEqual([]);
  expect(world.entries()["web"]).toMatch(/^Error: .*x\.lb\.test cannot be looked up/);
  world.resolver.set("x.lb.test", "192.0.2.5");
  await world.pass(INTERVAL_MS);
  expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.5"]);
});

test("hosts that nobody lists any more are asked no longer; one host is asked once for many", async () => {
  const world = await started();
  world.entry("other", { ...TWO, dnsName: "other.example.org", cnameLookupInterval: 60 });
  await world.pass(1_000);
  expect(world.resolver.asked).toHaveLength(2);
  world.entry("web", { dnsName: "www.example.org", targets: ["192.0.2.1"] });
  world.entry("other", { dnsName: "other.example.org", targets: ["192.0.2.1"] });
  await world.pass(1_000);
  const before = world.resolver.asked.length;
  await world.pass(2 * INTERVAL_MS);
  expect(world.resolver.asked).toHaveLength(before);
});

test("26 host names are refused with a remedy, and what is published stays", async () => {
  const world = await started();
  const targets = Array.from({ length: 26 }, (_, index) => `h${index}.lb.test`);
  world.entry("web", { ...TWO, targets });
  await world.pass(60_000);
  expect(world.zone()).toEqual(BOTH);
  expect(world.entries()["web"]).toBe(
    "Stale: spec.targets: 26 host names are targets, and at most 25 are looked up for one name; list fewer, or addresses",
  );
});

test("a Service of two host names has a DNSEntry that is looked up", async () => {
  const world = await started();
  world.service("lb", "svc.example.org", null);
  const ingress = [{ hostname: "a.lb.test" }, { hostname: "b.lb.test" }];
  world.sources.setStatus(SERVICE, "default", "lb", { loadBalancer: { ingress } });
  await world.pass(60_000);
  expect(world.zone()).toContain("svc.example.org 300 A 192.0.2.1 192.0.2.2");
});
