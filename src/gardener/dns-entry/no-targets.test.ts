import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { MapState, memoryFuse } from "../../../test/support/values/fuse.ts";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RECORD = "a.example.org 300 A 192.0.2.1";

/** A Service that was published and then lost its last address, at the start of an hour. */
async function dangling(options: ConstructorParameters<typeof SpineWorld>[1] = {}) {
  const world = new SpineWorld(["example.org"], options);
  world.start();
  world.provider();
  await world.pass();
  world.service("web", "a.example.org", "192.0.2.1");
  world.entry("other", { dnsName: "other.example.org", targets: ["192.0.2.2"] });
  await world.pass();
  expect(world.zone()).toContain(RECORD);
  loseAddress(world);
  await world.pass();
  return world;
}

const loseAddress = (world: SpineWorld): void =>
  world.cluster.setStatus(SERVICE, "default", "web", { loadBalancer: {} });
const stateOf = (world: SpineWorld): string => {
  const { other: _, ...entries } = world.entries();
  return Object.values(entries).join();
};
const holds = (world: SpineWorld): readonly string[] =>
  world.zones().flatMap(({ open }) => open.flatMap((plan) => plan.holds.map(({ code }) => code)));

const at = (world: SpineWorld): readonly string[] =>
  world.zone().filter((line) => line.startsWith("a.example.org "));

describe("Z-4 a live object without addresses", () => {
  test("keeps its record for ever, and says so: held, then dangling, then as before", async () => {
    const world = await dangling();
    expect(stateOf(world)).toMatch(
      /^Stale: service\/default\/web has no address since \S+Z; its record stays$/,
    );
    expect(holds(world)).toEqual(["NoTargets"]);
    expect(world.zones()[0]?.danglingNames).toBe(0);
    const since = /since (\S+);/.exec(stateOf(world))?.[1];

    await world.pass(HOUR);
    expect(stateOf(world)).toContain(`dangling: service/default/web has no address since ${since}`);
    expect(world.zones()[0]?.danglingNames).toBe(1);
    await world.pass(5 * HOUR);
    expect(world.zone()).toContain(RECORD);
    const reported = world.cluster.events.filter(
      ({ object, note }) => object.startsWith("dnsentry") && note.message.includes("dangling"),
    );
    expect(reported.map(({ note }) => note.reason)).toEqual(["DNSEntryStale"]);

    world.service("web", "a.example.org", "192.0.2.7");
    await world.pass();
    expect(stateOf(world)).toBe("Ready: dns entry active");
    expect(world.zone()).toContain("a.example.org 300 A 192.0.2.7");
    expect([holds(world), world.zones()[0]?.danglingNames]).toEqual([[], 0]);
  });

  test("is given up when its grace is over, and published anew with its next address", async () => {
    const world = await dangling({ noTargetsGraceMs: 10 * MINUTE });
    await world.pass(9 * MINUTE);
    expect(world.zone()).toContain(RECORD);
    await world.pass(2 * MINUTE);
    expect(world.zone()).not.toContain(RECORD);
    expect(stateOf(world)).toBe("Pending: service/default/web has no address for this name now");
    world.service("web", "a.example.org", "192.0.2.7");
    await world.pass();
    expect(world.zone()).toContain("a.example.org 300 A 192.0.2.7");
    expect(stateOf(world)).toBe("Ready: dns entry active");
  });

  test("a restart counts the grace anew, and brings back nothing that it had ended", async () => {
    const world = await dangling({ noTargetsGraceMs: 10 * MINUTE });
    await world.pass(9 * MINUTE);
    await world.stop();
    world.start();
    await world.pass(9 * MINUTE);
    expect(world.zone()).toContain(RECORD);
    await world.pass(2 * MINUTE);
    expect(world.zone()).not.toContain(RECORD);
    await world.stop();
    world.start();
    await world.pass(30 * MINUTE);
    expect(world.zone()).not.toContain(RECORD);
  });

  test("what a grace has ended stays ended while nobody can see the object, and after that", async () => {
    const world = await dangling({ noTargetsGraceMs: 10 * MINUTE });
    await world.pass(11 * MINUTE);
    expect(at(world)).toEqual([]);
    world.cluster.setKindState(SERVICE, "absent");
    world.provider("p", { defaultTTL: 600 });
    await world.pass();
    expect(at(world)).toEqual([]);
    world.cluster.relist(SERVICE);
    await world.pass(MINUTE);
    expect(at(world)).toEqual([]);
  });

  test("an address that comes back in time is no end of a grace, nor does it shorten the next", async () => {
    const world = await dangling({ noTargetsGraceMs: 10 * MINUTE });
    await world.pass(9 * MINUTE);
    world.service("web", "a.example.org", "192.0.2.1");
    await world.pass();
    loseAddress(world);
    await world.pass(9 * MINUTE);
    expect(world.zone()).toContain(RECORD);
  });

  test("Z-16: the end of a grace passes the fuse, as a weak removal", async () => {
    const names = ["b", "c", "d", "e"].map((label) => `${label}.example.org`);
    const state = new MapState();
    const world: SpineWorld = new SpineWorld(["example.org"], {
      noTargetsGraceMs: 10 * MINUTE,
      openGuard: () => memoryFuse({ state, clock: world.clock }),
    });
    world.start();
    world.provider();
    await world.pass();
    world.service("web", names.join(","), "192.0.2.1");
    await world.pass();
    loseAddress(world);
    await world.pass(11 * MINUTE);
    expect(world.zone()).toHaveLength(4);
    expect(new Set(holds(world))).toEqual(new Set(["FuseTripped"]));
    const [set] = world.zones()[0]?.heldSets ?? [];
    expect(set).toMatchObject({ kind: "removals", changes: 4 });
    expect(await world.approve(set?.hash ?? "")).toBe(1);
    await world.pass();
    expect(world.zone()).toEqual([]);
  });
});
