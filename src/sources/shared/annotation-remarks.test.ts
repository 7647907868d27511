import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const WWW = "www.example.org";
const OLD = `${WWW} 300 A 192.0.2.1`;

async function started(): Promise<SpineWorld> {
  const world = new SpineWorld();
  world.start();
  world.provider();
  world.entry("web", { dnsName: WWW, targets: ["192.0.2.1"] });
  world.service("s", "s.example.org", "192.0.2.5");
  await world.pass();
  return world;
}

const events = (world: SpineWorld): readonly string[] =>
  world.cluster.events.map(({ object, note }) => `${object} ${note.type} ${note.message}`);

describe("an annotation that would change records, and has no meaning yet, holds its object", () => {
  test.each([
    ["targets", "192.0.2.7", "targets come from the status"],
    ["ingress", "web", "targets come from the status"],
  ])("%s", async (name, value, why) => {
    const key = `dns.gardener.cloud/${name}`;
    const world = await started();
    world.annotate(DNS_ENTRY, "web", { [key]: value });
    world.annotate(SERVICE, "s", { "dns.gardener.cloud/dnsnames": "s.example.org", [key]: value });
    world.cluster.setStatus(SERVICE, "default", "s", {
      loadBalancer: { ingress: [{ ip: "192.0.2.6" }] },
    });
    await world.pass();
    world.entry("web", { dnsName: WWW, targets: ["192.0.2.2"] });
    world.annotate(DNS_ENTRY, "web", { [key]: value });
    await world.pass(60_000);
    expect(world.zone()).toEqual(["s.example.org 300 A 192.0.2.5", OLD]);
    expect(world.entries()["web"]).toContain(
      `Stale: metadata.annotations[${key}]: keeps the object's records as they are: ${why}`,
    );
    expect(
      events(world).some(
        (text) => text.startsWith("service/default/s Warning") && text.includes(key),
      ),
    ).toBe(true);
    world.annotate(DNS_ENTRY, "web", {});
    await world.pass(5_000);
    expect(world.zone()).toContain(`${WWW} 300 A 192.0.2.2`);
  });

  test.each([
    ["ip-stack", "ipv4"],
    ["targets", ""],
  ])("%s with the value %o asks for what happens anyway", async (name, value) => {
    const world = await started();
    world.annotate(DNS_ENTRY, "web", { [`dns.gardener.cloud/${name}`]: value });
    await world.pass();
    expect(world.entries()["web"]).toBe("Ready: dns entry active");
  });
});

test.each(["dual-stack", "ipv6"])(
  "ip-stack %s, which is for alias records alone, is a warning and holds nothing",
  async (value) => {
    const key = "dns.gardener.cloud/ip-stack";
    const world = await started();
    world.annotate(DNS_ENTRY, "web", { [key]: value });
    world.annotate(SERVICE, "s", { "dns.gardener.cloud/dnsnames": "t.example.org", [key]: value });
    await world.pass();
    const message = `metadata.annotations[${key}]: has no effect: it concerns alias records of AWS, which are of both kinds of addresses here`;
    expect(world.entries()["web"]).toBe(`Ready: dns entry active; ${message}`);
    expect(world.zone()).toEqual(["t.example.org 300 A 192.0.2.5", OLD]);
  },
);

test("a class that no process can have is told in an Event, and nobody serves the object", async () => {
  const world = await started();
  const names = { "dns.gardener.cloud/dnsnames": "t.example.org" };
  world.service("t", "", "192.0.2.9");
  world.annotate(SERVICE, "t", { ...names, "dns.gardener.cloud/class": "Garden" });
  world.service("u", "", "192.0.2.9");
  world.annotate(SERVICE, "u", { ...names, "dns.gardener.cloud/class": "garden" });
  await world.pass(5_000);
  expect(world.zone()).toEqual(["s.example.org 300 A 192.0.2.5", OLD]);
  const shown = events(world).filter((text) => /service\/default\/[tu]/.test(text));
  expect(shown).toEqual([
    expect.stringMatching(/^service\/default\/t Warning .*"Garden" is no class.*write lower-case/),
  ]);
});

test.each(["Gardendns", "a b"])(
  "Z-5: the class %j on a published object is no wish to unpublish",
  async (wrong) => {
    const world = await started();
    const names = { "dns.gardener.cloud/dnsnames": "s.example.org" };
    const seen = () => {
      const entries = world.cluster.list(DNS_ENTRY);
      const uids =
        entries.state === "value" ? entries.value.map(({ metadata }) => metadata.uid) : [];
      return [world.zone(), world.markers(), uids];
    };
    const before = seen();
    const hasEvent = () =>
      events(world).some((text) => /service\/default\/s Warning .*is no class/.test(text));
    world.annotate(SERVICE, "s", { ...names, "dns.gardener.cloud/class": wrong });
    await world.pass(60_000);
    expect(hasEvent()).toBe(true);
    expect(seen()).toEqual(before);
    await world.stop();
    world.start();
    await world.pass(60_000);
    expect(seen()).toEqual(before);
    world.annotate(SERVICE, "s", names);
    await world.pass(60_000);
    expect(seen()).toEqual(before);
    world.annotate(SERVICE, "s", { ...names, "dns.gardener.cloud/class": wrong });
    await world.pass(5_000);
    world.cluster.delete(SERVICE, "default", "s");
    await world.pass(60_000);
    expect(world.zone()).toEqual([OLD]);
  },
);

