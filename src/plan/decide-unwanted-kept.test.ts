/** What stays at a name although nobody gets it there, and who says why. */
import { describe, expect, test } from "vitest";
import { rulesWith, UNPROVEN } from "../../test/support/values/plan-rules.ts";
import { planLines } from "../../test/support/values/plan-summary.ts";
import { nameOf, parseDesired, parseOwned } from "../../test/support/values/zone-text.ts";
import type { OwnedRecordSet } from "./changes.ts";
import { planName } from "./plan.ts";
import type { PlanRules } from "./rules.ts";

const lines = (
  desired: string,
  current: readonly OwnedRecordSet[],
  rules: Partial<PlanRules> = {},
) =>
  planLines([planName(nameOf("www"), parseDesired(desired), current, rulesWith(rules))]).map(
    (line) => line.replaceAll(".example.org", ""),
  );

const OWN = "www 300 A 192.0.2.1 ; owner=me";
/** The name has the marker of another name. */
const BLOCKER = { code: "NameInUse", message: "TXT x exists there" } as const;

describe("records that a held record set keeps", () => {
  const zone = `www 300 A 192.0.2.1 ; owner=me resource=service/default/old
                www 300 MX 10 mx.example.com`;
  const held =
    "! www CNAME held: ForeignRecord MX 10 mx.example.com exists at the name and has no owner";
  test("a record of its own object that is in its way", () => {
    const own = zone.replace("old", "web");
    expect(lines("www 300 CNAME lb.example.com", parseOwned(own))).toEqual([held]);
  });

  test("not another object's that is known to be gone", () => {
    expect(lines("www 300 CNAME lb.example.com", parseOwned(zone))).toEqual([
      "- www 300 A 192.0.2.1",
      held,
    ]);
  });

  test("not another object's that is known to be gone, where a marker blocks the record set", () => {
    const blockers = new Map([["www.example.org CNAME", BLOCKER]]);
    const alone = parseOwned("www 300 A 192.0.2.1 ; owner=me resource=service/default/old");
    const reported = "! www CNAME held: NameInUse TXT x exists there";
    expect(lines("www 300 CNAME lb.example.com", alone, { blockers })).toEqual([
      "- www 300 A 192.0.2.1",
      reported,
    ]);
    const waits = "! www A held: NotSynced services are not listed yet";
    expect(lines("www 300 CNAME lb.example.com", alone, { blockers, ...UNPROVEN })).toEqual([
      waits,
      reported,
    ]);
    // Nothing is created where the record stands.
    const others = new Map([["www.example.org A", BLOCKER]]);
    expect(lines("www 300 A 192.0.2.1", parseOwned(OWN), { blockers: others })).toEqual([]);
  });

  test("another's that nobody knows about, and says why", () => {
    expect(lines("www 300 CNAME lb.example.com", parseOwned(zone), UNPROVEN)).toEqual([
      "! www A held: NotSynced services are not listed yet",
      "! www CNAME held: NotSynced the A record belongs to service/default/old: services are not listed yet",
    ]);
  });

  test("not what it could stand beside", () => {
    const text = 'www 300 TXT "x" ; owner=me';
    const aaaa = "www 300 AAAA 2001:db8::9";
    expect(lines("www 300 A 192.0.2.1", parseOwned(`${text}\n${aaaa}`))).toEqual([
      '- www 300 TXT "x"',
      "! www A held: ForeignRecord AAAA 2001:db8::9 exists at the name and has no owner",
    ]);
  });

  test("a refused record set keeps the record at its own key, and no other at the name", () => {
    const both = parseOwned(`${OWN}\nwww 300 AAAA 2001:db8::1 ; owner=me`);
    expect(lines("www 300 A 192.0.2.2 ; owner=gone", both)).toEqual([
      "- www 300 AAAA 2001:db8::1",
      '! www A held: OwnerInactive the owner id "gone" is not active on this instance; create a DNSOwner for it or switch its DNSOwner on, or name no owner id',
    ]);
    const other = parseOwned("www 300 A 192.0.2.1 ; owner=me resource=service/default/old");
    const refused =
      '! www A held: OwnerInactive the owner id "gone" is not active on this instance; create a DNSOwner for it or switch its DNSOwner on, or name no owner id';
    expect(lines("www 300 A 192.0.2.2 ; owner=gone", other)).toEqual([refused]);
    // Its object may wait for its end, and is told why there is none.
    expect(lines("www 300 A 192.0.2.2 ; owner=gone", other, UNPROVEN)).toEqual([
      "! www A held: NotSynced services are not listed yet",
      refused,
    ]);
    expect(lines("www 300 A 192.0.2.2 ; owner=gone", parseOwned(OWN), UNPROVEN)).toEqual([refused]);
  });
});

