/** Objects that all end at once: with their definition (Z-2), or by one order (Z-16, ADR 0063). */
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { describe, expect, test } from "vitest";
import { MapState, memoryFuse } from "../../../test/support/values/fuse.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { FUSE_LIMITS } from "../../model/fuse-limits.ts";
import { DNS_ENDPOINT, DNS_ENTRY } from "../../model/kinds.ts";

const FORMS = [
  ["DNSEntries", DNS_ENTRY],
  ["DNSEndpoints", DNS_ENDPOINT],
] as const;

/** One object of the kind for each name. */
function put(world: SpineWorld, kind: KindRef, names: readonly string[]): void {
  for (const name of names)
    if (kind === DNS_ENTRY)
      world.entry(name, { dnsName: `${name}.example.org`, targets: ["192.0.2.1"] });
    else
      world.cluster.apply(DNS_ENDPOINT, {
        apiVersion: "externaldns.k8s.io/v1alpha1",
        kind: "DNSEndpoint",
        metadata: { name, namespace: "default" },
        spec: {
          endpoints: [{ dnsName: `${name}.example.org`, recordType: "A", targets: ["192.0.2.1"] }],
        },
      });
}

async function published(kind: KindRef, names: readonly string[]): Promise<SpineWorld> {
  const state = new MapState();
  const world: SpineWorld = new SpineWorld(["example.org"], {
    endpoints: true,
    openGuard: ({ zone: { name } }) =>
      memoryFuse({ key: name, zone: name, state, clock: world.clock, limits: FUSE_LIMITS }),
  });
  world.start();
  world.provider();
  put(world, kind, names);
  await world.pass(10_000);
  expect(world.zone()).toHaveLength(names.length);
  return world;
}

/** The sets that the fuse of the only zone holds, by number of removals. */
function held(world: SpineWorld): readonly number[] {
  return world.zones().flatMap(({ heldSets: sets }) => sets.map(({ removals }) => removals));
}

const NAMES = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

describe.each(FORMS)("Z-2 the definition of %s is deleted", (_, kind) => {
  test.each([1, 2, 8])("with %i objects: the records stay until it is back", async (count) => {
    const world = await published(kind, NAMES(count));
    world.cluster.deleteDefinition(kind);
    await world.pass(60_000);
    expect(world.zone()).toHaveLength(count);
    expect(world.cluster.all(kind), "the API server is done with them").toEqual([]);
    world.cluster.setKindState(kind, "absent");
    await world.pass(60_000);
    expect(world.zone()).toHaveLength(count);
    put(world, kind, NAMES(count));
    world.cluster.installDefinition(kind);
    world.cluster.relist(kind);
    await world.pass(60_000);
    expect(world.zone()).toHaveLength(count);
    world.cluster.delete(kind, "default", "n0");
    await world.pass(60_000);
    expect(world.zone(), "an end of its own is a proof again").toHaveLength(count - 1);
    await world.stop();
  });
});

describe("Z-2 an entry ends with its definition, whatever holds its records", () => {
  const ends = async (world: SpineWorld, records: number) => {
    world.cluster.deleteDefinition(DNS_ENTRY);
    await world.pass(120_000);
    expect(world.cluster.all(DNS_ENTRY), "the definition can go").toEqual([]);
    expect(world.zone()).toHaveLength(records);
    await world.stop();
  };

  test("a kind that is gone", async () => {
    const world = await published(DNS_ENTRY, NAMES(2));
    put(world, DNS_ENDPOINT, ["point"]);
    await world.pass(10_000);
    world.cluster.deleteDefinition(DNS_ENDPOINT);
    await world.pass(1_000);
    world.cluster.setKindState(DNS_ENDPOINT, "absent");
    await world.pass(10_000);
    await ends(world, 3);
  });

  test("a kind that is gone, which an entry waits for already", async () => {
    const world = await published(DNS_ENTRY, NAMES(2));
    put(world, DNS_ENDPOINT, ["point"]);
    await world.pass(10_000);
    world.cluster.deleteDefinition(DNS_ENDPOINT);
    world.cluster.setKindState(DNS_ENDPOINT, "absent");
    world.cluster.delete(DNS_ENTRY, "default", "n0");
    await world.pass(60_000);
    expect(world.entries()["n0"]).toMatch(/Deleting: .*no longer serves/);
    await ends(world, 3);
  });

  test("a Service that lists the name", async () => {
    const world = await published(DNS_ENTRY, NAMES(2));
    world.service("web", "web.example.org", "192.0.2.1");
    await world.pass(10_000);
    await ends(world, 3);
  });
});

