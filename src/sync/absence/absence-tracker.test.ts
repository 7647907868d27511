import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { type DnsName, trustedDnsName } from "../../model/dns-name.ts";
import type { Marker, OwnedRecordSet } from "../../plan/changes.ts";
import type { AbsenceOracle } from "../contract/absence-oracle.ts";
import type { Contribution } from "../contract/contribution.ts";
import { AbsenceTracker } from "./absence-tracker.ts";
import { AddressWaits } from "./address-waits.ts";

const NAME = trustedDnsName("www.example.org");
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

function ours(resource: string | null): OwnedRecordSet {
  const marker = { owner: "me", resource, cluster: null, labels: {}, record: null };
  return { name: NAME, type: "A", setIdentifier: null, data: null, marker, contested: false };
}

function bookWith(
  oracle: Partial<AbsenceOracle> = {},
  waits = new AddressWaits(new VirtualClock(), null),
  standing: readonly OwnedRecordSet[] | null = [],
): AbsenceTracker {
  const asked: AbsenceOracle = {
    gate: () => ({ open: true }),
    object: () => "unknown",
    ...oracle,
  };
  return new AbsenceTracker(asked, waits, () => standing);
}

/** What `web` says in this zone. */
const HERE = [contribution("web", [NAME])];
const RESOURCE = "dnsentry/default/web";