test("an operation that there is not is told, with the one that there is", async () => {
  const world = await started();
  world.annotate(DNS_ENTRY, "web", { "gardener.cloud/operation": "reconcil" });
  await world.pass();
  expect(world.entries()["web"]).toBe(
    "Ready: dns entry active; metadata.annotations[gardener.cloud/operation]: no operation is called so: write reconcile, or remove it",
  );
  world.annotate(DNS_ENTRY, "web", { "gardener.cloud/operation": "reconcile" });
  await world.pass();
  expect(world.entries()["web"]).toBe("Ready: dns entry active");
});

test.each(["reconcile", "rotate"])(
  "an operation %s on a Service is other programs'",
  async (value) => {
    const world = await started();
    const names = { "dns.gardener.cloud/dnsnames": "s.example.org" };
    const before = events(world);
    world.annotate(SERVICE, "s", { ...names, "gardener.cloud/operation": value });
    await world.pass(5_000);
    expect(events(world)).toEqual(before);
  },
);

describe("a key that is not in the table is a Warning with the nearest one, and stops nothing", () => {
  test.each([
    ["dns.gardener.cloud/dnsname", ": write dns.gardener.cloud/dnsnames, or remove it"],
    ["dns.gardener.cloud/tll", ": write dns.gardener.cloud/ttl, or remove it"],
    ["zonekeeper.dev/pause", ": write zonekeeper.dev/paused, or remove it"],
    ["zonekeeper.dev/colour-of-the-day", ": remove it"],
  ])("%s", async (key, hint) => {
    const world = await started();
    world.annotate(SERVICE, "s", { "dns.gardener.cloud/dnsnames": "s.example.org", [key]: "x" });
    world.service("t", "", "192.0.2.9");
    world.annotate(SERVICE, "t", { [key]: "x" });
    world.annotate(DNS_ENTRY, "web", { [key]: "x" });
    await world.pass(5_000);
    for (const name of ["s", "t"])
      expect(events(world)).toContain(
        `service/default/${name} Warning service/default/${name} ${key}: no annotation is called so${hint} (metadata.annotations[${key}])`,
      );
    expect(world.entries()["web"]).toBe(
      `Ready: dns entry active; metadata.annotations[${key}]: no annotation is called so${hint}`,
    );
    expect(world.zone()).toEqual(["s.example.org 300 A 192.0.2.5", OLD]);
  });

  test("what Gardener's controllers write for themselves is none", async () => {
    const world = await started();
    world.annotate(DNS_ENTRY, "web", {
      "dns.gardener.cloud/target-entry": "a/b",
      "other/key": "x",
    });
    await world.pass();
    expect(world.entries()["web"]).toBe("Ready: dns entry active");
  });
});

describe("Gardener's ignore", () => {
  const IGNORE = "dns.gardener.cloud/ignore";

  test.each(["true", "reconcile", "full"])(
    "%s: the records of an entry stay as they are",
    async (value) => {
      const world = await started();
      world.annotate(DNS_ENTRY, "web", { [IGNORE]: value });
      await world.pass();
      world.entry("web", { dnsName: WWW, targets: ["192.0.2.2"] });
      world.annotate(DNS_ENTRY, "web", { [IGNORE]: value });
      await world.pass(60_000);
      expect(world.zone()).toContain(OLD);
      world.annotate(DNS_ENTRY, "web", {});
      await world.pass(5_000);
      expect(world.zone()).toContain(`${WWW} 300 A 192.0.2.2`);
    },
  );

  test.each([
    ["true", []],
    ["reconcile", []],
    ["full", [OLD]],
  ])("%s: when the entry is deleted", async (value, left) => {
    const world = await started();
    world.annotate(DNS_ENTRY, "web", { [IGNORE]: value });
    await world.pass();
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass(10_000);
    expect(world.entries()["web"]).toBeUndefined();
    expect(world.zone().filter((line) => line.startsWith(WWW))).toEqual(left);
    expect(world.markers()).toEqual(["a-s.example.org"]);
  });

  test("target-hard-ignore is as full", async () => {
    const world = await started();
    world.annotate(DNS_ENTRY, "web", { "dns.gardener.cloud/target-hard-ignore": "true" });
    await world.pass();
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass(10_000);
    expect(world.zone()).toContain(OLD);
  });

  test.each([
    ["true", []],
    ["full", ["s.example.org 300 A 192.0.2.5"]],
  ])("%s of a Service is its entry's, and ends with it", async (value, left) => {
    const world = await started();
    const names = { "dns.gardener.cloud/dnsnames": "s.example.org" };
    world.annotate(SERVICE, "s", { ...names, [IGNORE]: value });
    await world.pass();
    world.cluster.setStatus(SERVICE, "default", "s", {
      loadBalancer: { ingress: [{ ip: "192.0.2.6" }] },
    });
    await world.pass(10_000);
    expect(world.zone()).toContain("s.example.org 300 A 192.0.2.5");
    world.annotate(SERVICE, "s", names);
    await world.pass(10_000);
    expect(world.zone()).toContain("s.example.org 300 A 192.0.2.6");
    world.cluster.setStatus(SERVICE, "default", "s", {
      loadBalancer: { ingress: [{ ip: "192.0.2.5" }] },
    });
    await world.pass(10_000);
    world.annotate(SERVICE, "s", { ...names, [IGNORE]: value });
    await world.pass();
    world.cluster.delete(SERVICE, "default", "s");
    await world.pass(10_000);
    expect(world.zone().filter((line) => line.startsWith("s."))).toEqual(left);
  });
});
