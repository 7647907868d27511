import { describe, expect, test } from "vitest";
import { rulesWith, UNPROVEN } from "../../test/support/values/plan-rules.ts";
import { planLines } from "../../test/support/values/plan-summary.ts";
import {
  nameOf,
  parseDesired,
  parseOwned,
  parseZone,
} from "../../test/support/values/zone-text.ts";
import type { Marker, OwnedRecordSet } from "./changes.ts";
import { planName } from "./plan.ts";
import type { AbsenceVerdict, PlanRules } from "./rules.ts";

const plan = (
  desired: string,
  current: readonly OwnedRecordSet[],
  rules: Partial<PlanRules> = {},
) => planName(nameOf("www"), parseDesired(desired), current, rulesWith(rules));
const lines = (...given: Parameters<typeof plan>) =>
  planLines([plan(...given)]).map((line) => line.replaceAll(".example.org", ""));

const OWN = "www 300 A 192.0.2.1 ; owner=me";
const marked = (text: string, overrides: Partial<Marker>) =>
  parseOwned(text).map((one) =>
    one.marker === null ? one : { ...one, marker: { ...one.marker, ...overrides } },
  );

describe("a removal says how it is known that nobody wants the name (Z-2)", () => {
  test.each(["deleted-object", "object-omits-name", "missing-from-list"] as const)(
    "%s",
    (proof) => {
      const { changes } = plan("", parseOwned(OWN), { absence: { proven: true, proof } });
      expect(changes.map((one) => [one.change?.op, one.reason.code, one.proof])).toEqual([
        ["remove", "NotWanted", proof],
      ]);
      expect(changes[0]?.reason.message).toBe("no object wants the record any more");
    },
  );

  test("what makes room for another type has no proof and needs none", () => {
    const { changes } = plan("www 300 CNAME lb.example.com", parseOwned(OWN));
    expect(changes.map((one) => [one.change?.op, one.reason.code, one.proof])).toEqual([
      ["remove", "TypeChanged", null],
      ["create", "Wanted", null],
    ]);
    expect(changes[0]?.reason.message).toBe("the CNAME record of the name replaces it");
  });

  test("each record set has its own verdict", () => {
    const no: AbsenceVerdict = { proven: false, code: "KindGone", message: "no services here" };
    const both = parseOwned(`${OWN}\nwww 300 AAAA 2001:db8::1 ; owner=me`);
    const absences = new Map([["www.example.org AAAA", no]]);
    const { changes, holds } = plan("", both, { absences });
    expect(changes.map(({ key }) => key.type)).toEqual(["A"]);
    expect(holds).toEqual([
      {
        key: { name: nameOf("www"), type: "AAAA", setIdentifier: null },
        code: "KindGone",
        message: "no services here",
        provenance: { cluster: "", kind: "service", namespace: "default", name: "web" },
      },
    ]);
  });

  test("its own permit goes along, another's does not", () => {
    const [record] = parseZone('_permit.a.www 300 TXT "permit"');
    if (record === undefined) throw new Error("no record");
    const having = (owner: string) => {
      const permit = { owner, toOwner: "you", toResource: "a/b/c", record };
      return plan(
        "",
        parseOwned(OWN).map((one) => ({ ...one, permit })),
      ).changes;
    };
    expect(having("me").map(({ permit }) => permit)).toEqual([{ is: "withdrawn" }]);
    expect(having("you").map(({ permit }) => permit)).toEqual([undefined]);
  });
});

describe("a marker that shares its record set (S13)", () => {
  const [record = null] = parseZone('a-www 300 TXT "marker"\na-www 300 TXT "theirs"');
  const advice =
    "move the other text in TXT a-www to another name, and the change follows by itself";
  test("is not removed with its data", () => {
    expect(lines("", marked(OWN, { record }))).toEqual([`! www A held: MarkerShared ${advice}`]);
  });

  test("makes no room for another type, and what stands stays", () => {
    expect(lines("www 300 CNAME lb.example.com", marked(OWN, { record }))).toEqual([
      `! www CNAME held: MarkerShared the A record must be removed first: ${advice}`,
    ]);
  });
});

