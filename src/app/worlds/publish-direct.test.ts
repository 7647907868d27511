/** Services and Ingresses without DNSEntries (`--publish direct`), and both directions between. */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { STATUS_ANNOTATION } from "../../model/annotation-keys.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const names = "www.example.org,api.example.org";
const MARKER = "service/default/web";

type World = ReturnType<typeof programWorld>;

function service(world: World, annotations: object = {}, ip: string | null = "192.0.2.1"): void {
  const metadata = { annotations: { "dns.gardener.cloud/dnsnames": names, ...annotations } };
  const spec = { type: "LoadBalancer" };
  world.cluster.apply(SERVICE, objectOf("v1", "Service", "web", { metadata, spec }));
  const status = { loadBalancer: { ingress: ip === null ? [] : [{ ip }] } };
  world.cluster.setStatus(SERVICE, "default", "web", status);
}

const annotationOf = ({ cluster }: World): string | undefined =>
  cluster.now(SERVICE, "default", "web")?.metadata.annotations?.[STATUS_ANNOTATION];
const eventsOf = ({ cluster }: World): readonly string[] =>
  cluster.events
    .filter(({ object }) => object === MARKER)
    .map(({ note }) => `${note.type} ${note.message}`);

describe("--publish direct", () => {
  test("a Service is published without a DNSEntry, and its Event says so", async () => {
    const world = programWorld({ publishing: "direct" });
    const running = world.start();
    await world.clock.advance(1000);
    service(world);
    await world.clock.advance(10_000);
    expect(world.values("www.example.org")).toEqual(["192.0.2.1"]);
    expect(world.values("a-www.example.org").join()).toContain(`resource=${MARKER}`);
    expect(world.cluster.all(DNS_ENTRY)).toEqual([]);
    expect(annotationOf(world)).toBeUndefined();
    expect(eventsOf(world)).toEqual(["Normal published: api.example.org, www.example.org"]);
    world.cluster.delete(SERVICE, "default", "web");
    await world.clock.advance(10_000);
    expect(world.values("www.example.org")).toEqual([]);
    await running.stop();
  });

  test("without an address it waits; a change of the address is followed", async () => {
    const world = programWorld({ publishing: "direct" });
    const running = world.start();
    await world.clock.advance(1000);
    service(world, {}, null);
    await world.clock.advance(5000);
    expect(annotationOf(world)).toBe(
      "Pending: 0 of 2 names published; api.example.org: service/default/web has no address for this name now; www.example.org: service/default/web has no address for this name now",
    );
    service(world);
    await world.clock.advance(5000);
    service(world, {}, "192.0.2.2");
    await world.clock.advance(5000);
    expect(world.values("www.example.org")).toEqual(["192.0.2.2"]);
    service(world, {}, null);
    await world.clock.advance(5000);
    expect(world.values("www.example.org")).toEqual(["192.0.2.2"]);
    expect(annotationOf(world)).toMatch(/^Stale: 2 names published; api/);
    expect(eventsOf(world).filter((text) => text.startsWith("Warning"))).toEqual([]);
    await running.stop();
  });

  test("a name without a zone, and one of another owner: what is wrong is in both places", async () => {
    const zone = "www 300 A 192.0.2.9";
    const world = programWorld({ publishing: "direct", zone });
    const running = world.start();
    await world.clock.advance(1000);
    service(world, { "dns.gardener.cloud/dnsnames": "www.example.org,a.example.net" });
    await world.clock.advance(10_000);
    expect(annotationOf(world)).toMatch(
      /^Error: 0 of 1 name published; a\.example\.net: no DNSProvider.*; www\.example\.org: /,
    );
    expect([...eventsOf(world)].sort()).toEqual([
      expect.stringMatching(/^Warning a\.example\.net: no DNSProvider/),
      expect.stringMatching(/^Warning www\.example\.org: /),
    ]);
    await running.stop();
  });

  test("names that cannot be read keep their records, and the annotation says so", async () => {
    const world = programWorld({ publishing: "direct" });
    const running = world.start();
    await world.clock.advance(1000);
    service(world);
    await world.clock.advance(5000);
    service(world, { "dns.gardener.cloud/dnsnames": "www example org" });
    await world.clock.advance(60_000);
    expect(world.values("www.example.org")).toEqual(["192.0.2.1"]);
    expect(annotationOf(world)).toMatch(
      /^Error: metadata.*www example org.*; what was published before stays$/,
    );
    service(world, { "dns.gardener.cloud/dnsnames": "www example org,www.example.org" });
    await world.clock.advance(60_000);
    expect(world.values("api.example.org")).toEqual(["192.0.2.1"]);
    expect(annotationOf(world)).toMatch(
      /^Error: 1 name published; .*; what was published before stays$/,
    );
    service(world);
    await world.clock.advance(60_000);
    expect(annotationOf(world)).toBeUndefined();
    await running.stop();
  });

  test("a new object with a mistake does not speak of what it has published before", async () => {
    const world = programWorld({ publishing: "direct" });
    const running = world.start();
    await world.clock.advance(1000);
    service(world, { "dns.gardener.cloud/dnsnames": "www example org,www.example.org" });
    await world.clock.advance(60_000);
    expect(annotationOf(world)).toMatch(/^Error: 1 name published; metadata.*www example org/);
    expect(annotationOf(world)).not.toContain("stays");
    await running.stop();
  });

  test.each([
    ["dns.gardener.cloud/ip-stack", "ipv5"],
    ["zonekeeper.dev/release", "yes"],
  ])("%s: %s has no effect and is told; what is published is Ready", async (key, value) => {
    const world = programWorld({ publishing: "direct" });
    const running = world.start();
    await world.clock.advance(1000);
    service(world, { [key]: value });
    await world.clock.advance(60_000);
    expect(world.values("www.example.org")).toEqual(["192.0.2.1"]);
    expect(annotationOf(world)).toMatch(/^Ready: 2 names published; metadata\.annotations/);
    expect(annotationOf(world)).toContain(key);
    expect(eventsOf(world)[0]).toContain(`Warning metadata.annotations[${key}]: `);
    service(world, { [key]: value }, null);
    await world.clock.advance(60_000);
    expect(annotationOf(world)).toMatch(/^Stale: 2 names published; .*no address/);
    service(world);
    await world.clock.advance(60_000);
    expect(annotationOf(world)).toBeUndefined();
    await running.stop();
  });

  test("after a restart too it says that what was published stays", async () => {
    const world = programWorld({ publishing: "direct" });
    const before = world.start();
    await world.clock.advance(1000);
    service(world);
    await world.clock.advance(5000);
    await before.stop();
    service(world, { "dns.gardener.cloud/dnsnames": "www example org" });
    const running = world.start();
    await world.clock.advance(60_000);
    expect(world.values("www.example.org")).toEqual(["192.0.2.1"]);
    expect(annotationOf(world)).toMatch(/^Error: .*; what was published before stays$/);
    await running.stop();
  });

  test("where the annotation may not be written it is left out, and all else works", async () => {
    const world = programWorld({ publishing: "direct" });
    world.cluster.fail({ on: "patch", kind: SERVICE, code: "Forbidden", applied: false });
    const running = world.start();
    await world.clock.advance(1000);
    service(world);
    await world.clock.advance(60_000);
    expect(world.values("www.example.org")).toEqual(["192.0.2.1"]);
    expect(annotationOf(world)).toBeUndefined();
    await running.stop();
  });

  test("paused, a Service is left alone; ignored for good, its records stay without markers", async () => {
    const world = programWorld({ publishing: "direct" });
    const running = world.start();
    await world.clock.advance(1000);
    service(world);
    await world.clock.advance(5000);
    service(world, { "dns.gardener.cloud/ignore": "full" }, "192.0.2.2");
    await world.clock.advance(60_000);
    expect(world.values("www.example.org")).toEqual(["192.0.2.1"]);
    world.cluster.delete(SERVICE, "default", "web");
    await world.clock.advance(60_000);
    expect(world.values("www.example.org")).toEqual(["192.0.2.1"]);
    expect(world.values("a-www.example.org")).toEqual([]);
    await running.stop();
  });
});

