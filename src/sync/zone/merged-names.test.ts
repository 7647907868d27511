import { expect, test } from "vitest";
import { isPart, MERGED, partOf } from "../../model/merged.ts";
import type { Contribution } from "../contract/contribution.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { NO_TRANSFER } from "../../model/transfer-request.ts";

const part = (cluster: string, values: readonly string[], more: object = {}): Contribution => {
  const plain = entry("shop", values);
  const object = { ...plain.object, cluster };
  const items = plain.found.items.map((item) => ({
    ...item,
    ...partOf(object),
    provenance: object,
    transfer: { ...NO_TRANSFER, merge: true },
    ...more,
  }));
  return { ...plain, object, found: { ...plain.found, items } };
};

test("thin", async () => {
  const world = engineWorld();
  world.engine.openZone(world.zoneInput);
  await world.clock.advance(1000);
  world.engine.contribute(KEY, part("eu", ["192.0.2.1"]));
  await world.clock.advance(5000);
  console.log(world.content.all());
  world.engine.contribute(KEY, part("asia", ["192.0.2.2"]));
  await world.clock.advance(5000);
  console.log(world.content.all());
  world.engine.contribute(KEY, part("asia", ["192.0.2.2", "192.0.2.3"]));
  await world.clock.advance(5000);
  console.log(world.content.all());
  world.engine.withdraw(part("eu", []).object, "deleted-object");
  await world.clock.advance(5000);
  console.log(world.content.all(), world.reports.slice(-3).map((r) => JSON.stringify(r)));
  expect(isPart({ routingPolicy: MERGED })).toBe(true);
});
