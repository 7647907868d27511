import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { fakeObserver } from "../../../test/support/values/fake-observer.ts";
import type { ObjectKey } from "../../model/provenance.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { Contribution } from "../contract/contribution.ts";
import { AbsenceTracker } from "./absence-tracker.ts";
import { AddressWaits } from "./address-waits.ts";

const NAME = trustedDnsName("www.example.org");
const ENTRY: ObjectKey = { cluster: "c1", kind: "dnsentry", namespace: "team", name: "web-x" };
const service = (cluster: string): ObjectKey => ({
  ...{ cluster, kind: "service", namespace: "team", name: "web" },
});

/** Of the DNSEntry for the Service of that cluster. */
function listing(names: readonly string[], cluster = "shoot", object = ENTRY): Contribution {
  const items = names.map((name) => ({
    ...{ name: trustedDnsName(name), type: "A", setIdentifier: null, ttlSeconds: 300 },
    ...{ values: ["192.0.2.1"], properties: {}, routingPolicy: null, owner: null, createdAtMs: 0 },
    provenance: service(cluster),
  }));
  const found = { items, waiting: [], problems: [], complete: true };
  return { object, generation: 1, deleting: false, found };
}

function ownedBy(cluster: string, type = "A"): OwnedRecordSet {
  const resource = "service/team/web";
  const marker = { owner: "me", resource, cluster, labels: {}, record: null };
  return { name: NAME, type, setIdentifier: null, data: null, marker, contested: false };
}

const kind = { markerKind: "dnsentry", isRemembered: true, trouble: null };
const kindsOf = (state: "live" | "stale") => () => [
  { ...kind, cluster: "c1", kind: "dnsentries", state },
];

function trackerWith(
  entryState: "absent" | "alive" = "alive",
  kinds: ReturnType<typeof kindsOf> = kindsOf("live"),
): AbsenceTracker {
  const waits = new AddressWaits(new VirtualClock(), null);
  return new AbsenceTracker({
    ...{ waits, recordsAt: () => null },
    observer: fakeObserver(
      (resource) => (resource.startsWith("dnsentry/") ? entryState : "unknown"),
      {
        kinds,
      },
    ),
  });
}

describe("Z-30 the DNSEntry of an object whose cluster is not served", () => {
  test.each([
    ["watched to be deleted", "deleted-object", []],
    [
      "missing from a list",
      "missing-from-list",
      [{ cluster: "c1", resource: "dnsentry/team/web-x", isDerived: false }],
    ],
  ] as const)("%s, it proves the end of the object's wish: %s", (_, proof, confirming) => {
    const absences = trackerWith();
    absences.contributed(listing([NAME]));
    absences.withdrawn(ENTRY, proof);
    expect(absences.verdict(ownedBy("shoot"), [])).toEqual({ proven: true, proof });
    if (confirming.length > 0)
      expect(absences.confirming.of(NAME, marked("shoot"))).toEqual(confirming);
  });

  test("found while it is deleted, also by a process that has just started", () => {
    const absences = trackerWith();
    absences.contributed({ ...listing([NAME]), deleting: true });
    const verdict = absences.verdict(ownedBy("shoot"), []);
    expect(verdict).toEqual({ proven: true, proof: "found-deleting" });
  });

  test("says nothing of a namesake in another cluster", () => {
    const absences = trackerWith();
    absences.contributed(listing([NAME]));
    absences.withdrawn(ENTRY, "deleted-object");
    expect(absences.verdict(ownedBy("other"), [])).toMatchObject({ code: "ClusterUnknown" });
  });

  test("lists the name without a record set: that set goes, and it is read once more before", () => {
    const absences = trackerWith();
    const here = listing([NAME]);
    absences.contributed(here);
    const verdict = absences.verdict(ownedBy("shoot", "AAAA"), [here]);
    expect(verdict).toEqual({ proven: true, proof: "object-omits-name" });
    expect(absences.confirming.of(NAME, marked("shoot"))).toEqual([
      { cluster: "c1", resource: "dnsentry/team/web-x", isDerived: true },
    ]);
  });

  test("keeps the record while it lives and lists another name, and no longer", () => {
    for (const [state, expected] of [
      ["alive", { proven: false, code: "SourceAlive" }],
      ["absent", { proven: true, proof: "missing-from-list" }],
    ] as const) {
      const absences = trackerWith(state);
      absences.contributed(listing([NAME]));
      absences.contributed({ ...listing(["other.example.org"]), generation: 2 });
      expect(absences.verdict(ownedBy("shoot"), [])).toMatchObject(expected);
    }
  });

  test("another one that lists the name keeps the record", () => {
    const absences = trackerWith();
    absences.contributed(listing([NAME]));
    absences.contributed(listing([NAME], "shoot", { ...ENTRY, name: "twin" }));
    absences.withdrawn(ENTRY, "deleted-object");
    expect(absences.verdict(ownedBy("shoot"), [])).toMatchObject({ code: "WantedElsewhere" });
  });

  test("proves nothing while a kind of a served cluster is not watched", () => {
    const absences = trackerWith("alive", kindsOf("stale"));
    absences.contributed(listing([NAME]));
    absences.withdrawn(ENTRY, "deleted-object");
    expect(absences.verdict(ownedBy("shoot"), [])).toMatchObject({ code: "NotSynced" });
  });

  test("no alias is advised for a cluster that has living ones here", () => {
    const absences = trackerWith();
    const messageOf = () => JSON.stringify(absences.verdict(ownedBy("shoot"), []));
    expect(messageOf()).toContain("zonekeeper plan says once for all such records what to do");
    absences.contributed(listing(["other.example.org"]));
    expect(messageOf()).not.toContain("zonekeeper plan");
    expect(messageOf()).toContain("Other DNSEntries here are of that cluster");
  });
});

function marked(cluster: string) {
  return { ...{ owner: "me", resource: "service/team/web", cluster }, labels: {}, record: null };
}
