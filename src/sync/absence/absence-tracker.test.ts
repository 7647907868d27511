import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { ALL_SEEN, fakeObserver } from "../../../test/support/values/fake-observer.ts";
import type { Marker, OwnedRecordSet } from "../../plan/changes.ts";
import type { Contribution } from "../contract/contribution.ts";
import type { ObjectObserver } from "../contract/object-observation.ts";
import { AbsenceTracker } from "./absence-tracker.ts";
import { AddressWaits } from "./address-waits.ts";

const NAME = trustedDnsName("www.example.org");
const KEY = { name: NAME, type: "A", setIdentifier: null };
const entry = (name: string) => ({ cluster: "c1", kind: "dnsentry", namespace: "default", name });

function contribution(
  name: string,
  names: readonly string[],
  extra: Partial<Contribution["found"]> & { deleting?: boolean } = {},
): Contribution {
  const { deleting = false, ...found } = extra;
  return {
    object: entry(name),
    generation: 1,
    deleting,
    found: {
      items: names.map((dnsName) => ({
        name: trustedDnsName(dnsName),
        type: "A",
        setIdentifier: null,
        ttlSeconds: 300,
        values: ["192.0.2.1"],
        properties: {},
        routingPolicy: null,
        provenance: entry(name),
        owner: null,
        createdAtMs: 0,
      })),
      waiting: [],
      problems: [],
      complete: true,
      ...found,
    },
  };
}

function ownedSet(resource: string | null): OwnedRecordSet {
  const marker = { owner: "me", resource, cluster: null, labels: {}, record: null };
  return { name: NAME, type: "A", setIdentifier: null, data: null, marker, contested: false };
}

function trackerWith(
  observer: ObjectObserver = fakeObserver("unknown"),
  waits = new AddressWaits(new VirtualClock(), null),
  records: readonly OwnedRecordSet[] | null = [],
): AbsenceTracker {
  return new AbsenceTracker({ observer, waits, recordsAt: () => records, sightings: ALL_SEEN });
}

const NOTHING = contribution("web", []).found;
const UNLISTED = {
  cluster: "c1",
  kind: "services",
  markerKind: "service",
  state: "syncing",
  isRemembered: false,
  trouble: null,
} as const;
/** The contribution of `web` to this zone. */
const HERE = [contribution("web", [NAME])];
const RESOURCE = "dnsentry/default/web";

