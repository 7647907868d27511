/**
 * A name is kept for an object that listed it, until a complete contribution of the object omits
 * it.
 */
import { expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { Contribution } from "../contract/contribution.ts";

/** The contribution `template`, made by the object with this name. */
function contributionOf(object: string, template: Contribution, complete = true): Contribution {
  const key = { ...template.object, name: object };
  const items = template.found.items.map((item) => ({ ...item, provenance: key }));
  return { ...template, object: key, found: { ...template.found, items, complete } };
}

const NOTHING_YET: Contribution["found"] = {
  items: [],
  waiting: [],
  problems: [],
  complete: false,
};

test("a name that waits for an incomplete object is planned again when that object is complete without it (F14 1138)", async () => {
  const world = engineWorld();
  world.engine.openZone(world.zoneInput);
  world.engine.contribute(KEY, contributionOf("first", entry("www", ["192.0.2.1"])));
  await world.clock.advance(5_000);
  // `second` lists the name and does not get it, then becomes incomplete; `first` no longer lists
  // the name.
  const second = contributionOf("second", entry("www", ["192.0.2.2"]));
  world.engine.contribute(KEY, second);
  world.engine.contribute(KEY, { ...second, found: NOTHING_YET });
  world.engine.contribute(KEY, contributionOf("first", entry("other", ["192.0.2.1"])));
  world.engine.contribute(KEY, contributionOf("third", entry("www", ["192.0.2.3"])));
  await world.clock.advance(5_000);
  expect(world.values("www")).toEqual(["192.0.2.1"]);
  world.engine.contribute(KEY, contributionOf("second", entry("else", ["192.0.2.2"])));
  await world.clock.advance(5_000);
  expect(world.values("www")).toEqual(["192.0.2.3"]);
});
