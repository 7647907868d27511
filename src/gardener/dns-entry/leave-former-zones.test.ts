import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { GardenerWorld } from "../../../test/support/worlds/gardener-world.ts";

const PARENT = "example.org";
const CHILD = "sub.example.org";
const WWW = `www.${CHILD}`;
const RECORD = `${WWW} 300 A 192.0.2.1`;
const DELEGATED = { at: trustedDnsName(CHILD), servers: [`ns.${CHILD}`] };

async function start(): Promise<GardenerWorld> {
  const world = new GardenerWorld();
  world.accounts.zones = [PARENT, CHILD];
  world.start();
  await world.withProvider();
  world.entry("web", { dnsName: WWW, targets: ["192.0.2.1"] });
  await world.pass();
  return world;
}

const zones = (world: GardenerWorld) => [world.zone(PARENT), world.zone(CHILD)];

describe("Z-18 an entry whose zone changes", () => {
  test("lives in the parent while the child is parked", async () => {
    const world = await start();
    expect(zones(world)).toEqual([[RECORD], []]);
    expect(world.status("web")).toMatchObject({ zone: PARENT, state: "Ready" });
  });

  test("moves to the child when that is delegated, and back when it no longer is", async () => {
    const world = await start();
    world.engine.cut(PARENT, WWW, DELEGATED);
    await world.pass();
    expect(zones(world)).toEqual([[], [RECORD]]);
    expect(world.status("web")).toMatchObject({ zone: CHILD, state: "Ready" });
    world.engine.cut(PARENT, WWW, null);
    await world.pass();
    expect(zones(world)).toEqual([[RECORD], []]);
  });

  test("stays in the old zone, and in the status, until the new one is published", async () => {
    const world = await start();
    world.engine.troubleIn.set(CHILD, { state: "failed", code: "Down", message: "down" });
    world.engine.cut(PARENT, WWW, DELEGATED);
    await world.pass();
    expect(zones(world)).toEqual([[RECORD], []]);
    expect(world.status("web")).toMatchObject({ zone: PARENT });
    world.engine.troubleIn.clear();
    world.engine.again();
    await world.pass();
    expect(zones(world)).toEqual([[], [RECORD]]);
    expect(world.status("web")).toMatchObject({ zone: CHILD });
  });

  test("a crash in the middle of a move leaves nothing behind", async () => {
    const world = await start();
    world.engine.cut(PARENT, WWW, DELEGATED);
    await world.crash();
    world.start();
    await world.pass();
    expect(zones(world)).toEqual([[], [RECORD]]);
  });
});