describe("a pending marker beside what somebody else put there (Z-10)", () => {
  const ORPHAN = "www 300 A - ; owner=me resource=service/default/gone";
  const FOREIGN = "www 300 A 192.0.2.9";
  const withNeighbour = (orphan: string, more = FOREIGN) => [
    ...parseOwned(orphan),
    ...parseOwned(more),
  ];
  const held =
    "! www A held: ForeignRecord A 192.0.2.9 exists and has no owner; delete it, or take it over with zonekeeper ownership adopt www";

  test("goes when another object waits for the place", () => {
    expect(lines("www 300 A 192.0.2.1", withNeighbour(ORPHAN))).toEqual([
      "m www A owner=me removed",
      held,
    ]);
  });

  test("stays for the object that it names", () => {
    const own = ORPHAN.replace("gone", "web");
    expect(lines("www 300 A 192.0.2.1", withNeighbour(own))).toEqual([held]);
  });

  test("stays while its key has no foreign record", () => {
    expect(lines("www 300 AAAA 2001:db8::1", withNeighbour(ORPHAN), UNPROVEN)).toEqual([
      "! www A held: NotSynced services are not listed yet",
      "! www AAAA held: ForeignRecord A 192.0.2.9 exists at the name and has no owner",
    ]);
    expect(lines("www 300 A 192.0.2.1", parseOwned(ORPHAN))).toEqual(["+ www 300 A 192.0.2.1"]);
  });

  test("goes when foreign data of another type or another's marker blocks its own", () => {
    const aaaa = "www 300 AAAA 2001:db8::9";
    expect(lines("www 300 A 192.0.2.1", withNeighbour(ORPHAN, aaaa))).toEqual([
      "m www A owner=me removed",
      "! www A held: ForeignRecord AAAA 2001:db8::9 exists at the name and has no owner",
    ]);
    const blocked = { blockers: new Map([["www.example.org A", BLOCKER]]) };
    const marked = withNeighbour(ORPHAN, `${aaaa} ; owner=me`);
    const reported = "! www A held: NameInUse TXT x exists there";
    expect(lines(`www 300 A 192.0.2.1\n${aaaa}`, marked, blocked)).toEqual([
      "m www A owner=me removed",
      reported,
    ]);
    expect(lines(`www 300 A 192.0.2.1\n${aaaa}`, marked, { ...blocked, ...UNPROVEN })).toContain(
      reported,
    );
    const own = withNeighbour(ORPHAN.replace("gone", "web"), `${aaaa} ; owner=me`);
    expect(lines(`www 300 A 192.0.2.1\n${aaaa}`, own, blocked)).toEqual([reported]);
  });

  test("stays while what is in the way is ours, whatever foreign record the name may have", () => {
    const alias = "www 300 ALIAS lb.example.com";
    const reported =
      "! www A held: UnmanagedType the ALIAS record at the name would have to be removed";
    for (const more of [`${alias} ; owner=me`, `${alias} ; owner=me\nwww 300 TXT "theirs"`])
      expect(lines("www 300 A 192.0.2.1", withNeighbour(ORPHAN, more))).toEqual([reported]);
  });

  test("stays while the present record is adopted", () => {
    const rules = { adoption: { mode: "equal" } } as const;
    const desired = "www 300 A 192.0.2.9";
    const adopted = "m www A owner=me service/default/web";
    expect(lines(desired, withNeighbour(ORPHAN), rules)).toEqual([adopted]);
    // Whatever else waits at the name.
    const more = `${FOREIGN}\nwww 300 TXT "theirs"`;
    const both = `${desired}\nwww 300 TXT "ours"`;
    expect(lines(both, withNeighbour(ORPHAN, more), rules)).toEqual([
      adopted,
      '! www TXT held: ForeignRecord TXT "theirs" exists and has no owner; delete it, or take it over with zonekeeper ownership adopt www',
    ]);
  });
});