describe("Z-2 the definition is installed again before its objects", () => {
  test.each([
    ["DNSEntries", DNS_ENTRY, 2, 60_000],
    ["DNSEndpoints", DNS_ENDPOINT, 1, 60_000],
    ["DNSEndpoints", DNS_ENDPOINT, 4, 60_000],
    ["DNSEndpoints, replaced at once", DNS_ENDPOINT, 2, 0],
    ["DNSEndpoints, replaced at once", DNS_ENDPOINT, 8, 0],
  ] as const)("%s: all records wait for a person or the objects", async (_, kind, count, ms) => {
    const world = await published(kind, NAMES(count));
    world.cluster.deleteDefinition(kind, ms === 0);
    await world.pass(ms);
    if (ms > 0) world.cluster.setKindState(kind, "absent");
    await world.pass(ms);
    world.cluster.installDefinition(kind);
    world.cluster.relist(kind);
    await world.pass(2 * 3_600_000);
    const waiting = () => held(world).reduce((sum, removals) => sum + removals, 0);
    expect([waiting(), world.zone().length]).toEqual([count, count]);
    put(world, kind, ["n0"]);
    await world.pass(60_000);
    expect(waiting(), "an object that is applied again leaves the set").toBe(count - 1);
    world.cluster.delete(kind, "default", "n0");
    await world.pass(5_000);
    expect([waiting(), world.zone().length], "an end of its own").toEqual([count - 1, count - 1]);
    put(world, kind, ["n0"]);
    await world.pass(10_000);
    for (const { hash } of world.zones().flatMap(({ heldSets }) => heldSets))
      await world.approve(hash);
    await world.pass(60_000);
    expect(world.zone()).toHaveLength(1);
    await world.stop();
  });
});

describe("Z-2 the program begins anew before the objects of a definition are back", () => {
  const API = "externaldns.k8s.io/v1alpha1";
  const endpoint = (name: string) =>
    objectOf(API, "DNSEndpoint", name, {
      spec: {
        endpoints: [{ dnsName: `${name}.example.org`, recordType: "A", targets: ["192.0.2.1"] }],
      },
    });

  const STATES = ["is gone", "is back", "is back with one of its objects"];

  test.each(STATES)("while the definition %s", async (when) => {
    const { cluster, clock, start, values } = programWorld({
      controllers: ["compound", "crd"],
      publishing: "direct",
    });
    const names = NAMES(2);
    for (const name of names) cluster.apply(DNS_ENDPOINT, endpoint(name));
    // Others, so that the last owned name of the zone does not go.
    for (const name of ["v", "w", "x", "y", "z"]) {
      const spec = { dnsName: `${name}.example.org`, targets: ["192.0.2.1"] };
      cluster.apply(DNS_ENTRY, objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", name, { spec }));
    }
    let running = start();
    await clock.advance(60_000);
    cluster.deleteDefinition(DNS_ENDPOINT);
    await clock.advance(60_000);
    cluster.setKindState(DNS_ENDPOINT, "absent");
    await clock.advance(10_000);
    await running.stop();
    if (when === "is gone") running = start();
    await clock.advance(60_000);
    cluster.installDefinition(DNS_ENDPOINT);
    cluster.relist(DNS_ENDPOINT);
    if (when === STATES[2]) cluster.apply(DNS_ENDPOINT, endpoint("n0"));
    if (when !== "is gone") running = start();
    await clock.advance(600_000);
    const published = () => names.filter((name) => values(`${name}.example.org`).length > 0);
    expect(published()).toEqual(names);
    for (const name of names) cluster.apply(DNS_ENDPOINT, endpoint(name));
    await clock.advance(60_000);
    cluster.delete(DNS_ENDPOINT, "default", "n0");
    await clock.advance(60_000);
    expect(published(), "an end of its own is a proof again").toEqual(["n1"]);
    await running.stop();
  });
});

describe.each(FORMS)("Z-16 all %s are deleted within seconds", (_, kind) => {
  const deleteAll = async (world: SpineWorld, names: readonly string[], apartMs: number) => {
    for (const name of names) {
      world.cluster.delete(kind, "default", name);
      if (apartMs > 0) await world.pass(apartMs);
    }
    await world.pass(20_000);
  };

  test.each([
    [1, 0, []],
    [2, 0, []],
    [3, 0, [3]],
    [9, 0, [9]],
    [3, 11_000, []],
  ])("of %i, %i ms apart, sets wait: %j", async (count, apartMs, sets) => {
    const world = await published(kind, NAMES(count));
    await deleteAll(world, NAMES(count), apartMs);
    expect(held(world)).toEqual(sets);
    expect(world.zone()).toHaveLength(sets[0] ?? 0);
    const [set] = world.zones().flatMap(({ heldSets }) => heldSets);
    if (set !== undefined) await world.approve(set.hash);
    await world.pass(20_000);
    expect(world.zone()).toEqual([]);
    await world.stop();
  });

  test("one that stays makes it many single deletions", async () => {
    const world = await published(kind, NAMES(9));
    await deleteAll(world, NAMES(8), 0);
    expect([held(world), world.zone().length]).toEqual([[], 1]);
    await world.stop();
  });

  test("with their namespace they are what a person deletes", async () => {
    const world = await published(kind, NAMES(9));
    world.cluster.deleteNamespace("default", [kind]);
    await world.pass(20_000);
    expect([held(world), world.zone()]).toEqual([[], []]);
    await world.stop();
  });
});