describe("Z-2 proof of absence", () => {
  test("the same contribution said anew counts as the latest, whatever the order of its values and properties", () => {
    const absences = trackerWith(fakeObserver("absent"));
    const [listed] = HERE;
    const item = listed?.found.items[0];
    if (listed === undefined || item === undefined) throw new Error("nothing was said");
    const found = (values: readonly string[]) => ({
      ...listed.found,
      items: [{ ...item, values }],
    });
    absences.contributed({ ...listed, found: found(["192.0.2.1", "192.0.2.2"]) });
    const other = { ...ownedSet("dnsentry/default/other"), type: "AAAA" };
    const again = { ...listed, found: found(["192.0.2.2", "192.0.2.1"]) };
    expect(absences.verdict(other, [again])).toMatchObject({ proven: true });
    expect(absences.verdict(other, [{ ...listed, found: found(["192.0.2.9"]) }])).toMatchObject({
      code: "WantedElsewhere",
    });
  });

  test("an object that was withdrawn proves the absence of what it listed", () => {
    const absences = trackerWith();
    absences.contributed(contribution("web", [NAME]));
    absences.withdrawn(entry("web"), "deleted-object");
    expect(absences.verdict(ownedSet(RESOURCE), HERE)).toEqual({
      proven: true,
      proof: "deleted-object",
    });
  });

  test("a complete contribution that omits the name proves it, more weakly", () => {
    const absences = trackerWith();
    absences.contributed(contribution("web", [NAME]));
    absences.contributed(contribution("web", ["other.example.org"]));
    expect(absences.verdict(ownedSet(RESOURCE), HERE)).toEqual({
      proven: true,
      proof: "object-omits-name",
    });
  });

  test.each([
    ["dnsentry", "object-dropped-name"],
    ["service", "object-omits-name"],
  ])("Z-16 a new generation that omits the name, of an entry of a %s: %s", (kind, proof) => {
    const absences = trackerWith(fakeObserver("alive", { found: NOTHING }));
    const provenance = { ...entry("web"), kind };
    const listed = contribution("web", [NAME]);
    const items = listed.found.items.map((item) => ({ ...item, provenance }));
    absences.contributed({ ...listed, found: { ...listed.found, items } });
    absences.contributed({ ...contribution("web", []), generation: 2 });
    const owned = ownedSet(`${kind}/default/web`);
    expect(absences.verdict(owned, [])).toEqual({ proven: true, proof });
  });

  test("who is asked: what lists the name for the marker's object, else that object, for any object what gave it up", () => {
    const absences = trackerWith();
    const marker = { owner: "me", resource: RESOURCE, cluster: null, labels: {}, record: null };
    const any: Marker = { ...marker, resource: "*", anyObject: true };
    const itself = { cluster: null, resource: RESOURCE, isDerived: false };
    expect(absences.confirming.of(NAME, marker)).toEqual([itself]);
    absences.contributed(contribution("web", [NAME]));
    const lister = { ...itself, cluster: "c1" };
    expect([absences.confirming.of(NAME, marker), absences.confirming.of(NAME, any)]).toEqual([
      [lister],
      [lister],
    ]);
    // Another object's list says nothing of this marker's.
    const other = { ...marker, resource: "dnsentry/default/other" };
    expect(absences.confirming.of(NAME, other)).toMatchObject([{ resource: other.resource }]);
    absences.contributed(contribution("web", []));
    expect([absences.confirming.of(NAME, marker), absences.confirming.of(NAME, any)]).toEqual([
      [lister],
      [lister],
    ]);
    expect(absences.confirming.of(NAME, { ...marker, resource: null })).toEqual([]);
    // A hash cannot be asked for: there the list stays the proof.
    const hashed = "dnsentry/default/~0123456789abcdef";
    expect(absences.confirming.of(NAME, { ...marker, resource: hashed })).toEqual([]);
  });

  test.each([
    ["c1", 3, true],
    ["c1", 4, false],
    ["c1", null, false],
    ["c2", 3, false],
  ])(
    "a live object of %s in generation %s has said what it wants: %s",
    (cluster, generation, answer) => {
      const absences = trackerWith();
      absences.contributed({ ...contribution("web", []), generation: 3 });
      const live = { cluster, generation, kindState: "live", state: "alive", found: null } as const;
      expect(absences.confirming.isWithout(KEY, RESOURCE, live)).toBe(answer);
      const listing = contribution("web", [NAME]).found;
      expect(absences.confirming.isWithout(KEY, RESOURCE, { ...live, found: NOTHING })).toBe(true);
      expect(absences.confirming.isWithout(KEY, RESOURCE, { ...live, found: listing })).toBe(false);
      const aaaa = { ...KEY, type: "AAAA" };
      expect(absences.confirming.isWithout(aaaa, RESOURCE, { ...live, found: listing })).toBe(true);
      const waits = contribution("web", [], { waiting: [{ name: NAME, reason: "NoTargets" }] });
      expect(absences.confirming.isWithout(aaaa, RESOURCE, { ...live, found: waits.found })).toBe(
        false,
      );
      const broken = { ...contribution("web", [], { complete: false }), generation: 3 };
      absences.contributed(broken);
      expect(absences.confirming.isWithout(KEY, RESOURCE, live)).toBe(false);
      // A mistake that came after it had given the name up says nothing of that name.
      for (const names of [[NAME], []]) absences.contributed(contribution("web", names));
      absences.contributed(broken);
      expect(absences.confirming.isWithout(KEY, RESOURCE, live)).toBe(answer);
    },
  );

  test("an incomplete contribution proves nothing and keeps what was listed before", () => {
    const absences = trackerWith(fakeObserver("absent"));
    absences.contributed(contribution("web", [NAME]));
    const broken = contribution("web", [], { complete: false });
    absences.contributed(broken);
    expect(absences.verdict(ownedSet(RESOURCE), [broken])).toMatchObject({
      proven: false,
      code: "SourceIncomplete",
    });
  });

  test("Z-4 a live object that lists the name without a target keeps it", () => {
    const absences = trackerWith(fakeObserver("absent"));
    const waits = contribution("web", [], { waiting: [{ name: NAME, reason: "NoTargets" }] });
    absences.contributed(waits);
    expect(absences.verdict(ownedSet(RESOURCE), [waits])).toMatchObject({
      proven: false,
      code: "NoTargets",
    });
  });

  test("an original that omits the name itself proves it, whatever was made from it", () => {
    const observer = fakeObserver("alive", { found: NOTHING });
    expect(trackerWith(observer).verdict(ownedSet("service/default/web"), [])).toEqual({
      proven: true,
      proof: "object-omits-name",
    });
  });

  test("the end of what was made from an object proves nothing while that object lists the name", () => {
    const made = contribution("web", [NAME]);
    const original = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
    const items = made.found.items.map((item) => ({ ...item, provenance: original }));
    const listed = { ...made, found: { ...made.found, items } };
    const verdictWhile = (lists: boolean) => {
      const absences = trackerWith(fakeObserver("alive", { found: lists ? made.found : null }));
      absences.contributed(listed);
      absences.withdrawn(entry("web"), "deleted-object");
      return absences.verdict(ownedSet("service/default/web"), []);
    };
    expect(verdictWhile(true)).toMatchObject({ proven: false, code: "OriginalAlive" });
    expect(verdictWhile(false)).toEqual({ proven: true, proof: "object-omits-name" });
  });

  test("what was made from an object is not made again while that object cannot say what it wants", () => {
    const original = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
    const made = contribution("web", [NAME]);
    const items = made.found.items.map((item) => ({ ...item, provenance: original }));
    const waiting = [{ name: NAME, reason: "SourceIncomplete" as const }];
    const codeWhile = (found: typeof made.found) => {
      const absences = trackerWith(fakeObserver("alive", { found }));
      absences.contributed({ ...made, found: { ...made.found, items } });
      absences.withdrawn(entry("web"), "deleted-object");
      const verdict = absences.verdict(ownedSet("service/default/web"), []);
      return verdict.proven ? "proven" : verdict.code;
    };
    expect(codeWhile({ ...made.found, items: [], waiting })).toBe("SourceIncomplete");
    expect(codeWhile({ ...NOTHING, complete: false })).toBe("SourceIncomplete");
  });

  test("an object that was missing from a list and is back without the name says so itself", () => {
    let object: "alive" | "absent" = "absent";
    const absences = trackerWith(fakeObserver(() => object));
    const proof = () => absences.verdict(ownedSet(RESOURCE), []);
    absences.contributed(contribution("web", [NAME]));
    absences.withdrawn(entry("web"), "missing-from-list");
    expect(proof()).toEqual({ proven: true, proof: "missing-from-list" });
    object = "alive";
    expect(proof()).toEqual({ proven: true, proof: "missing-from-list" });
    absences.contributed(contribution("web", ["other.example.org"]));
    expect(proof()).toEqual({ proven: true, proof: "object-omits-name" });
  });

  test.each([
    ["alive", "object-omits-name"],
    ["absent", "missing-from-list"],
  ] as const)(
    "what was made from an %s object that omits the name and is in no list: %s",
    (object, proof) => {
      const [made] = HERE;
      const [item] = made?.found.items ?? [];
      if (made === undefined || item === undefined) throw new Error("nothing was said");
      const original = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
      const absences = trackerWith(fakeObserver(object, { found: NOTHING }));
      const found = { ...made.found, items: [{ ...item, provenance: original }] };
      absences.contributed({ ...made, found });
      absences.withdrawn(entry("web"), "missing-from-list");
      const verdict = absences.verdict(ownedSet("service/default/web"), []);
      expect(verdict).toEqual({ proven: true, proof });
    },
  );

  test("after a restart only a complete list without the object proves it", () => {
    const unwanted = ownedSet(RESOURCE);
    expect(trackerWith(fakeObserver("absent")).verdict(unwanted, HERE)).toEqual({
      proven: true,
      proof: "missing-from-list",
    });
    expect(trackerWith(fakeObserver("alive")).verdict(unwanted, HERE)).toMatchObject({
      proven: false,
      code: "SourceAlive",
    });
    expect(trackerWith(fakeObserver("unknown")).verdict(unwanted, HERE)).toMatchObject({
      proven: false,
      code: "KindGone",
    });
  });

  test("Z-3 while a gate is closed nothing is proven, whatever was seen", () => {
    const absences = trackerWith(fakeObserver("unknown", { kinds: () => [UNLISTED] }));
    absences.contributed(contribution("web", [NAME]));
    absences.withdrawn(entry("web"), "deleted-object");
    expect(absences.verdict(ownedSet(RESOURCE), HERE)).toMatchObject({
      proven: false,
      code: "NotSynced",
    });
  });

  test("Z-30 a cluster that nobody here serves proves nothing, and the way out is named", () => {
    const unwanted = ownedSet(RESOURCE);
    const marker = { ...unwanted.marker, owner: "me", resource: RESOURCE, cluster: "old" };
    const verdict = trackerWith(fakeObserver("absent")).verdict(
      { ...unwanted, marker: { ...marker, labels: {}, record: null } },
      HERE,
    );
    expect(verdict).toEqual({
      proven: false,
      code: "ClusterUnknown",
      message:
        "Its marker is for dnsentry/default/web of the cluster old, which is not served here; the record stays. zonekeeper plan says once for all such records what to do",
    });
  });

  test("Z-18 an object that lists the name in another zone or account keeps this zone's copy", () => {
    const absences = trackerWith(fakeObserver("absent"));
    absences.contributed(contribution("web", [NAME]));
    for (const here of [[], [contribution("web", ["older.example.org"])]])
      expect(absences.verdict(ownedSet("dnsentry/default/gone"), here)).toMatchObject({
        proven: false,
        code: "WantedElsewhere",
      });
    expect(absences.verdict(ownedSet("dnsentry/default/gone"), HERE)).toEqual({
      proven: true,
      proof: "missing-from-list",
    });
  });

  test("… but only from going: it may make room for an answer here, once its own object no longer lists it", () => {
    const absences = trackerWith(fakeObserver("absent"));
    absences.contributed(contribution("web", [NAME]));
    const gone = ownedSet("dnsentry/default/gone");
    expect(absences.verdict(gone, [])).toMatchObject({ unlessAnswered: "missing-from-list" });
    // Its own object, one that is leaving this zone, and one that nobody has proven gone keep it
    // from that, too.
    const older = [contribution("web", [NAME, "older.example.org"])];
    expect(absences.verdict(ownedSet(RESOURCE), [])).not.toHaveProperty("unlessAnswered");
    expect(absences.verdict(gone, older)).not.toHaveProperty("unlessAnswered");
    const alive = trackerWith(fakeObserver("alive"));
    alive.contributed(contribution("web", [NAME]));
    expect(alive.verdict(gone, [])).toMatchObject({ code: "WantedElsewhere" });
    expect(alive.verdict(gone, [])).not.toHaveProperty("unlessAnswered");
  });

  test("… and not what has its place in a zone that is known to be another one", () => {
    const absences = trackerWith(fakeObserver("absent"));
    const gone = ownedSet("dnsentry/default/gone");
    const listed = contribution("web", [NAME]);
    absences.contributed(listed);
    expect(absences.verdict(gone, [], () => [listed])).toMatchObject({ proven: true });
    // What it said there before something newer is nothing.
    const older = contribution("web", ["older.example.org"]);
    expect(absences.verdict(gone, [], () => [older])).toMatchObject({ code: "WantedElsewhere" });
    expect(absences.verdict(ownedSet(RESOURCE), [], () => [listed])).toMatchObject({
      code: "WantedElsewhere",
    });
  });

  test("Z-5 … and an object with a mistake is reported as such", () => {
    const absences = trackerWith(fakeObserver("absent"));
    absences.contributed(contribution("web", [NAME], { complete: false }));
    expect(absences.verdict(ownedSet("dnsentry/default/gone"), [])).toMatchObject({
      proven: false,
      code: "SourceIncomplete",
    });
  });

  test("an object that comes back takes its tombstone away", () => {
    const absences = trackerWith(fakeObserver("alive"));
    absences.contributed(contribution("web", [NAME]));
    absences.withdrawn(entry("web"), "deleted-object");
    const broken = contribution("web", [NAME], { complete: false });
    absences.contributed(broken);
    expect(absences.verdict(ownedSet(RESOURCE), [broken])).toMatchObject({
      proven: false,
      code: "SourceIncomplete",
    });
  });

  test.each([
    ["what stands in any zone keeps its tombstone", [ownedSet(RESOURCE)], true],
    ["a zone that was not read yet keeps it", null, true],
    [
      "it goes when nothing of the object is left anywhere",
      [ownedSet("dnsentry/default/x")],
      false,
    ],
  ])("%s", (_, records, proven) => {
    const absences = trackerWith(fakeObserver("alive"), undefined, records);
    absences.contributed(contribution("web", [NAME]));
    absences.withdrawn(entry("web"), "deleted-object");
    absences.settled(NAME);
    expect(absences.verdict(ownedSet(RESOURCE), [])).toMatchObject({ proven });
  });

  test("a marker without a resource can never be proven gone", () => {
    const absences = trackerWith(fakeObserver("absent"));
    expect(absences.verdict(ownedSet(null), HERE)).toMatchObject({
      proven: false,
      code: "KindUnknown",
    });
  });
});

