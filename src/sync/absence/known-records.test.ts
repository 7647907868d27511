import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import { OwnedIndex } from "../cache/owned-index.ts";
import { type KnownZone, knownRecordsAt } from "./absence-tracker.ts";

const NAME = trustedDnsName("www.sub.example.org");

/** A zone that holds one record set of ours at the name, or that was not read. */
function zone(apex: string, type: string | null): KnownZone {
  if (type === null) return { apex: trustedDnsName(apex), state: null };
  const marker = { owner: "me", resource: null, cluster: null, labels: {}, record: null };
  const set = { name: NAME, type, setIdentifier: null, data: null, marker, contested: false };
  const owned = new OwnedIndex(new Set(["me"]));
  owned.put(NAME, [set]);
  return { apex: trustedDnsName(apex), state: { owned } };
}

const types = (sets: readonly OwnedRecordSet[] | null) => sets?.map(({ type }) => type);

test("every zone that may hold the name counts, and no other one", () => {
  const zones = [zone("example.org", "A"), zone("sub.example.org", "TXT"), zone("net", "MX")];
  expect(types(knownRecordsAt(NAME, zones))).toEqual(["A", "TXT"]);
});

test("while one of them was not read nobody knows; another zone does not matter", () => {
  expect(knownRecordsAt(NAME, [zone("example.org", "A"), zone("example.org", null)])).toBeNull();
  expect(types(knownRecordsAt(NAME, [zone("example.org", "A"), zone("net", null)]))).toEqual(["A"]);
});
