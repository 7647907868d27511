import { expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../test/support/engine-world.ts";
import { nameOf, parseZone, showZone } from "../../test/support/zone-text.ts";
import { NO_TRANSFER } from "../model/transfer-wish.ts";
import { openNoopOwnership } from "../ownership/noop/ownership.ts";
import { withOthers } from "../ownership/with-others.ts";
import type { ZoneSetup } from "./contract.ts";

/** The row of `www` once its object has published it; the object lists these values for adoption. */
async function rowUnder(adoption: ZoneSetup["adoption"], ...listed: readonly string[]) {
  const { engine, setup, clock } = engineWorld();
  engine.openZone({ ...setup, adoption });
  const adopt = listed.map((value) => ({ type: "A", value }));
  const said = entry("www", ["192.0.2.1"]);
  const items = said.found.items.map((one) => ({ ...one, transfer: { ...NO_TRANSFER, adopt } }));
  engine.contribute(KEY, { ...said, found: { ...said.found, items } });
  await clock.advance(5_000);
  return engine.rights(nameOf("www"))[0]?.rows[0];
}

test.each<[string, ZoneSetup["adoption"], readonly string[], boolean]>([
  ["equal takes what is as wanted", { mode: "equal" }, [], true],
  ["listed takes what the object lists", { mode: "listed", keys: [] }, ["192.0.2.1"], true],
  ["a list of something else takes nothing", { mode: "listed", keys: [] }, ["192.0.2.9"], false],
  ["no list takes nothing", { mode: "listed", keys: [] }, [], false],
  ["never is never", { mode: "never" }, ["192.0.2.1"], false],
])("whether a record would be adopted again: %s", async (_, adoption, listed, isAdoptable) => {
  expect(await rowUnder(adoption, ...listed)).toMatchObject({ whose: "ours", isAdoptable });
});

test("under --noop-owns every object may change what stands, and the columns of the zone remember it", async () => {
  const { engine, setup, clock, content } = engineWorld();
  for (const next of parseZone("www 300 A 192.0.2.1")) content.write([{ key: next, next }]);
  const ownership = openNoopOwnership({ owns: [nameOf("@")], owner: "me" });
  engine.openZone({ ...setup, ownership });
  engine.contribute(KEY, entry("www", ["192.0.2.2"]));
  await clock.advance(5_000);
  expect(showZone(content.at(nameOf("www")))).toBe("www 300 A 192.0.2.2");
});

test("a marker of another format says whose the record is, and the columns of the zone remember its format", async () => {
  const { engine, setup, clock, content } = engineWorld();
  const marked = `www 300 A 192.0.2.1
comment-www 600 TXT "owner=east"
comment-www 600 TXT "prefix=comment-"`;
  for (const next of parseZone(marked)) content.write([{ key: next, next }]);
  const apex = nameOf("@");
  const ownership = withOthers(setup.ownership, { apex, isOurs: (owner) => owner === "me" });
  engine.openZone({ ...setup, ownership, adoption: { mode: "equal" } });
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  expect(engine.rights(nameOf("www"))[0]?.rows).toMatchObject([
    { whose: "another", owners: ["east"], format: "gardener", wantedBy: "dnsentry/default/www" },
  ]);
  expect(content.at(nameOf("a-www"))).toEqual([]);
  for (const key of content.at(nameOf("comment-www"))) content.write([{ key, next: null }]);
  await clock.advance(600_000);
  expect(engine.rights(nameOf("www"))[0]?.rows).toMatchObject([{ whose: "ours" }]);
});