describe("Z-16 names that a person takes off Services", () => {
  const hosts = ["a", "b", "c", "d", "e"];
  const web = ({ cluster }: World, host: string, listed: string): void => {
    const metadata = { annotations: { "dns.gardener.cloud/dnsnames": listed } };
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", host, { metadata, spec }));
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
    cluster.setStatus(SERVICE, "default", host, status);
  };
  const takeOff = (world: World, host: string) => web(world, host, `${host}2.example.org`);
  /** Five Services with two names each. */
  async function published() {
    const world = programWorld({ publishing: "direct" });
    for (const host of hosts) web(world, host, `${host}.example.org,${host}2.example.org`);
    const running = world.start();
    await world.clock.advance(30_000);
    const left = () => hosts.filter((host) => world.values(`${host}.example.org`).length > 0);
    expect(left()).toEqual(hosts);
    return { world, running, left };
  }

  test("one after the other: none is held", async () => {
    const { world, running, left } = await published();
    for (const host of hosts) {
      takeOff(world, host);
      await world.clock.advance(60_000);
    }
    expect(left()).toEqual([]);
    await running.stop();
  });

  test("while nobody watched: they are weak removals", async () => {
    const { world, running, left } = await published();
    await running.stop();
    for (const host of hosts) takeOff(world, host);
    const again = world.start();
    await world.clock.advance(60_000);
    expect(left()).toEqual(hosts);
    await again.stop();
  });

  test("and on again, and missing from a list afterwards: that is weak", async () => {
    const { world, running, left } = await published();
    const last = hosts.slice(1);
    for (const host of last) {
      takeOff(world, host);
      web(world, host, `${host}.example.org,${host}2.example.org`);
    }
    await world.clock.advance(60_000);
    world.cluster.breakWatch(SERVICE);
    for (const host of last) world.cluster.delete(SERVICE, "default", host);
    world.cluster.relist(SERVICE);
    await world.clock.advance(60_000);
    expect(left()).toEqual(hosts);
    await running.stop();
  });
});

describe("from one way to the other", () => {
  const flip = { entries: "direct", direct: "entries" } as const;

  test.each(["entries", "direct"] as const)(
    "from %s: the zone does not change, and entries go without their records",
    async (before) => {
      const world = programWorld({ publishing: before });
      const first = world.start();
      await world.clock.advance(1000);
      service(world);
      await world.clock.advance(10_000);
      const zone = world.zone();
      const serial = world.serial();
      expect(world.values("www.example.org")).toEqual(["192.0.2.1"]);
      await first.stop();
      const second = world.start(flip[before]);
      await world.clock.advance(600_000);
      expect(world.zone()).toEqual(zone);
      expect(world.serial()).toBe(serial);
      expect(world.cluster.all(DNS_ENTRY)).toHaveLength(before === "entries" ? 0 : 2);
      service(world, {}, "192.0.2.2");
      await world.clock.advance(10_000);
      expect(world.values("www.example.org")).toEqual(["192.0.2.2"]);
      world.cluster.delete(SERVICE, "default", "web");
      await world.clock.advance(60_000);
      expect(world.values("www.example.org")).toEqual([]);
      expect(world.cluster.all(DNS_ENTRY)).toEqual([]);
      await second.stop();
    },
  );
});