describe("markers that are no orphans", () => {
  test("a record that another object may not change: it is reported once", () => {
    const zone = parseOwned("www 300 A 192.0.2.1 ; owner=me resource=service/default/old");
    expect(lines("www 300 A 192.0.2.9", zone, { policy: "create-only" })).toEqual([
      "! www A held: PolicyForbids the policy create-only forbids this update: the values differ",
    ]);
    const foreign = parseOwned("www 300 AAAA 2001:db8::9");
    expect(
      lines("www 300 A 192.0.2.9", [...zone, ...foreign], { policy: "create-only" }),
      "and it stays, whatever other record the name has",
    ).toEqual([
      "! www A held: PolicyForbids the policy create-only forbids this update: the values differ",
    ]);
  });

  test("a pending marker of the object that waits, whoever waits at another key", () => {
    const zone = [...parseOwned("www 300 A - ; owner=me"), ...parseOwned("www 300 A 192.0.2.9")];
    const desiredSets =
      "www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1 ; from=service/default/other";
    expect(lines(desiredSets, zone)).toEqual([
      "! www A held: ForeignRecord A 192.0.2.9 exists and has no owner; delete it, or take it over with zonekeeper ownership adopt www",
      "! www AAAA held: ForeignRecord A 192.0.2.9 exists at the name and has no owner",
    ]);
  });

  test("a marker without data goes, whether its type is managed or not", () => {
    expect(lines("", parseOwned("www 300 MX - ; owner=me"))).toEqual(["m www MX owner=me removed"]);
  });
});

describe("only what is created takes a place", () => {
  test("a record that is changed where it stands proves nothing about its neighbour", () => {
    const zone = parseOwned('www 300 CNAME a.example.com ; owner=me\nwww 300 TXT "x" ; owner=me');
    expect(lines("www 300 CNAME b.example.com", zone, UNPROVEN)).toEqual([
      "~ www 300 CNAME a.example.com -> b.example.com",
      "! www TXT held: NotSynced services are not listed yet",
    ]);
  });
});

/** The name has the marker of another name. */
const BLOCKER = { code: "NameInUse", message: "TXT x exists there" } as const;

describe("an object that changes its type keeps its last answer until the new one exists", () => {
  const own = "www 300 AAAA 2001:db8::1 ; owner=me resource=service/default/web";
  const reported = "! www A held: NameInUse TXT x exists there";
  const blockers = new Map([["www.example.org A", BLOCKER]]);
  const desired = "www 300 A 192.0.2.1";

  test("where the new one is held by a place that is taken", () => {
    expect(lines(desired, parseOwned(own), { blockers })).toEqual([reported]);
  });

  test("all of them, where it had several", () => {
    const text = 'www 300 TXT "x" ; owner=me resource=service/default/web';
    expect(lines(desired, parseOwned(`${own}\n${text}`), { blockers })).toEqual([reported]);
  });

  test("where the new one takes no part in the contest", () => {
    expect(lines(`${desired} ; owner=gone`, parseOwned(own))).toEqual([
      '! www A held: OwnerInactive the owner id "gone" is not active on this instance; create a DNSOwner for it or switch its DNSOwner on, or name no owner id',
    ]);
  });

  test("also beside what is no address, as there always is at the apex", () => {
    for (const withNeighbour of ["MX 10 mx.example.com", 'TXT "x"', "NS ns.example.com"])
      expect(lines(desired, parseOwned(`${own}\nwww 300 ${withNeighbour}`), { blockers })).toEqual([
        reported,
      ]);
  });

  test("not where another address stands, whoever's it is, nor what it wants nothing in place of", () => {
    const address = parseOwned(`${own}\nwww 300 ALIAS x.example.com`);
    expect(lines(desired, address, { blockers })).toContain("- www 300 AAAA 2001:db8::1");
    const text = own.replace("AAAA 2001:db8::1", 'TXT "x"');
    expect(lines(desired, parseOwned(`${text}\nwww 300 MX 10 m`), { blockers })).toEqual([
      '- www 300 TXT "x"',
      reported,
    ]);
  });

  test("not what another object had", () => {
    const old = parseOwned(own.replace("web", "old"));
    expect(lines(desired, old, { blockers })).toEqual(["- www 300 AAAA 2001:db8::1", reported]);
  });

  test("not a marker that stands without its record", () => {
    const half = parseOwned(own).map((one) => ({ ...one, data: null }));
    expect(lines(desired, half, { blockers })).toEqual(["m www AAAA owner=me removed", reported]);
  });

  test("a marker that stands without its record beside it is no answer", () => {
    const half = parseOwned('www 300 TXT "x" ; owner=me').map((one) => ({ ...one, data: null }));
    expect(lines(desired, [...parseOwned(own), ...half], { blockers })).toEqual([
      "m www TXT owner=me removed",
      reported,
    ]);
  });

  test("it goes once the new one is created", () => {
    expect(lines(desired, parseOwned(own))).toEqual([
      "- www 300 AAAA 2001:db8::1",
      "+ www 300 A 192.0.2.1",
    ]);
  });
});