describe("Z-4 the end of a grace", () => {
  const WAITS = contribution("web", [], { waiting: [{ name: NAME, reason: "NoTargets" }] });
  /** A tracker whose object has waited for a minute and an hour, with a grace of an hour. */
  async function overdue(observer: ObjectObserver): Promise<AbsenceTracker> {
    const clock = new VirtualClock();
    const waits = new AddressWaits(clock, 3_600_000);
    const absences = trackerWith(observer, waits);
    absences.contributed(WAITS);
    waits.contributed(WAITS);
    await clock.advance(3_660_000);
    return absences;
  }

  test("gives the record up, with a proof of its own", async () => {
    const absences = await overdue(fakeObserver("alive", { found: WAITS.found }));
    expect(absences.verdict(ownedSet(RESOURCE), [WAITS])).toEqual({
      proven: true,
      proof: "no-targets-grace",
    });
  });

  test("releases no record of another object", async () => {
    const absences = await overdue(fakeObserver("alive", { found: WAITS.found }));
    const verdict = absences.verdict(ownedSet("dnsentry/default/other"), [WAITS]);
    expect(verdict).toMatchObject({ proven: false, code: "SourceAlive" });
  });

  test.each<[string, ObjectObserver]>([
    ["an address that has just come", fakeObserver("alive", { found: HERE[0]?.found ?? null })],
    ["no source that reads the object", fakeObserver("alive")],
    [
      "a kind that is not live",
      fakeObserver("alive", { kinds: () => [UNLISTED], found: WAITS.found }),
    ],
  ])("waits on with %s", async (_, observer) => {
    const verdict = (await overdue(observer)).verdict(ownedSet(RESOURCE), [WAITS]);
    expect(verdict).toMatchObject({ proven: false });
  });
});

