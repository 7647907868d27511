import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { ALL_SEEN, fakeObserver } from "../../../test/support/values/fake-observer.ts";
import { NOTHING } from "../../sources/source.ts";
import type { Contribution } from "../contract/contribution.ts";
import { AbsenceTracker } from "./absence-tracker.ts";
import { AddressWaits } from "./address-waits.ts";
import { renamedObject } from "./object-facts.ts";

const WEB = { cluster: "c1", kind: "dnsentry", namespace: "default", name: "web" };
const MARKER = {
  ...{ owner: "me", resource: "dnsentry/default/web", cluster: "c1" },
  ...{ labels: {}, record: null },
};
const WWW = trustedDnsName("www.example.org");
const SHOP = trustedDnsName("shop.example.org");
const BLOG = trustedDnsName("blog.example.org");

function listing(...names: readonly DnsName[]): Contribution {
  const waiting = names.map((name) => ({ name, reason: "NoTargets" }));
  return { object: WEB, generation: 1, deleting: false, found: { ...NOTHING, waiting } };
}

function trackerAfter(...contributions: readonly Contribution[]): AbsenceTracker {
  const waits = new AddressWaits(new VirtualClock(), null);
  const observer = fakeObserver("alive");
  const tracker = new AbsenceTracker({
    ...{ observer, waits, recordsAt: () => [], sightings: ALL_SEEN },
  });
  for (const one of contributions) tracker.contributed(one);
  return tracker;
}

const insteadIn = (tracker: AbsenceTracker) => [
  ...(renamedObject(WWW, MARKER, tracker)?.instead ?? []),
];

test.each([
  ["an edit that was seen", [listing(WWW), listing(SHOP)]],
  ["a restart", [listing(SHOP)]],
])(
  "Z-32 after %s a plan that only asks changes nothing, and one that waited is followed",
  (_, contributions) => {
    const tracker = trackerAfter(...contributions);
    expect([insteadIn(tracker), insteadIn(tracker)]).toEqual([[SHOP], [SHOP]]);
    const renamed = renamedObject(WWW, MARKER, tracker);
    if (renamed === null) throw new Error("no rename");
    tracker.records.former.waited(WWW, renamed, []);
    tracker.contributed(listing(BLOG));
    expect(insteadIn(tracker)).toEqual([BLOG]);
    tracker.records.former.waited(WWW, { ...renamed, instead: new Set([BLOG]) }, [BLOG]);
    expect(insteadIn(tracker)).toEqual([]);
  },
);
