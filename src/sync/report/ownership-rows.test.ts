import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { nameOf, parseZone, showZone } from "../../../test/support/values/zone-text.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { NO_TRANSFER } from "../../model/transfer-request.ts";
import { openNoopOwnership } from "../../ownership/noop/registry.ts";
import { withOtherFormats } from "../../ownership/with-other-formats.ts";
import type { OpenZoneInput } from "../contract/zone.ts";

/**
 * The row of `www` once its object has published it; the object lists these values for adoption.
 */
async function rowUnder(adoption: OpenZoneInput["adoption"], ...listed: readonly string[]) {
  const { engine, zoneInput, clock } = engineWorld();
  engine.openZone({ ...zoneInput, adoption });
  const adopt = listed.map((value) => ({ type: "A", value }));
  const contribution = entry("www", ["192.0.2.1"]);
  const items = contribution.found.items.map((one) => ({
    ...one,
    transfer: { ...NO_TRANSFER, adopt },
  }));
  engine.contribute(KEY, { ...contribution, found: { ...contribution.found, items } });
  await clock.advance(5_000);
  return (await engine.ownership(new Set([nameOf("www")])))[0]?.rows[0];
}

test.each<[string, OpenZoneInput["adoption"], readonly string[], boolean]>([
  ["equal takes what is as wanted", { mode: "equal" }, [], true],
  ["listed takes what the object lists", { mode: "listed", keys: [] }, ["192.0.2.1"], true],
  ["a list of something else takes nothing", { mode: "listed", keys: [] }, ["192.0.2.9"], false],
  ["no list takes nothing", { mode: "listed", keys: [] }, [], false],
  ["never is never", { mode: "never" }, ["192.0.2.1"], false],
])("whether a record would be adopted again: %s", async (_, adoption, listed, isAdoptable) => {
  expect(await rowUnder(adoption, ...listed)).toMatchObject({ whose: "ours", isAdoptable });
});

test("under --noop-owns every object may change existing records, and the columns of the zone remember it", async () => {
  const { engine, zoneInput, clock, content } = engineWorld();
  for (const next of parseZone("www 300 A 192.0.2.1")) content.write([{ key: next, next }]);
  const ownership = openNoopOwnership({ owns: [nameOf("@")], owner: "me" });
  engine.openZone({ ...zoneInput, ownership });
  engine.contribute(KEY, entry("www", ["192.0.2.2"]));
  await clock.advance(5_000);
  expect(showZone(content.at(nameOf("www")))).toBe("www 300 A 192.0.2.2");
});

test("what an object wants through a way that is not proven is wanted (Z-18)", async () => {
  const { engine, zoneInput, clock, account } = engineWorld();
  const copy = account.addZone({ name: KEY.zone, id: "copy", endpoint: "elsewhere" });
  const other = { account: "b", zone: "copy" };
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("api", ["192.0.2.2"]));
  await clock.advance(5_000);
  engine.unassign(KEY, entry("api", []).object);
  engine.openZone({ ...zoneInput, key: other, zone: copy.zone });
  engine.contribute(other, entry("api", ["192.0.2.2"]));
  await clock.advance(60_000);
  const rows = (await engine.ownership(null)).flatMap((zone) => zone.rows);
  const [row] = rows.filter(({ whose }) => whose === "ours");
  expect(row).toMatchObject({ wantedBy: null, wantedBeside: "dnsentry/default/api" });
});

test("rows are read in slices, and only at the names that are meant", async () => {
  const { engine, zoneInput, clock, content } = engineWorld();
  const names = Array.from({ length: 30 }, (_, n) => `n${n}`);
  for (const next of parseZone(names.map((name) => `${name} 300 A 192.0.2.1`).join("\n")))
    content.write([{ key: next, next }]);
  engine.openZone(zoneInput);
  await clock.advance(5_000);
  let turns = 0;
  let nowMs = 0;
  // Each look at the clock takes longer than a slice may.
  clock.monotonicMs = () => (nowMs += 20);
  Object.assign(clock, {
    yieldNow: async () => {
      turns += 1;
    },
  });
  const rowsOf = async (...asked: Parameters<typeof engine.ownership>) =>
    (await engine.ownership(...asked)).flatMap(({ rows }) => rows.map(({ name }) => name));
  // With SOA and NS at the apex.
  expect([(await rowsOf(null)).length, turns]).toEqual([32, 31]);
  turns = 0;
  const some = new Set([nameOf("n7"), nameOf("n3"), trustedDnsName("n3.example.net")]);
  expect(await rowsOf(some)).toEqual([nameOf("n3"), nameOf("n7")]);
  expect(turns).toBeLessThanOrEqual(3);
  expect(await engine.ownership(new Set([trustedDnsName("n3.example.net")]))).toEqual([]);
});

test("a zone that was not read gives the reason, and one that fails now keeps its known rows", async () => {
  const { engine, zoneInput, clock, account } = engineWorld();
  account.breakWith({ ...NO_FAULTS, read: () => [{ kind: "down" }] });
  engine.openZone(zoneInput);
  expect(await engine.ownership(null)).toMatchObject([{ trouble: "the zone is being loaded" }]);
  await clock.advance(1_000);
  const [zone] = await engine.ownership(null);
  expect(zone).toMatchObject({ trouble: engine.status()[0]?.message, rows: [] });
  expect(zone?.trouble).not.toBeNull();
});

test("a marker of another format names the owner of the record, and the columns of the zone remember its format", async () => {
  const { engine, zoneInput, clock, content } = engineWorld();
  const marked = `www 300 A 192.0.2.1
comment-www 600 TXT "owner=east"
comment-www 600 TXT "prefix=comment-"`;
  for (const next of parseZone(marked)) content.write([{ key: next, next }]);
  const apex = nameOf("@");
  const ownership = withOtherFormats(zoneInput.ownership, {
    apex,
    isOwnedByUs: (owner) => owner === "me",
  });
  engine.openZone({ ...zoneInput, ownership, adoption: { mode: "equal" } });
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  expect((await engine.ownership(new Set([nameOf("www")])))[0]?.rows).toMatchObject([
    { whose: "another", owners: ["east"], format: "gardener", wantedBy: "dnsentry/default/www" },
  ]);
  expect(content.at(nameOf("a-www"))).toEqual([]);
  for (const key of content.at(nameOf("comment-www"))) content.write([{ key, next: null }]);
  await clock.advance(600_000);
  expect((await engine.ownership(new Set([nameOf("www")])))[0]?.rows).toMatchObject([
    { whose: "ours" },
  ]);
});
