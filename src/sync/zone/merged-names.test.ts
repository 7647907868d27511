/** Parts of merged record sets, from contributions to the zone (ADR 0118). */
import { expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { MERGED_TYPES, partOf } from "../../model/merged.ts";
import { NO_TRANSFER } from "../../model/transfer-request.ts";
import type { Contribution } from "../contract/contribution.ts";

/** What Service `shop` of a cluster contributes; `isMerged` false = without the annotation. */
const shop = (
  cluster: string,
  values: readonly string[],
  { isMerged = true, namespace = "default", type = "A", ttlSeconds = 300 } = {},
): Contribution => {
  const plain = entry("shop", values, type);
  const object = { ...plain.object, cluster, namespace };
  const member = isMerged && MERGED_TYPES.has(type) ? partOf(object) : {};
  const items = plain.found.items.map((item) => ({
    ...{ ...item, ...member, ttlSeconds, provenance: object },
    transfer: { ...NO_TRANSFER, merge: isMerged },
  }));
  return { ...plain, object, found: { ...plain.found, items } };
};

const opened = async () => {
  const world = engineWorld();
  world.engine.openZone({ ...world.zoneInput, managedTypes: new Set(["A", "AAAA", "CNAME", "NS"]) });
  const settle = () => world.clock.advance(20_000);
  await settle();
  const says = async (...all: readonly Contribution[]): Promise<void> => {
    for (const one of all) world.engine.contribute(KEY, one);
    await settle();
  };
  const isGone = async (one: Contribution): Promise<void> => {
    world.engine.withdraw(one.object, "deleted-object");
    await settle();
  };
  const markers = (): readonly string[] =>
    world.values("a-shop").map((text) => /targets=([^"]*)/.exec(text)?.[1] ?? "plain");
  return { ...world, says, isGone, markers };
};

test("two clusters have one record set, and the last one takes it", async () => {
  const world = await opened();
  await world.says(shop("eu", ["192.0.2.1"]), shop("asia", ["192.0.2.2", "192.0.2.3"]));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3"]);
  expect(world.markers()).toEqual(["192.0.2.2;192.0.2.3", "192.0.2.1"]);
  await world.says(shop("asia", ["192.0.2.4"]));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.4"]);
  await world.isGone(shop("eu", []));
  expect(world.values("shop")).toEqual(["192.0.2.4"]);
  expect(world.markers()).toEqual(["192.0.2.4"]);
  await world.isGone(shop("asia", []));
  expect([...world.values("shop"), ...world.values("a-shop")]).toEqual([]);
});

test("an address that two clusters have stays until both are without it", async () => {
  const world = await opened();
  await world.says(shop("eu", ["192.0.2.1", "192.0.2.9"]), shop("asia", ["192.0.2.9"]));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.9"]);
  await world.isGone(shop("eu", []));
  expect(world.values("shop")).toEqual(["192.0.2.9"]);
});

test("an object takes the annotation away, and is plain again when it is alone", async () => {
  const world = await opened();
  await world.says(shop("eu", ["192.0.2.1"], { isMerged: false }));
  expect(world.markers()).toEqual(["plain"]);
  await world.says(shop("eu", ["192.0.2.1"]), shop("asia", ["192.0.2.2"]));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.2"]);
  expect(world.markers()).toEqual(["192.0.2.2", "192.0.2.1"]);
  await world.says(shop("eu", ["192.0.2.1"], { isMerged: false }));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.2"]);
  await world.isGone(shop("asia", []));
  expect(world.values("shop")).toEqual(["192.0.2.1"]);
  expect(world.markers()).toEqual(["plain"]);
});
