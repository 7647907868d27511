/**
 * Z-18: what objects want in other zones, or in this one by another account, and what that keeps
 * here.
 */
import { describe, expect, test } from "vitest";
import { parseZone } from "../../../test/support/values/zone-text.ts";
import { APEX, engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { Contribution } from "../contract/contribution.ts";

const OTHER = { account: "b", zone: APEX };

/** What `object` wants at `www`. */
function wants(
  object: string,
  ...recordSets: readonly (readonly [string, string])[]
): Contribution {
  const key = { cluster: "c1", kind: "dnsentry", namespace: "default", name: object };
  const items = recordSets.flatMap(([type, value]) =>
    entry("www", [value], type).found.items.map((item) => ({ ...item, provenance: key })),
  );
  const found = { items, waiting: [], problems: [], complete: true };
  return { object: key, generation: 1, deleting: false, found };
}

const GONE = wants("gone", ["A", "192.0.2.1"], ["AAAA", "2001:db8::1"]);

/** `gone` has the name in the zone, another object lists it elsewhere, and then it is deleted. */
async function leaves(
  where: "another zone" | "another account" | "no zone" | "nowhere",
  own?: Contribution,
  other = wants("elsewhere", ["A", "192.0.2.7"]),
) {
  const world = engineWorld();
  const { engine, zoneInput, account, clock, content } = world;
  const types = { ...zoneInput, managedTypes: new Set(["A", "AAAA", "CNAME", "MX", "TXT"]) };
  engine.openZone(types);
  if (where === "another account") engine.openZone({ ...types, key: OTHER });
  if (where === "another zone") {
    const records = parseZone("@ 3600 NS ns.inside.example.net");
    const inside = { name: APEX, id: "private", endpoint: "inside", records };
    engine.openZone({ ...types, key: OTHER, zone: account.addZone(inside).zone });
  }
  engine.contribute(KEY, GONE);
  await clock.advance(5_000);
  if (own !== undefined) engine.contribute(KEY, own);
  engine.contribute(where === "nowhere" ? null : OTHER, other);
  await clock.advance(5_000);
  engine.withdraw(GONE.object, "deleted-object");
  await clock.advance(60_000);
  await engine.stop();
  const name = entry("www", []).found.items[0]?.name ?? APEX;
  return content.at(name).map(({ type, values }) => `${type} ${values.join()}`);
}

test("a zone that was seen twice stays so when one account reads it later than the other (Z-18)", async () => {
  const { engine, zoneInput, account, clock } = engineWorld();
  const records = parseZone("@ 3600 NS ns.example.net");
  const one = { name: APEX, id: "one", endpoint: "10.0.0.1", records };
  const outside = account.addZone(one);
  const inside = account.addZone({ ...one, id: "two", endpoint: "10.0.0.2" });
  engine.openZone({ ...zoneInput, zone: outside.zone });
  engine.openZone({ ...zoneInput, key: OTHER, zone: inside.zone });
  const gone = wants("gone", ["A", "192.0.2.1"]);
  engine.contribute(KEY, gone);
  engine.contribute(OTHER, wants("elsewhere", ["A", "192.0.2.1"]));
  await clock.advance(5_000);
  const ns = outside.content.at(APEX).find(({ type }) => type === "NS");
  if (ns === undefined) throw new Error("no NS");
  outside.content.write([
    { key: ns, next: { ...ns, values: ["ns.example.net", "ns2.example.net"] } },
  ]);
  await clock.advance(60_000);
  engine.withdraw(gone.object, "deleted-object");
  await clock.advance(60_000);
  const name = gone.found.items[0]?.name ?? APEX;
  expect(outside.content.at(name).map(({ type }) => type)).toEqual(["A"]);
  // A closed zone is no duplicate of another one; a zone that opens again is compared again.
  await engine.closeZone(OTHER);
  engine.openZone({ ...zoneInput, key: OTHER, zone: inside.zone });
  engine.withdraw(wants("elsewhere").object, "deleted-object");
  await clock.advance(60_000);
  expect(outside.content.at(name)).toEqual([]);
  await engine.stop();
});

test("two zones of one name that were never alike, and hold one record of ours, may be one that was read twice", async () => {
  const { engine, zoneInput, account, clock } = engineWorld();
  const zoneAt = (id: string, server: string) =>
    account.addZone({ name: APEX, id, endpoint: id, records: parseZone(`@ 3600 NS ${server}`) });
  const [outside, inside] = [zoneAt("one", "ns.example.net"), zoneAt("two", "ns2.example.net")];
  engine.openZone({ ...zoneInput, zone: outside.zone });
  const gone = wants("gone", ["A", "192.0.2.1"]);
  engine.contribute(KEY, gone);
  await clock.advance(5_000);
  for (const set of outside.content.all())
    if (set.name !== APEX) inside.content.write([{ key: set, next: set }]);
  // There the record may not be changed, and keeps the marker of the one that goes.
  engine.openZone({ ...zoneInput, key: OTHER, zone: inside.zone, policy: "create-only" });
  engine.contribute(OTHER, wants("elsewhere", ["A", "192.0.2.7"]));
  await clock.advance(5_000);
  engine.withdraw(gone.object, "deleted-object");
  await clock.advance(60_000);
  await engine.stop();
  const name = gone.found.items[0]?.name ?? APEX;
  expect(outside.content.at(name).map(({ type }) => type)).toEqual(["A"]);
});

describe("a record whose object is gone, where another object lists its name elsewhere", () => {
  test("goes, if that is another zone, as the inner view of a name is", async () => {
    expect(await leaves("another zone")).toEqual([]);
  });

  test("passes to that object, if that is another account of the zone", async () => {
    expect(await leaves("another account")).toEqual(["A 192.0.2.7"]);
  });

  test("stays, as long as nobody knows where", async () => {
    expect(await leaves("no zone")).toEqual(["A 192.0.2.1", "AAAA 2001:db8::1"]);
  });

  test.each([
    ["value", wants("own", ["A", "192.0.2.2"]), ["A 192.0.2.2"]],
    ["type", wants("own", ["CNAME", "lb.example.net"]), ["CNAME lb.example.net"]],
  ])(
    "makes room for another %s of an object here, and what is beside it goes",
    async (_, own, end) => {
      expect(await leaves("no zone", own)).toEqual(end);
    },
  );

  test("goes, if that object wants nothing of the sort by another account", async () => {
    const text = wants("elsewhere", ["TXT", '"x"']);
    const mail = wants("own", ["MX", "10 mx.example.net"]);
    const end = ["MX 10 mx.example.net", 'TXT "x"'];
    expect((await leaves("another account", mail, text)).sort()).toEqual(end);
  });

  test("stays, if that object wants it by no known account (an entry whose provider fails)", async () => {
    expect(await leaves("nowhere")).toEqual(["A 192.0.2.1", "AAAA 2001:db8::1"]);
  });

  test("two objects that want it by two accounts do not wait for each other (F15 1268)", async () => {
    const end = await leaves("another account", wants("own", ["CNAME", "lb.example.net"]));
    expect([["A 192.0.2.7"], ["CNAME lb.example.net"]]).toContainEqual(end);
  });
});
