/** Contributions of an object to several zones, as first contact with them looks at it (Z-24). */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { ALL_SEEN, fakeObserver } from "../../../test/support/values/fake-observer.ts";
import type { KnownObject } from "../../controllers/publication/published-kind.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { AbsenceTracker } from "../../sync/absence/absence-tracker.ts";
import { AddressWaits } from "../../sync/absence/address-waits.ts";
import { contributionsTo } from "./zone-contributions.ts";

const ID = { cluster: "c1", kind: "gateway", namespace: "default", name: "edge" };
const ZONES = ["example.org", "example.net"].map(trustedDnsName);
const item = (zone: string, value: string): DesiredRecordSet => ({
  ...{ name: trustedDnsName(`www.${zone}`), type: "A", setIdentifier: null, ttlSeconds: null },
  ...{ values: [value], properties: {}, routingPolicy: null, provenance: ID, owner: null },
  createdAtMs: 0,
});
const foundIn = (items: readonly DesiredRecordSet[]) => ({
  ...{ items, waiting: [], problems: [], complete: true },
});

test("an object of two zones has changed once it asks for something else, in each of them", () => {
  const absences = new AbsenceTracker({
    observer: fakeObserver("unknown"),
    waits: new AddressWaits(new VirtualClock(), null),
    recordsAt: () => [],
    sightings: ALL_SEEN,
  });
  const metadata = { name: "edge", namespace: "default", generation: 1, uid: "1" };
  const object = { apiVersion: "v1", kind: "Gateway", metadata };
  const known: KnownObject = {
    ...{ object, key: "default/edge", id: ID, assignments: [], reports: [] },
    unlisted: [],
  };
  const contribute = (value: string): readonly boolean[] => {
    const items = ZONES.map((zone) => item(zone, value));
    const zones = ZONES.map((zone, at) => {
      const key = { account: "a", zone };
      return [zone, { key, zone, found: foundIn(items.slice(at, at + 1)) }] as const;
    });
    const split = { zones: new Map(zones), unserved: [], isComplete: true };
    for (const { contribution } of contributionsTo(known, foundIn(items), split).atOnce)
      absences.contributed(contribution);
    return items.map((one) => absences.records.hasChanged(one));
  };
  expect(contribute("192.0.2.1")).toEqual([false, false]);
  expect(contribute("192.0.2.1")).toEqual([false, false]);
  expect(contribute("192.0.2.2")).toEqual([true, true]);
  // It lists its names in all of them, whichever it was contributed to last.
  for (const { name } of ZONES.map((zone) => item(zone, "")))
    expect([absences.records.listings.listing(name).length, name]).toEqual([1, name]);
  expect(ZONES.map((zone) => absences.records.tombstonesAt(`www.${zone}`))).toEqual([[], []]);
});