test.each([
  ["its object", " resource=service/default/old"],
  ["no object", ""],
])("a half marker of %s that lost the name stays for it, and says nothing", (_, resource) => {
  const cname = "www 300 CNAME lb.example.com ; owner=me resource=service/default/web";
  const half = parseOwned(`${cname}\nwww 300 A - ; owner=me${resource}`).map((one) =>
    one.type === "A" && resource === "" && one.marker !== null
      ? { ...one, marker: { ...one.marker, resource: null } }
      : one,
  );
  const both = `www 300 CNAME lb.example.com
                www 300 A 192.0.2.1 ; from=service/default/old`;
  for (const rules of [UNPROVEN, {}])
    expect(lines(both, half, rules)).toEqual([
      "! www A held: Superseded service/default/web has the name with CNAME lb.example.com; remove the name from one of the two",
    ]);
});

describe("what is kept for others by another account", () => {
  const rules = {
    absence: {
      proven: false,
      code: "WantedElsewhere",
      message: "x wants it",
      unlessAnswered: "deleted-object",
    },
  } as const;
  const both = `www 300 A 192.0.2.1 ; owner=me resource=service/default/old
                www 300 AAAA 2001:db8::1 ; owner=me resource=service/default/old`;
  const held = [
    "! www A held: WantedElsewhere x wants it",
    "! www AAAA held: WantedElsewhere x wants it",
  ];

  test("stays as the last answer", () => {
    expect(lines("", parseOwned(both), rules)).toEqual(held);
    const blockers = new Map([["www.example.org CNAME", BLOCKER]]);
    expect(lines("www 300 CNAME lb.example.com", parseOwned(both), { ...rules, blockers })).toEqual(
      [...held, "! www CNAME held: NameInUse TXT x exists there"],
    );
  });

  test.each([
    [
      "foreign",
      "www 300 AAAA 2001:db8::9",
      "ForeignRecord AAAA 2001:db8::9 exists and has no owner; delete it, or take it over with zonekeeper ownership adopt www",
    ],
    ["only a marker", "www 300 AAAA - ; owner=me", "NameInUse TXT x exists there"],
  ])("stays where the desired record set is held, and its key has %s", (_, neighbour, why) => {
    const alone = "www 300 A 192.0.2.1 ; owner=me resource=service/default/old";
    const blockers = new Map([["www.example.org AAAA", BLOCKER]]);
    const given = { ...rules, ...(why.startsWith("NameInUse") ? { blockers } : {}) };
    expect(lines("www 300 AAAA 2001:db8::1", parseOwned(`${alone}\n${neighbour}`), given)).toEqual([
      held[0],
      `! www AAAA held: ${why}`,
    ]);
  });

  test("stays beside an answer of another sort", () => {
    const text = 'www 300 TXT "t" ; owner=me resource=service/default/web';
    const alone = `www 300 A 192.0.2.1 ; owner=me resource=service/default/old\n${text}`;
    expect(lines('www 300 TXT "t"', parseOwned(alone), rules)).toEqual([held[0]]);
  });

  test("goes where a record set of another type that can stand beside it gets its record", () => {
    const alone = parseOwned("www 300 A 192.0.2.1 ; owner=me resource=service/default/old");
    expect(lines("www 300 AAAA 2001:db8::1", alone, rules)).toEqual([
      "- www 300 A 192.0.2.1",
      "+ www 300 AAAA 2001:db8::1",
    ]);
  });

  test("goes where a desired record set gets its record, or has it", () => {
    expect(lines("www 300 A 192.0.2.2", parseOwned(both), rules)).toEqual([
      "- www 300 AAAA 2001:db8::1",
      "~ www 300 A 192.0.2.1 -> 192.0.2.2",
    ]);
    expect(lines("www 300 CNAME lb.example.com", parseOwned(both), rules)).toEqual([
      "- www 300 A 192.0.2.1",
      "- www 300 AAAA 2001:db8::1",
      "+ www 300 CNAME lb.example.com",
    ]);
  });
});