test.each([
  ["alive", "object-omits-name"],
  ["absent", "missing-from-list"],
] as const)(
  "Z-16 an entry that is deleted while its Service is %s: the proof is %s",
  (state, proof) => {
    const absences = trackerWith(fakeObserver(state));
    const service = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
    const made = contribution("web-1", [NAME]);
    const items = made.found.items.map((item) => ({ ...item, provenance: service }));
    absences.contributed({ ...made, found: { ...made.found, items } });
    absences.contributed({ ...made, deleting: true, found: { ...made.found, items } });
    expect(absences.verdict(ownedSet("service/default/web"), [])).toEqual({ proven: true, proof });
  },
);

test("Z-24 an object that is found while it is deleted was not watched to end", () => {
  const proofAt = (...before: readonly Contribution[]) => {
    const absences = trackerWith(fakeObserver("alive"));
    for (const one of before) absences.contributed(one);
    return absences.verdict(ownedSet(RESOURCE), []);
  };
  const listing = contribution("web", [NAME]);
  const deleting = contribution("web", [NAME], { deleting: true });
  const isFound = { proven: true, proof: "found-deleting" };
  expect(proofAt(deleting)).toEqual(isFound);
  expect(proofAt(deleting, deleting)).toEqual(isFound);
  expect(proofAt(listing, deleting, deleting)).toEqual({ proven: true, proof: "deleted-object" });
});

test.each([
  ["c1", "service", { proven: false, code: "KindGone" }],
  ["c1", "dnsentry", { proven: true }],
  ["c2", "service", { proven: true }],
])("Z-3 a kind that is not served, while markers name %s's %s", (cluster, kind, expected) => {
  const isKindMarked = (ofCluster: string, ofKind: string) =>
    ofCluster === cluster && ofKind === kind;
  const absences = new AbsenceTracker({
    observer: fakeObserver("absent", { kinds: () => [{ ...UNLISTED, state: "absent" }] }),
    waits: new AddressWaits(new VirtualClock(), null),
    recordsAt: () => [],
    sightings: ALL_SEEN,
    isKindMarked,
  });
  absences.contributed(contribution("web", [NAME]));
  absences.withdrawn(entry("web"), "deleted-object");
  expect(absences.verdict(ownedSet(RESOURCE), [])).toMatchObject(expected);
});