describe("a record of ours whose marker names no object", () => {
  test("is reported as such, and goes to the object that wants it once that is proven", () => {
    const nameless = marked(OWN, { resource: null });
    expect(lines("www 300 A 192.0.2.2", nameless, UNPROVEN)).toEqual([
      "! www A held: NotSynced the A record belongs to an object that its marker does not name: services are not listed yet",
    ]);
    const { changes } = plan("www 300 A 192.0.2.1", nameless);
    expect(changes.map(({ reason }) => reason)).toEqual([
      { code: "MarkerOnly", message: "the marker names no object and not service/default/web" },
    ]);
  });
});

describe("holds are in order, whatever the order of the desired sets", () => {
  const twice = "www 300 A 192.0.2.1";
  const order = (desired: readonly ReturnType<typeof parseDesired>[number][], zone: string) =>
    planName(nameOf("www"), desired, parseOwned(zone), rulesWith(UNPROVEN)).holds.map(
      ({ key, code, provenance }) => `${key.type} ${provenance?.name ?? "-"} ${code}`,
    );

  test("by key, then object, then code", () => {
    const desiredSets = [
      ...parseDesired(`${twice} ; owner=gone`),
      ...parseDesired(twice),
      ...parseDesired(`${twice} ; from=service/default/a created=9`),
      ...parseDesired("www 300 AAAA 2001:db8::1 ; owner=gone from=service/default/a"),
    ];
    const expected = [
      "A a ForeignRecord",
      "A web ForeignRecord",
      "A web OwnerInactive",
      "AAAA a OwnerInactive",
    ];
    expect(order(desiredSets, "www 300 A 192.0.2.9")).toEqual(expected);
    expect(order([...desiredSets].reverse(), "www 300 A 192.0.2.9")).toEqual(expected);
  });

  test("those of no object come first", () => {
    const orphan = "www 300 A - ; owner=me resource=service/default/~1";
    const current = [...parseOwned(orphan), ...parseOwned("www 300 A 192.0.2.9")];
    const holds = planName(nameOf("www"), parseDesired(twice), current, rulesWith(UNPROVEN)).holds;
    expect(holds.map(({ code, provenance }) => `${provenance?.name ?? "-"} ${code}`)).toEqual([
      "- NotSynced",
      "web ForeignRecord",
    ]);
  });
});

describe("a second marker of a record that stands (Z-10)", () => {
  const LEFT = "www 300 A - ; owner=me resource=ingress/default/left";
  const both = (whole: string) => [...parseOwned(whole), ...parseOwned(LEFT)];
  const NO: AbsenceVerdict = { proven: false, code: "NotSynced", message: "not listed yet" };
  const YES: AbsenceVerdict = { proven: true, proof: "object-omits-name" };
  const DESIRED = "www 300 A 192.0.2.1";

  test("goes under a proof of its own, and the record stays as it is", () => {
    const absences = new Map([["www.example.org A (marker)", YES]]);
    const { changes, holds } = plan(DESIRED, both(OWN), { absence: NO, absences });
    expect(changes.map(({ change, marker, proof }) => [change, marker, proof])).toEqual([
      [null, null, "object-omits-name"],
    ]);
    expect(holds).toEqual([]);
  });

  test.each([
    ["without a proof", both(OWN), { absence: NO }],
    [
      "while the first one is not final",
      both(OWN).map(pendingWhere((one) => one.data !== null)),
      {},
    ],
  ])("stays %s", (_, current, rules) => {
    const { changes, holds } = plan(DESIRED, current, rules);
    expect(changes.filter(({ marker }) => marker === null)).toEqual([]);
    expect(holds, "nobody waits for it").toEqual([]);
  });

  test("proves nothing about the object of the first one (Z-2)", () => {
    const other = "www 300 A 192.0.2.9 ; owner=me resource=ingress/default/other";
    const absences = new Map([["www.example.org A (marker)", YES]]);
    for (const desired of [DESIRED, ""]) {
      const { changes, holds } = plan(desired, both(other), { absence: NO, absences });
      expect(changes.map(({ change, current }) => [change, current?.data ?? null])).toEqual([
        [null, null],
      ]);
      expect(holds.map(({ code }) => code)).toEqual(["NotSynced"]);
    }
  });
});

