/** Z-18: what objects want in other zones, or in this one by another account, and what that keeps here. */
import { describe, expect, test } from "vitest";
import { APEX, engineWorld, entry, KEY } from "../../test/support/engine-world.ts";
import { parseZone } from "../../test/support/zone-text.ts";
import type { Contribution } from "./contract.ts";

const OTHER = { account: "b", zone: APEX };

/** What `object` wants at `www`. */
function wants(object: string, ...wishes: readonly (readonly [string, string])[]): Contribution {
  const key = { cluster: "c1", kind: "dnsentry", namespace: "default", name: object };
  const items = wishes.flatMap(([type, value]) =>
    entry("www", [value], type).found.items.map((item) => ({ ...item, provenance: key })),
  );
  const found = { items, waiting: [], problems: [], complete: true };
  return { object: key, generation: 1, deleting: false, found };
}

const GONE = wants("gone", ["A", "192.0.2.1"], ["AAAA", "2001:db8::1"]);

/** `gone` has the name in the zone, another object lists it elsewhere, and then it is deleted. */
async function leaves(where: "another zone" | "another account" | "no zone", own?: Contribution) {
  const world = engineWorld();
  const { engine, setup, account, clock, content } = world;
  const types = { ...setup, managedTypes: new Set(["A", "AAAA", "CNAME", "TXT"]) };
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
  engine.contribute(OTHER, wants("elsewhere", ["A", "192.0.2.7"]));
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

  test("two objects that want it by two accounts do not wait for each other (F15 1268)", async () => {
    const end = await leaves("another account", wants("own", ["CNAME", "lb.example.net"]));
    expect([["A 192.0.2.7"], ["CNAME lb.example.net"]]).toContainEqual(end);
  });
});
