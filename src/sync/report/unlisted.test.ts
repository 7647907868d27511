/** A name that is kept for an object which listed it, until that object says that it does not. */
import { expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { Contribution } from "../contract/contribution.ts";

/** The contribution of one object under the name of another one's wish. */
function said(object: string, wish: Contribution, complete = true): Contribution {
  const key = { ...wish.object, name: object };
  const items = wish.found.items.map((item) => ({ ...item, provenance: key }));
  return { ...wish, object: key, found: { ...wish.found, items, complete } };
}

const NOTHING_YET: Contribution["found"] = {
  items: [],
  waiting: [],
  problems: [],
  complete: false,
};

test("a name that waits for an incomplete object is looked at when that one is complete without it (F14 1138)", async () => {
  const world = engineWorld();
  world.engine.openZone(world.zoneInput);
  world.engine.contribute(KEY, said("first", entry("www", ["192.0.2.1"])));
  await world.clock.advance(5_000);
  // It lists the name and does not get it; then nobody can tell what it wants, and who has it
  // leaves.
  const second = said("second", entry("www", ["192.0.2.2"]));
  world.engine.contribute(KEY, second);
  world.engine.contribute(KEY, { ...second, found: NOTHING_YET });
  world.engine.contribute(KEY, said("first", entry("other", ["192.0.2.1"])));
  world.engine.contribute(KEY, said("third", entry("www", ["192.0.2.3"])));
  await world.clock.advance(5_000);
  expect(world.values("www")).toEqual(["192.0.2.1"]);
  world.engine.contribute(KEY, said("second", entry("else", ["192.0.2.2"])));
  await world.clock.advance(5_000);
  expect(world.values("www")).toEqual(["192.0.2.3"]);
});
