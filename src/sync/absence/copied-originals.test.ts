import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { ALL_SEEN, fakeObserver } from "../../../test/support/values/fake-observer.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Marker } from "../../plan/changes.ts";
import { NOTHING } from "../../sources/source.ts";
import type { Contribution } from "../contract/contribution.ts";
import { AbsenceTracker } from "./absence-tracker.ts";
import { AddressWaits } from "./address-waits.ts";

const NAME = trustedDnsName("www.example.org");
const key = (name: string) => ({ cluster: "c1", kind: "dnsentry", namespace: "default", name });
const KEY = { name: NAME, type: "A", setIdentifier: null, properties: {}, routingPolicy: null };
const LABELS = { owner: "me", resource: "dnsentry/default/web", cluster: "c1" };
const MARKER: Marker = { ...LABELS, labels: {}, record: null };
const OWNED = { ...KEY, data: null, marker: MARKER, contested: false };

function wanting(name: string, succeeds?: Contribution["found"]["succeeds"]): Contribution {
  const origin = { provenance: key(name), owner: null, createdAtMs: 0 };
  const item: DesiredRecordSet = { ...KEY, ttlSeconds: 60, values: ["192.0.2.1"], ...origin };
  const found = { ...NOTHING, items: [item], ...(succeeds === undefined ? {} : { succeeds }) };
  return { object: key(name), generation: 1, deleting: false, found };
}

const waiting = ({ found, ...others }: Contribution): Contribution => ({
  ...others,
  found: { ...found, items: [], waiting: [{ name: NAME, reason: "NoTargets" }] },
});

function tracker(): AbsenceTracker {
  const waits = new AddressWaits(new VirtualClock(), null);
  const observer = fakeObserver("alive");
  return new AbsenceTracker({ observer, waits, recordsAt: () => [], sightings: ALL_SEEN });
}

test.each([true, false])("Z-2 the copy has what its original had (known before: %s)", (isKnown) => {
  const absences = tracker();
  const copy = wanting("copy", [key("web")]);
  if (isKnown) absences.contributed(wanting("web"));
  expect(absences.verdict(OWNED, [])).toMatchObject({ proven: false });
  absences.contributed(copy);
  const proof = "object-omits-name";
  expect(absences.verdict(OWNED, [copy])).toEqual({ proven: true, proof, successor: key("copy") });
  expect(absences.confirming.of(NAME, MARKER)).toEqual([
    { cluster: "c1", resource: "dnsentry/default/copy", isDerived: false },
  ]);
});

test.each([
  ["that succeeds nobody", wanting("copy")],
  ["that waits", waiting(wanting("copy", [key("web")]))],
])("Z-2 a copy %s proves nothing", (_, copy) => {
  const absences = tracker();
  absences.contributed(copy);
  expect(absences.verdict(OWNED, [copy])).toMatchObject({ proven: false });
});

test("Z-2 an original that is published again keeps its record", () => {
  const absences = tracker();
  const [web, copy] = [wanting("web"), wanting("copy", [key("web")])];
  absences.contributed(copy);
  absences.contributed(web);
  expect(absences.verdict(OWNED, [copy])).toMatchObject({ code: "WantedElsewhere" });
});