function pendingWhere(is: (one: OwnedRecordSet) => boolean) {
  return (one: OwnedRecordSet): OwnedRecordSet =>
    one.marker === null || !is(one)
      ? one
      : { ...one, marker: { ...one.marker, labels: { ...one.marker.labels, state: "pending" } } };
}

describe("a marker without a type stays beside what external-dns would take it for (ADR 0023)", () => {
  const nameless = "www 300 ANY - ; owner=me";
  const cut = { delegatedAt: nameOf("www") };
  test.each<[string, string, string, Partial<PlanRules>]>([
    ["a delegation", "www 300 NS ns1.example.com", "MarkerAmbiguous", cut],
    ["the zone's own name servers", "www 300 NS ns1.example.com", "NotWanted", {}],
    ["mail", "www 300 MX 10 mx.example.com", "MarkerAmbiguous", {}],
    ["a text", 'www 300 TXT "v=spf1 -all"', "MarkerAmbiguous", {}],
    ["a service", "www 300 SRV 0 0 1 a.example.com", "MarkerAmbiguous", {}],
    ["a pointer", "www 300 PTR a.example.com", "MarkerAmbiguous", {}],
    ["a naming authority", 'www 300 NAPTR 1 1 "u" "E2U+sip" "!^.*$!x!" .', "MarkerAmbiguous", {}],
    ["an AAAA, which it never labelled", "www 300 AAAA 2001:db8::1", "NotWanted", {}],
    ["mail of ours", "www 300 MX 10 mx.example.com ; owner=me", "NotWanted", {}],
    ["mail of another's", "www 300 MX 10 mx.example.com ; owner=you", "NotWanted", {}],
  ])("%s", (_, withNeighbour, code, rules) => {
    const { changes, holds } = plan("", parseOwned(`${nameless}\n${withNeighbour}`), rules);
    const transfers = [...changes.map(({ key, reason }) => ({ key, code: reason.code })), ...holds];
    expect(transfers.find(({ key }) => key.type === "ANY")?.code).toBe(code);
  });

  test("one of another format names types of its own; messages say where one of ours is", () => {
    const [record] = parseZone('txt.www 300 TXT "marker"');
    if (record === undefined) throw new Error("no record");
    const mail = parseOwned("www 300 MX 10 mx.example.com");
    const transfers = (overrides: Partial<Marker>) =>
      plan("", [...marked(nameless, overrides), ...mail]);
    expect(transfers({ record, format: "gardener" }).holds).toEqual([]);
    expect(transfers({ record }).holds[0]?.message).toMatch(
      /^the marker at txt\.www\.example\.org names/,
    );
    expect(transfers({ record: null }).holds[0]?.message).toMatch(
      /^the marker at www\.example\.org names/,
    );
  });

  test("in the middle of a sequence it says itself what it is for", () => {
    const [half] = marked(nameless, { labels: { owner: "me", state: "pending", data: "1+" } });
    const mail = parseOwned("www 300 MX 10 mx.example.com");
    const { changes, holds } = plan("", half === undefined ? [] : [half, ...mail]);
    expect([changes.length, holds]).toEqual([1, []]);
  });

  test("the message names both", () => {
    const both = parseOwned(`${nameless}\nwww 300 MX 10 mx.example.com`);
    expect(plan("", both).holds[0]?.message).toMatch(
      /names no type, and .* the marker of MX www\.example\.org/,
    );
  });
});
