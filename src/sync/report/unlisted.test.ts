/** A name that is kept for an object which listed it, until that object says that it does not. */
import { expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { Contribution } from "../contract/contribution.ts";

/** The contribution of one object under the name of another one's wish. */
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

test("a name that waits for an incomplete object is looked at when that one is complete without it (F14 1138)", async () => {
  const world = engineWorld();
  world.engine.openZone(world.zoneInput);
  world.engine.contribute(KEY, contributionOf("first", entry("www", ["192.0.2.1"])));
  await world.clock.advance(5_000);
  // It lists the name and does not get it; then nobody can tell what it wants, and who has it
  // leaves.
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
