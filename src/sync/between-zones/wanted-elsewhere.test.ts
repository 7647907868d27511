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

test("Z-2: what its object wants by a way that is not open stays, whatever it said here before", async () => {
  const { engine, zoneInput, clock, values } = engineWorld();
  engine.openZone(zoneInput);
  const own = entry("www", ["192.0.2.1"]);
  engine.contribute(KEY, own);
  await clock.advance(5_000);
  const waiting = own.found.items.map(({ name }) => ({ name, reason: "NoTargets" as const }));
  engine.contribute(KEY, { ...own, found: { ...own.found, items: [], waiting } });
  await clock.advance(5_000);
  engine.contribute(OTHER, own);
  engine.gatesChanged();
  await clock.advance(60_000);
  expect(values("www")).toEqual(["192.0.2.1"]);
});
