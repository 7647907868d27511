import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const PAUSE = { "zonekeeper.dev/paused": "true" };
const WWW = "www.example.org";

async function started(): Promise<SpineWorld> {
  const world = new SpineWorld();
  world.start();
  world.provider();
  await world.pass();
  return world;
}

describe("a paused DNSEntry", () => {
  async function published(): Promise<SpineWorld> {
    const world = await started();
    world.entry("web", { dnsName: WWW, targets: ["192.0.2.1"] });
    world.entry("other", { dnsName: "other.example.org", targets: ["192.0.2.7"] });
    await world.pass();
    world.annotate(DNS_ENTRY, "web", PAUSE);
    await world.pass();
    expect(world.entries()["web"]).toBe("Ready: dns entry active; paused by zonekeeper.dev/paused");
    return world;
  }
  const OTHER = "other.example.org 300 A 192.0.2.7";
  const OLD = `${WWW} 300 A 192.0.2.1`;

  test.each<[string, object, string]>([
    ["another address", { dnsName: WWW, targets: ["192.0.2.2"] }, `${WWW} 300 A 192.0.2.2`],
    [
      "another type",
      { dnsName: WWW, targets: ["lb.example.com"] },
      `${WWW} 300 CNAME lb.example.com`,
    ],
    [
      "another name",
      { dnsName: "new.example.org", targets: ["192.0.2.1"] },
      "new.example.org 300 A 192.0.2.1",
    ],
  ])("%s waits until it goes on", async (_, spec, after) => {
    const world = await published();
    world.entry("web", spec);
    await world.pass(120_000);
    expect(world.zone()).toEqual([OTHER, OLD].sort());
    expect(world.entries()["web"]).toMatch(/paused/);
    world.annotate(DNS_ENTRY, "web", {});
    await world.pass(5_000);
    expect(world.zone()).toEqual([OTHER, after].sort());
    expect(world.entries()["web"]).toBe("Ready: dns entry active");
  });

  test("emptied, it keeps its record, and unpaused, too", async () => {
    const world = await published();
    world.entry("web", { dnsName: WWW });
    await world.pass(60_000);
    expect(world.zone()).toContain(OLD);
    world.annotate(DNS_ENTRY, "web", {});
    await world.pass(5_000);
    expect(world.zone()).toContain(OLD);
  });

  test("deleted, its record stays and the entry says why; over a restart too", async () => {
    const world = await published();
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass(60_000);
    await world.stop();
    world.start();
    await world.pass(60_000);
    expect(world.zone()).toContain(OLD);
    expect(world.entries()["web"]).toMatch(
      /^Deleting: .*dnsentry\/default\/web is paused by the annotation/,
    );
    world.annotate(DNS_ENTRY, "web", {});
    await world.pass(5_000);
    expect(world.zone()).toEqual([OTHER]);
    expect(world.entries()["web"]).toBeUndefined();
  });

  test("a name that it does not get is not paused", async () => {
    const world = await published();
    world.entry("late", { dnsName: "other.example.org", targets: ["192.0.2.66"] });
    world.annotate(DNS_ENTRY, "late", PAUSE);
    await world.pass();
    world.entry("other", { dnsName: "other.example.org", targets: ["192.0.2.8"] });
    await world.pass();
    expect(world.zone()).toContain("other.example.org 300 A 192.0.2.8");
  });

  test("nobody else gets the name of a paused entry", async () => {
    const world = await published();
    world.entry("web", { dnsName: "new.example.org", targets: ["192.0.2.1"] });
    world.entry("thief", { dnsName: WWW, targets: ["192.0.2.66"] });
    await world.pass(60_000);
    expect(world.zone()).toContain(OLD);
    expect(world.entries()["thief"]).toMatch(/^(?:Pending|Stale|Error): .*paused/);
  });

  test("new, it waits as Pending", async () => {
    const world = await started();
    world.entry("web", { dnsName: WWW, targets: ["192.0.2.1"] });
    world.annotate(DNS_ENTRY, "web", PAUSE);
    await world.pass(5_000);
    expect(world.zone()).toEqual([]);
    expect(world.entries()["web"]).toMatch(/^Pending: .*paused by the annotation/);
    world.annotate(DNS_ENTRY, "web", { "zonekeeper.dev/paused": "false" });
    await world.pass(5_000);
    expect(world.zone()).toEqual([OLD]);
  });
});

describe("a paused Service", () => {
  const NAMES = { "dns.gardener.cloud/dnsnames": "a.example.org,b.example.org" };
  async function published(): Promise<SpineWorld> {
    const world = await started();
    world.service("web", "a.example.org,b.example.org", "192.0.2.1");
    await world.pass(5_000);
    world.annotate(SERVICE, "web", { ...NAMES, ...PAUSE });
    await world.pass(5_000);
    return world;
  }
  const A = "a.example.org 300 A 192.0.2.1";
  const B = "b.example.org 300 A 192.0.2.1";

  test("its names stay: with another address, off the list, and new ones wait", async () => {
    const world = await published();
    const ingress = [{ ip: "192.0.2.2" }];
    world.cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress } });
    world.annotate(SERVICE, "web", {
      "dns.gardener.cloud/dnsnames": "a.example.org,c.example.org",
      ...PAUSE,
    });
    await world.pass(60_000);
    expect(world.zone()).toEqual([A, B]);
    world.annotate(SERVICE, "web", {
      "dns.gardener.cloud/dnsnames": "a.example.org,c.example.org",
    });
    await world.pass(10_000);
    expect(world.zone()).toEqual([
      "a.example.org 300 A 192.0.2.2",
      "c.example.org 300 A 192.0.2.2",
    ]);
  });

  test("one of its entries may be paused alone, and that is not undone", async () => {
    const world = await published();
    world.annotate(SERVICE, "web", NAMES);
    await world.pass(5_000);
    const [first] = world.cluster.all(DNS_ENTRY).filter((entry) => {
      const spec = entry["spec"];
      return JSON.stringify(spec).includes("a.example.org");
    });
    world.annotate(DNS_ENTRY, first?.metadata.name ?? "", PAUSE);
    world.service("web", "a.example.org,b.example.org", "192.0.2.3");
    await world.pass(10_000);
    expect(world.zone()).toEqual([A, "b.example.org 300 A 192.0.2.3"]);
  });
});
