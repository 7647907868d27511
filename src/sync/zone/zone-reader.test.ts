import { expect, test } from "vitest";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { trustedDnsName } from "../../model/dns-name.ts";

const WWW = trustedDnsName("www.example.org");
const KEY = { name: WWW, type: "A", setIdentifier: null };

/** Somebody else writes into the zone; null = takes the record out. */
function stranger(world: SpineWorld, address: string | null): void {
  const next =
    address === null
      ? null
      : { ...KEY, ttlSeconds: 60, values: [address], routingPolicy: null, properties: {} };
  const zone = world.account.zoneNamed(trustedDnsName("example.org"));
  zone?.content.write([{ key: KEY, next }], world.clock.monotonicMs());
}

async function started(): Promise<SpineWorld> {
  const world = new SpineWorld();
  world.start();
  world.provider();
  await world.pass();
  return world;
}

test("Z-6: what was refused is no write of ours: the name is published when the stranger's record goes", async () => {
  const world = await started();
  stranger(world, "192.0.2.9");
  world.entry("web", { dnsName: WWW, targets: ["192.0.2.1"] });
  await world.pass();
  expect(world.entries()["web"]).toContain("Error: A 192.0.2.9 exists");
  stranger(world, null);
  await world.pass(30_000);
  expect(world.zone()).toEqual([`${WWW} 300 A 192.0.2.1`]);
});

test("Z-6: a stranger's change right after ours at the same name is seen when our writing rests", async () => {
  const world = await started();
  world.entry("web", { dnsName: WWW, targets: ["192.0.2.1"] });
  await world.pass(500);
  expect(world.zone()).toEqual([`${WWW} 300 A 192.0.2.1`]);
  stranger(world, null);
  await world.pass(60_000);
  expect(world.zone()).toEqual([`${WWW} 300 A 192.0.2.1`]);
});