describe("Z-2 proof of absence", () => {
  test("the same contribution said anew counts as the latest, whatever the order of its values and properties", () => {
    const book = bookWith({ object: () => "absent" });
    const [said] = HERE;
    const item = said?.found.items[0];
    if (said === undefined || item === undefined) throw new Error("nothing was said");
    const found = (values: readonly string[]) => ({ ...said.found, items: [{ ...item, values }] });
    book.contributed({ ...said, found: found(["192.0.2.1", "192.0.2.2"]) });
    const other = { ...ours("dnsentry/default/other"), type: "AAAA" };
    const again = { ...said, found: found(["192.0.2.2", "192.0.2.1"]) };
    expect(book.verdict(other, [again])).toMatchObject({ proven: true });
    expect(book.verdict(other, [{ ...said, found: found(["192.0.2.9"]) }])).toMatchObject({
      code: "WantedElsewhere",
    });
  });

  test("an object that was withdrawn proves the absence of what it listed", () => {
    const book = bookWith();
    book.contributed(contribution("web", [NAME]));
    book.withdrawn(entry("web"), "deleted-object");
    expect(book.verdict(ours(RESOURCE), HERE)).toEqual({
      proven: true,
      proof: "deleted-object",
    });
  });

  test("a complete contribution that omits the name proves it, more weakly", () => {
    const book = bookWith();
    book.contributed(contribution("web", [NAME]));
    book.contributed(contribution("web", ["other.example.org"]));
    expect(book.verdict(ours(RESOURCE), HERE)).toEqual({
      proven: true,
      proof: "object-omits-name",
    });
  });

  test("who is asked: what lists the name for the marker's object, else that object, for any object what gave it up", () => {
    const book = bookWith();
    const marker = { owner: "me", resource: RESOURCE, cluster: null, labels: {}, record: null };
    const any: Marker = { ...marker, resource: "*", anyObject: true };
    const itself = { cluster: null, resource: RESOURCE, isDerived: false };
    expect(book.speakers(NAME, marker)).toEqual([itself]);
    book.contributed(contribution("web", [NAME]));
    const heard = { ...itself, cluster: "c1" };
    expect([book.speakers(NAME, marker), book.speakers(NAME, any)]).toEqual([[heard], [heard]]);
    // Another object's list says nothing of this marker's.
    const other = { ...marker, resource: "dnsentry/default/other" };
    expect(book.speakers(NAME, other)).toMatchObject([{ resource: other.resource }]);
    book.contributed(contribution("web", []));
    expect([book.speakers(NAME, marker), book.speakers(NAME, any)]).toEqual([[itself], [heard]]);
    expect(book.speakers(NAME, { ...marker, resource: null })).toEqual([]);
  });

  test.each([
    ["c1", 3, true],
    ["c1", 4, false],
    ["c1", null, false],
    ["c2", 3, false],
  ])(
    "a live object of %s in generation %s has said what it wants: %s",
    (cluster, generation, answer) => {
      const book = bookWith();
      book.contributed({ ...contribution("web", []), generation: 3 });
      expect(book.isWithout(NAME, RESOURCE, { cluster, generation })).toBe(answer);
      const omits = (name: DnsName): boolean => name === NAME;
      expect(book.isWithout(NAME, RESOURCE, { cluster, generation, omits })).toBe(true);
      const broken = { ...contribution("web", [], { complete: false }), generation: 3 };
      book.contributed(broken);
      expect(book.isWithout(NAME, RESOURCE, { cluster, generation })).toBe(false);
      // A mistake that came after it had given the name up says nothing of that name.
      for (const names of [[NAME], []]) book.contributed(contribution("web", names));
      book.contributed(broken);
      expect(book.isWithout(NAME, RESOURCE, { cluster, generation })).toBe(answer);
    },
  );

  test("an incomplete contribution proves nothing and keeps what was listed before", () => {
    const book = bookWith({ object: () => "absent" });
    book.contributed(contribution("web", [NAME]));
    const broken = contribution("web", [], { complete: false });
    book.contributed(broken);
    expect(book.verdict(ours(RESOURCE), [broken])).toMatchObject({
      proven: false,
      code: "SourceIncomplete",
    });
  });

  test("Z-4 a live object that lists the name without a target keeps it", () => {
    const book = bookWith({ object: () => "absent" });
    const waits = contribution("web", [], { waiting: [{ name: NAME, reason: "NoTargets" }] });
    book.contributed(waits);
    expect(book.verdict(ours(RESOURCE), [waits])).toMatchObject({
      proven: false,
      code: "NoTargets",
    });
  });

  test("an original that omits the name itself proves it, whatever was made from it", () => {
    const oracle = { object: () => "alive" as const, omits: () => true };
    expect(bookWith(oracle).verdict(ours("service/default/web"), [])).toEqual({
      proven: true,
      proof: "object-omits-name",
    });
  });

  test("the end of what was made from an object proves nothing while that object lists the name", () => {
    const made = contribution("web", [NAME]);
    const original = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
    const items = made.found.items.map((item) => ({ ...item, provenance: original }));
    const said = { ...made, found: { ...made.found, items } };
    const verdictWhile = (lists: boolean) => {
      const book = bookWith({ object: () => "alive", lists: () => lists });
      book.contributed(said);
      book.withdrawn(entry("web"), "deleted-object");
      return book.verdict(ours("service/default/web"), []);
    };
    expect(verdictWhile(true)).toMatchObject({ proven: false, code: "OriginalAlive" });
    expect(verdictWhile(false)).toEqual({ proven: true, proof: "object-omits-name" });
  });

  test("an object that was missing from a list and is back without the name says so itself", () => {
    let object: "alive" | "absent" = "absent";
    const book = bookWith({ object: () => object });
    const proof = () => book.verdict(ours(RESOURCE), []);
    book.contributed(contribution("web", [NAME]));
    book.withdrawn(entry("web"), "missing-from-list");
    expect(proof()).toEqual({ proven: true, proof: "missing-from-list" });
    object = "alive";
    expect(proof()).toEqual({ proven: true, proof: "missing-from-list" });
    book.contributed(contribution("web", ["other.example.org"]));
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
      const book = bookWith({ object: () => object, lists: () => false, omits: () => true });
      const found = { ...made.found, items: [{ ...item, provenance: original }] };
      book.contributed({ ...made, found });
      book.withdrawn(entry("web"), "missing-from-list");
      const verdict = book.verdict(ours("service/default/web"), []);
      expect(verdict).toEqual({ proven: true, proof });
    },
  );

  test("after a restart only a complete list without the object proves it", () => {
    const unwanted = ours(RESOURCE);
    expect(bookWith({ object: () => "absent" }).verdict(unwanted, HERE)).toEqual({
      proven: true,
      proof: "missing-from-list",
    });
    expect(bookWith({ object: () => "alive" }).verdict(unwanted, HERE)).toMatchObject({
      proven: false,
      code: "SourceAlive",
    });
    expect(bookWith({ object: () => "unknown" }).verdict(unwanted, HERE)).toMatchObject({
      proven: false,
      code: "KindGone",
    });
  });

  test("Z-3 while a gate is closed nothing is proven, whatever was seen", () => {
    const book = bookWith({ gate: () => ({ open: false, reason: "services are not listed yet" }) });
    book.contributed(contribution("web", [NAME]));
    book.withdrawn(entry("web"), "deleted-object");
    expect(book.verdict(ours(RESOURCE), HERE)).toMatchObject({
      proven: false,
      code: "NotSynced",
    });
  });

  test("Z-18 an object that lists the name in another zone or account keeps this zone's copy", () => {
    const book = bookWith({ object: () => "absent" });
    book.contributed(contribution("web", [NAME]));
    for (const here of [[], [contribution("web", ["older.example.org"])]])
      expect(book.verdict(ours("dnsentry/default/gone"), here)).toMatchObject({
        proven: false,
        code: "WantedElsewhere",
      });
    expect(book.verdict(ours("dnsentry/default/gone"), HERE)).toEqual({
      proven: true,
      proof: "missing-from-list",
    });
  });

  test("… but only from going: it may make room for an answer here, once its own object let go", () => {
    const book = bookWith({ object: () => "absent" });
    book.contributed(contribution("web", [NAME]));
    const gone = ours("dnsentry/default/gone");
    expect(book.verdict(gone, [])).toMatchObject({ unlessAnswered: "missing-from-list" });
    // Its own object, one that is leaving this zone, and one that nobody has proven gone keep it
    // from that, too.
    const leaving = [contribution("web", [NAME, "older.example.org"])];
    expect(book.verdict(ours(RESOURCE), [])).not.toHaveProperty("unlessAnswered");
    expect(book.verdict(gone, leaving)).not.toHaveProperty("unlessAnswered");
    const alive = bookWith({ object: () => "alive" });
    alive.contributed(contribution("web", [NAME]));
    expect(alive.verdict(gone, [])).toMatchObject({ code: "WantedElsewhere" });
    expect(alive.verdict(gone, [])).not.toHaveProperty("unlessAnswered");
  });

  test("… and not what has its place in a zone that is known to be another one", () => {
    const book = bookWith({ object: () => "absent" });
    const gone = ours("dnsentry/default/gone");
    const said = contribution("web", [NAME]);
    book.contributed(said);
    expect(book.verdict(gone, [], () => [said])).toMatchObject({ proven: true });
    // What it said there before something newer is nothing.
    const older = contribution("web", ["older.example.org"]);
    expect(book.verdict(gone, [], () => [older])).toMatchObject({ code: "WantedElsewhere" });
    expect(book.verdict(ours(RESOURCE), [], () => [said])).toMatchObject({
      code: "WantedElsewhere",
    });
  });

  test("Z-5 … and one with a mistake is told of as such", () => {
    const book = bookWith({ object: () => "absent" });
    book.contributed(contribution("web", [NAME], { complete: false }));
    expect(book.verdict(ours("dnsentry/default/gone"), [])).toMatchObject({
      proven: false,
      code: "SourceIncomplete",
    });
  });

  test("an object that comes back takes its tombstone away", () => {
    const book = bookWith({ object: () => "alive" });
    book.contributed(contribution("web", [NAME]));
    book.withdrawn(entry("web"), "deleted-object");
    const broken = contribution("web", [NAME], { complete: false });
    book.contributed(broken);
    expect(book.verdict(ours(RESOURCE), [broken])).toMatchObject({
      proven: false,
      code: "SourceIncomplete",
    });
  });

  test.each([
    ["what stands in any zone keeps its tombstone", [ours(RESOURCE)], true],
    ["a zone that was not read yet keeps it", null, true],
    ["it goes when nothing of the object is left anywhere", [ours("dnsentry/default/x")], false],
  ])("%s", (_, standing, proven) => {
    const book = bookWith({ object: () => "alive" }, undefined, standing);
    book.contributed(contribution("web", [NAME]));
    book.withdrawn(entry("web"), "deleted-object");
    book.settled(NAME);
    expect(book.verdict(ours(RESOURCE), [])).toMatchObject({ proven });
  });

  test("a marker without a resource can never be proven gone", () => {
    const book = bookWith({ object: () => "absent" });
    expect(book.verdict(ours(null), HERE)).toMatchObject({
      proven: false,
      code: "KindUnknown",
    });
  });
});

