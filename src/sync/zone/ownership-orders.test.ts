import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseOwned,
  parseZone,
} from "../../../test/support/values/zone-text.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import { markerState } from "../../plan/claims.ts";
import { ZoneTexts } from "../cache/columns/zone-texts.ts";
import { OwnedIndex } from "../cache/owned-index.ts";
import { ORDERS_MAX, OwnershipOrders } from "./ownership-orders.ts";

const [held] = parseOwned("www 300 A 192.0.2.1 ; owner=gone");
if (held === undefined) throw new Error("no record");
const key = { name: held.name, type: "A", setIdentifier: null };
const marker = held.marker === null ? "" : markerState(held.marker);

describe("the desk of one zone", () => {
  test("an order counts for a minute, and only while what was seen stands", async () => {
    const clock = new VirtualClock();
    const over: string[] = [];
    const orders = new OwnershipOrders(clock, (names) => over.push(...names));
    orders.take([{ key, order: { is: "transfer", marker } }]);
    expect([orders.byKey.size, orders.isAbout(key.name)]).toEqual([1, true]);
    orders.dropOutdated(key.name, [held]);
    expect([orders.byKey.size, over]).toEqual([1, []]);
    await clock.advance(60_000);
    expect([orders.byKey.size, orders.isAbout(key.name), over]).toEqual([0, false, [key.name]]);
  });

  test("each order ends a minute after it was given, whatever else is ordered", async () => {
    const clock = new VirtualClock();
    const over: string[][] = [];
    const orders = new OwnershipOrders(clock, (names) => over.push([...names]));
    const order = { is: "transfer", marker } as const;
    const requestAt = (name: string) => ({ key: { ...key, name: nameOf(name) }, order });
    orders.take([requestAt("first"), requestAt("again")]);
    await clock.advance(50_000);
    orders.take([requestAt("later"), requestAt("again")]);
    await clock.advance(10_000);
    expect([...orders.byKey.keys()]).toEqual(["later.example.org A", "again.example.org A"]);
    expect(over).toEqual([["first.example.org"]]);
    expect(orders.isAbout(nameOf("first"))).toBe(false);
    expect(orders.isAbout(nameOf("later"))).toBe(true);
    await clock.advance(50_000);
    expect(over).toEqual([["first.example.org"], ["later.example.org", "again.example.org"]]);
    expect(orders.byKey.size).toBe(0);
  });

  test("a desk that is closed tells nobody", async () => {
    const clock = new VirtualClock();
    const over: string[] = [];
    const orders = new OwnershipOrders(clock, (names) => over.push(...names));
    orders.take([{ key, order: { is: "transfer", marker } }]);
    orders.close();
    await clock.advance(60_000);
    expect([orders.byKey.size, orders.isAbout(key.name), over]).toEqual([0, false, []]);
  });

  test("what became another record, or somebody's, ends the order", () => {
    const orders = new OwnershipOrders(new VirtualClock());
    orders.take([{ key, order: { is: "release", marker: "[]" } }]);
    orders.dropOutdated(key.name, [held]);
    expect([orders.byKey.size, orders.isAbout(key.name)]).toEqual([0, false]);
    orders.take([{ key, order: { is: "adopt", values: ["192.0.2.1"] } }]);
    orders.dropOutdated(key.name, parseOwned("www 300 A 192.0.2.1"));
    expect(orders.byKey.size).toBe(1);
    orders.dropOutdated(key.name, parseOwned("www 300 A 192.0.2.2"));
    expect(orders.byKey.size).toBe(0);
  });

  test("an undo stays while its own change is under way, and ends when it is made, or somebody else's is there", () => {
    const [from] = parseZone("www 300 A 192.0.2.1");
    const [to] = parseDesired("www 300 A 192.0.2.2");
    if (from === undefined || to === undefined) throw new Error("no record");
    const change = { is: "undo", from, to } as const;
    const left = (text: string): number => {
      const orders = new OwnershipOrders(new VirtualClock());
      orders.take([{ key, order: change }]);
      expect(orders.undoneAt(key.name)).toEqual([{ key, to }]);
      orders.dropOutdated(key.name, parseOwned(text));
      return orders.undoneAt(key.name).length;
    };
    expect(left("www 300 A 192.0.2.1 ; owner=me")).toBe(1);
    for (const text of [
      "www 300 A 192.0.2.2 ; owner=me",
      "www 300 A 192.0.2.3 ; owner=me",
      "www 60 A 192.0.2.1 ; owner=me",
      "www 300 AAAA 2001:db8::1 ; owner=me",
    ])
      expect(left(text)).toBe(0);
  });

  test("too many at once are refused whole", () => {
    const orders = new OwnershipOrders(new VirtualClock());
    const many = Array.from({ length: ORDERS_MAX + 1 }, (_, at) => ({
      key: { ...key, name: nameOf(`n${at}`) },
      order: { is: "transfer", marker } as const,
    }));
    expect([orders.take(many), orders.byKey.size]).toEqual([false, 0]);
  });
});

describe("permits in the owned view", () => {
  const [record] = parseZone('_permit.a.www 300 TXT "permit"');
  if (record === undefined) throw new Error("no record");
  const permit = { owner: "me", toOwner: "west", toResource: "service/a/b", record };

  test("come back as they were put, with and without a record beside them, and leave nothing behind", () => {
    const texts = new ZoneTexts();
    const index = new OwnedIndex(new Set(["me"]), texts);
    const with_: OwnedRecordSet = { ...held, permit };
    const alone: OwnedRecordSet = { ...key, data: null, marker: null, contested: false, permit };
    for (const set of [with_, alone]) {
      expect(index.put(key.name, [set])).toBe(true);
      expect(index.put(key.name, [set])).toBe(false);
      expect(index.at(key.name)).toEqual([set]);
      expect(index.hasPermit(key.name)).toBe(true);
    }
    expect(index.put(key.name, [{ ...alone, permit: { ...permit, owner: "you" } }])).toBe(true);
    expect(index.hasPermit(key.name)).toBe(false);
    index.put(key.name, []);
    expect([index.hasPermit(key.name), index.hasPermit(ORIGIN)]).toEqual([false, false]);
  });
});