describe("Z-4 the end of a grace", () => {
  const WAITS = contribution("web", [], { waiting: [{ name: NAME, reason: "NoTargets" }] });
  /** A book whose object has waited for a minute and an hour, with a grace of an hour. */
  async function overdue(oracle: Partial<AbsenceOracle>): Promise<AbsenceTracker> {
    const clock = new VirtualClock();
    const waits = new AddressWaits(clock, 3_600_000);
    const book = bookWith({ object: () => "alive", ...oracle }, waits);
    book.contributed(WAITS);
    waits.contributed(WAITS);
    await clock.advance(3_660_000);
    return book;
  }

  test("gives the record up, with a proof of its own", async () => {
    const book = await overdue({ lacksTargets: () => true });
    expect(book.verdict(ours(RESOURCE), [WAITS])).toEqual({
      proven: true,
      proof: "no-targets-grace",
    });
  });

  test("gives up no record of another object", async () => {
    const book = await overdue({ lacksTargets: () => true });
    const verdict = book.verdict(ours("dnsentry/default/other"), [WAITS]);
    expect(verdict).toMatchObject({ proven: false, code: "SourceAlive" });
  });

  test.each<[string, Partial<AbsenceOracle>]>([
    ["an address that has just come", { lacksTargets: () => false }],
    ["nobody who can look", {}],
    ["a kind that is not live", { gate: () => ({ open: false, reason: "stale" }) }],
  ])("waits on with %s", async (_, oracle) => {
    const verdict = (await overdue(oracle)).verdict(ours(RESOURCE), [WAITS]);
    expect(verdict).toMatchObject({ proven: false });
  });
});

test.each([
  ["alive", "object-omits-name"],
  ["absent", "deleted-object"],
] as const)(
  "Z-16 an entry that is deleted while its Service is %s: the proof is %s",
  (state, proof) => {
    const book = bookWith({ object: () => state });
    const service = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
    const made = contribution("web-1", [NAME]);
    const items = made.found.items.map((item) => ({ ...item, provenance: service }));
    book.contributed({ ...made, found: { ...made.found, items } });
    book.contributed({ ...made, deleting: true, found: { ...made.found, items } });
    expect(book.verdict(ours("service/default/web"), [])).toEqual({ proven: true, proof });
  },
);
