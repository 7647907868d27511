import { describe, expect, test } from "vitest";
import { rulesWith, UNPROVEN } from "../../test/support/values/plan-rules.ts";
import { planLines } from "../../test/support/values/plan-summary.ts";
import { nameOf, parseDesired, parseOwned } from "../../test/support/values/zone-text.ts";
import { planName } from "./plan.ts";
import type { PlanRules } from "./rules.ts";

interface Case {
  readonly zone?: string;
  readonly desired?: string;
  readonly rules?: Partial<PlanRules>;
  /** Lines of plan-summary.ts for the name `www` (or the first name of the case). */
  readonly plan: string;
}

function check(title: string, given: Case): void {
  test(title, () => {
    const current = parseOwned(given.zone ?? "");
    const desired = parseDesired(given.desired ?? "");
    const name = current[0]?.name ?? desired[0]?.name ?? nameOf("www");
    const plan = planName(name, desired, current, rulesWith(given.rules));
    const lines = planLines([plan]).join("\n").replaceAll(".example.org", "");
    expect(lines).toBe(
      given.plan
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "")
        .join("\n"),
    );
  });
}

describe("what differs (Z-21)", () => {
  check("a wanted record is created", {
    desired: "www 300 A 192.0.2.1",
    plan: "+ www 300 A 192.0.2.1",
  });
  check("a record that is as wanted is left alone", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    desired: "www 300 A 192.0.2.1",
    plan: "",
  });
  check("a changed address becomes one update", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    desired: "www 300 A 192.0.2.2",
    plan: "~ www 300 A 192.0.2.1 -> 192.0.2.2",
  });
  check("a changed TTL becomes one update", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    desired: "www 60 A 192.0.2.1",
    plan: "~ www 300 A 192.0.2.1 -> 60",
  });
  check("no desired TTL equals any TTL", {
    zone: "www 77 A 192.0.2.1 ; owner=me",
    desired: "www - A 192.0.2.1",
    plan: "",
  });
  check("no desired TTL keeps the present one when values change", {
    zone: "www 77 A 192.0.2.1 ; owner=me",
    desired: "www - A 192.0.2.2",
    plan: "~ www 77 A 192.0.2.1 -> 192.0.2.2",
  });
  check("no desired TTL takes the zone's default on create", {
    desired: "www - A 192.0.2.1",
    rules: { defaultTtlSeconds: 120 },
    plan: "+ www 120 A 192.0.2.1",
  });
  check("an unwanted record is removed", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    plan: "- www 300 A 192.0.2.1",
  });
  check("an address family that is no longer wanted is removed", {
    zone: `www 300 A 192.0.2.1 ; owner=me
           www 300 AAAA 2001:db8::1 ; owner=me`,
    desired: "www 300 A 192.0.2.1",
    plan: "- www 300 AAAA 2001:db8::1",
  });
});

describe("rights (Z-7)", () => {
  check("a foreign record is not changed", {
    zone: "www 300 A 192.0.2.9",
    desired: "www 300 A 192.0.2.1",
    plan: "! www A held: ForeignRecord A 192.0.2.9 exists and has no owner; delete it, or take it over with zonekeeper ownership adopt www",
  });
  check("another owner's record is not changed, and the owner is named", {
    zone: "www 300 A 192.0.2.9 ; owner=you",
    desired: "www 300 A 192.0.2.1",
    plan: '! www A held: ForeignRecord A 192.0.2.9 exists and is owned by "you"; set --owner back if it was changed, switch a DNSOwner of that id on if it moves here, else claim it: docs/guides/ownership.md',
  });
  check("a foreign record that nobody wants is not mentioned", {
    zone: `www 300 A 192.0.2.9
           www 300 AAAA 2001:db8::9 ; owner=you`,
    plan: "",
  });
  check("a record whose marker was rewritten by hand to another owner is released", {
    zone: "www 300 A 192.0.2.1 ; owner=you resource=service/default/web",
    plan: "",
  });
  check("two owners: nobody writes", {
    zone: "www 300 A 192.0.2.1 ; owner=me contested",
    desired: "www 300 A 192.0.2.2",
    plan: '! www A held: Contested markers of the owners "me" and "you" claim the record; remove the wrong one',
  });
  check("two owners, and nobody wants it any more: it stays, with the reason", {
    zone: `www 300 A 192.0.2.1 ; owner=me resource=service/default/web contested
           www 300 AAAA 2001:db8::1 ; owner=me resource=service/default/web`,
    plan: `- www 300 AAAA 2001:db8::1
           ! www A held: Contested markers of the owners "me" and "you" claim the record; remove the wrong one`,
  });
  check("a foreign AAAA blocks creating an A beside it", {
    zone: "www 300 AAAA 2001:db8::9",
    desired: "www 300 A 192.0.2.1",
    plan: "! www A held: ForeignRecord AAAA 2001:db8::9 exists at the name and has no owner",
  });
  check("a foreign AAAA does not bar updating our A", {
    zone: `www 300 AAAA 2001:db8::9
           www 300 A 192.0.2.1 ; owner=me`,
    desired: "www 300 A 192.0.2.2",
    plan: "~ www 300 A 192.0.2.1 -> 192.0.2.2",
  });
  check("a foreign AAAA beside our A blocks switching to CNAME, and our A stays", {
    zone: `www 300 AAAA 2001:db8::9
           www 300 A 192.0.2.1 ; owner=me`,
    desired: "www 300 CNAME lb.example.com",
    plan: "! www CNAME held: ForeignRecord AAAA 2001:db8::9 exists at the name and has no owner",
  });
  check("an SPF record at the apex does not bar our A there", {
    zone: '@ 300 TXT "v=spf1 -all"',
    desired: "@ 300 A 192.0.2.1",
    plan: "+ example.org 300 A 192.0.2.1",
  });
  check("a foreign MX blocks a CNAME", {
    zone: "www 300 MX 10 mx.example.com",
    desired: "www 300 CNAME lb.example.com",
    plan: "! www CNAME held: ForeignRecord MX 10 mx.example.com exists at the name and has no owner",
  });
  check("a CNAME beside the NS records of an apex is told so, and not to adopt them", {
    zone: "www 300 NS ns.example.com",
    desired: "www 300 CNAME lb.example.com",
    plan: "! www CNAME held: ApexAlias www is the apex of its zone and has NS records, and a CNAME stands alone; write addresses as targets, or choose a name below it",
  });
  check("signatures do not bar a CNAME", {
    zone: "www 300 NSEC x.example.org A",
    desired: "www 300 CNAME lb.example.com",
    plan: "+ www 300 CNAME lb.example.com",
  });
  check("a foreign CNAME blocks everything", {
    zone: "www 300 CNAME other.example.com",
    desired: 'www 300 TXT "hello"',
    plan: "! www TXT held: ForeignRecord CNAME other.example.com exists at the name and has no owner",
  });
  check("another set identifier of one policy does not bar ours", {
    zone: "www 300 A 192.0.2.9 ; id=eu policy=weighted",
    desired: "www 300 A 192.0.2.1 ; id=us policy=weighted",
    plan: "+ www 300 A 192.0.2.1 ; id=us",
  });
  check("another kind of policy does", {
    zone: "www 300 A 192.0.2.9 ; id=eu policy=geo",
    desired: "www 300 A 192.0.2.1 ; id=us policy=weighted",
    plan: "! www A us held: ForeignRecord A 192.0.2.9 exists at the name and has no owner",
  });
  check("an owner id that is not active here is held, and what stands stays", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    desired: "www 300 A 192.0.2.2 ; owner=gone",
    plan: '! www A held: OwnerInactive the owner id "gone" is not active on this instance; create a DNSOwner for it or switch its DNSOwner on, or name no owner id',
  });
});

describe("what never competes", () => {
  check("names under which permits and claims stand are the program's own", {
    desired: '_permit.a.www 300 TXT "x"',
    plan: "! _permit.a.www TXT held: ReservedName names that begin with _permit or _claim are reserved for permits",
  });
  check("so are those beside a delegation", {
    desired: '_claim-ns-www 300 TXT "x"',
    plan: "! _claim-ns-www TXT held: ReservedName names that begin with _permit or _claim are reserved for permits",
  });
  check("a longer word is anybody's", {
    desired: '_permitted.www 300 TXT "x"',
    plan: '+ _permitted.www 300 TXT "x"',
  });
});

describe("half pairs (Z-9)", () => {
  check("our marker without data is filled", {
    zone: "www 300 A - ; owner=me",
    desired: "www 300 A 192.0.2.1",
    plan: "+ www 300 A 192.0.2.1",
  });
  check("our marker without data goes under proof", {
    zone: "www 300 A - ; owner=me",
    plan: "m www A owner=me removed",
  });
  check("our marker without data stays without proof", {
    zone: "www 300 A - ; owner=me",
    rules: UNPROVEN,
    plan: "! www A held: NotSynced services are not listed yet",
  });
  check("another's marker without data reserves the name", {
    zone: "www 300 A - ; owner=you",
    desired: "www 300 A 192.0.2.1",
    plan: '! www A held: ForeignMarker a marker reserves the name and is owned by "you"',
  });
  check("another's legacy marker without data reserves every type", {
    zone: "www 300 ANY - ; owner=you",
    desired: "www 300 CNAME lb.example.com",
    plan: '! www CNAME held: ForeignMarker a marker reserves the name and is owned by "you"',
  });
  check("… but AAAA, which legacy markers never labelled", {
    zone: "www 300 ANY - ; owner=you",
    desired: "www 300 AAAA 2001:db8::1",
    plan: "+ www 300 AAAA 2001:db8::1",
  });
});

describe("absence (Z-2): without proof only additive work", () => {
  check("nothing is removed", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    rules: UNPROVEN,
    plan: "! www A held: NotSynced services are not listed yet",
  });
  check("creates and the marker's own object go on", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    desired: `www 300 A 192.0.2.2
              www 300 AAAA 2001:db8::1`,
    rules: UNPROVEN,
    plan: `+ www 300 AAAA 2001:db8::1
           ~ www 300 A 192.0.2.1 -> 192.0.2.2`,
  });
  check("another object may not take the name over yet", {
    zone: "www 300 A 192.0.2.1 ; owner=me resource=ingress/default/other",
    desired: "www 300 A 192.0.2.2",
    rules: UNPROVEN,
    plan: "! www A held: NotSynced the A record belongs to ingress/default/other: services are not listed yet",
  });
  check("nor by a change of type", {
    zone: "www 300 A 192.0.2.1 ; owner=me resource=ingress/default/other",
    desired: "www 300 CNAME lb.example.com",
    rules: UNPROVEN,
    plan: `! www A held: NotSynced services are not listed yet
           ! www CNAME held: NotSynced the A record belongs to ingress/default/other: services are not listed yet`,
  });
  check("the marker's own object may change the type", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    desired: "www 300 CNAME lb.example.com",
    rules: UNPROVEN,
    plan: `- www 300 A 192.0.2.1
           + www 300 CNAME lb.example.com`,
  });
});

describe("change of type", () => {
  check("A and AAAA become a CNAME", {
    zone: `www 300 A 192.0.2.1 ; owner=me
           www 300 AAAA 2001:db8::1 ; owner=me`,
    desired: "www 300 CNAME lb.example.com",
    plan: `- www 300 A 192.0.2.1
           - www 300 AAAA 2001:db8::1
           + www 300 CNAME lb.example.com`,
  });
  check("a CNAME becomes A and AAAA", {
    zone: "www 300 CNAME lb.example.com ; owner=me",
    desired: `www 300 A 192.0.2.1
              www 300 AAAA 2001:db8::1`,
    plan: `- www 300 CNAME lb.example.com
           + www 300 A 192.0.2.1
           + www 300 AAAA 2001:db8::1`,
  });
  check("a type that is not managed does not make room", {
    zone: "www 300 MX 10 mx.example.com ; owner=me",
    desired: "www 300 CNAME lb.example.com",
    plan: "! www CNAME held: UnmanagedType the MX record at the name would have to be removed",
  });
  check("one address family stays although the other family is held back", {
    zone: `www 300 CNAME lb.example.com ; owner=me
           www 300 AAAA - ; owner=you`,
    desired: `www 300 A 192.0.2.1
              www 300 AAAA 2001:db8::1`,
    plan: `- www 300 CNAME lb.example.com
           + www 300 A 192.0.2.1
           ! www AAAA held: ForeignMarker a marker reserves the name and is owned by "you"`,
  });
});

describe("conflicts (Z-15)", () => {
  const two = `www 300 A 192.0.2.1 ; from=service/a/x created=5
               www 300 A 192.0.2.2 ; from=service/a/y created=4`;
  check("the older object wins an empty name", {
    desired: two,
    plan: `+ www 300 A 192.0.2.2
           ! www A held: Superseded service/a/y has the name with A 192.0.2.2; remove the name from one of the two`,
  });
  check("the object in the marker wins over an older one", {
    zone: "www 300 A 192.0.2.1 ; owner=me resource=service/a/x",
    desired: two,
    plan: "! www A held: Superseded service/a/x has the name with A 192.0.2.1; remove the name from one of the two",
  });
  check("a cluster of lower rank wins over an older object", {
    desired: `www 300 A 192.0.2.1 ; from=service/a/x cluster=c1 created=5
              www 300 A 192.0.2.2 ; from=service/a/x cluster=c2 created=4`,
    rules: { clusterRank: { c1: 0 } },
    plan: `+ www 300 A 192.0.2.1
           ! www A held: NameTaken service/a/x of cluster c1 has the name with A 192.0.2.1, and a name has one namespace; choose another name, remove the name from service/a/x of cluster c1, or let that object permit it with permit-claim-by-resource "service/a/x", or annotate both with zonekeeper.dev/merge "true" where they are of two clusters`,
  });
  check("the first object decides the kind of the name", {
    desired: `www 300 CNAME lb.example.com ; from=service/a/x created=1
              www 300 A 192.0.2.2 ; from=service/a/y created=2
              www 300 AAAA 2001:db8::2 ; from=service/a/y created=2`,
    plan: `+ www 300 CNAME lb.example.com
           ! www A held: Superseded service/a/x has the name with CNAME lb.example.com; remove the name from one of the two
           ! www AAAA held: Superseded service/a/x has the name with CNAME lb.example.com; remove the name from one of the two`,
  });
  check("an object that changes its type keeps its name", {
    zone: "www 300 A 192.0.2.1 ; owner=me resource=service/a/y",
    desired: `www 300 CNAME lb.example.com ; from=service/a/y created=9
              www 300 A 192.0.2.1 ; from=service/a/x created=1`,
    plan: `- www 300 A 192.0.2.1
           + www 300 CNAME lb.example.com
           ! www A held: Superseded service/a/y has the name with CNAME lb.example.com; remove the name from one of the two`,
  });
  check("A and AAAA of two objects of one namespace stand together", {
    desired: `www 300 A 192.0.2.1 ; from=service/a/x
              www 300 AAAA 2001:db8::1 ; from=service/a/y`,
    plan: `+ www 300 A 192.0.2.1
           + www 300 AAAA 2001:db8::1`,
  });
  check("one object that wants two kinds gets the first by type", {
    desired: `www 300 A 192.0.2.1
              www 300 CNAME lb.example.com`,
    plan: `+ www 300 A 192.0.2.1
           ! www CNAME held: Superseded the same object has the name with A 192.0.2.1; remove one of the two`,
  });
  check("a new winner with equal data is a marker-only write", {
    zone: "www 300 A 192.0.2.1 ; owner=me resource=service/a/gone",
    desired: "www 300 A 192.0.2.1 ; from=service/b/y",
    plan: "m www A owner=me service/b/y",
  });
  check("an object of the same name in another cluster is another object", {
    zone: "www 300 A 192.0.2.1 ; owner=me cluster=c9",
    desired: "www 300 A 192.0.2.1",
    plan: "m www A owner=me service/default/web",
  });
  check("another owner id of ours is written into the marker", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    desired: "www 300 A 192.0.2.1 ; owner=me2",
    plan: "m www A owner=me2 service/default/web",
  });
});

describe("policies, types and delegations", () => {
  check("upsert-only never removes", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    rules: { policy: "upsert-only" },
    plan: "! www A held: PolicyForbids the policy upsert-only forbids removals",
  });
  check("upsert-only changes the type, for the name keeps an answer", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    desired: "www 300 CNAME lb.example.com",
    rules: { policy: "upsert-only" },
    plan: `- www 300 A 192.0.2.1
           + www 300 CNAME lb.example.com`,
  });
  check("create-only does not", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    desired: "www 300 CNAME lb.example.com",
    rules: { policy: "create-only" },
    plan: "! www CNAME held: PolicyForbids the policy create-only keeps the A record at the name",
  });
  check("create-only updates nothing", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    desired: "www 300 A 192.0.2.2",
    rules: { policy: "create-only" },
    plan: "! www A held: PolicyForbids the policy create-only forbids this update: the values differ",
  });
  check("create-only rewrites no marker and complains about none", {
    zone: "www 300 A 192.0.2.1 ; owner=me resource=service/a/gone",
    desired: "www 300 A 192.0.2.1",
    rules: { policy: "create-only" },
    plan: "",
  });
  check("a type that is not managed is held", {
    desired: "www 300 MX 10 mx.example.com",
    plan: "! www MX held: UnmanagedType records of type MX are not written here: no enabled source manages them",
  });
  check("a type that is no longer managed is not removed", {
    zone: "www 300 MX 10 mx.example.com ; owner=me",
    plan: "! www MX held: UnmanagedType Zonekeeper does not manage records of type MX here",
  });
  check("a name below a delegation is held, and what stands stays (Z-18)", {
    zone: "www 300 A 192.0.2.1 ; owner=me",
    desired: "www 300 A 192.0.2.2",
    rules: { delegatedAt: "www.example.org" },
    plan: "! www A held: Delegated www is delegated to other servers; resolvers would not find a record in this zone",
  });
  check("the delegation itself is ours to write", {
    desired: "www 300 NS ns1.example.com",
    rules: { delegatedAt: "www.example.org", managedTypes: new Set(["NS"]) },
    plan: "+ www 300 NS ns1.example.com",
  });
});

describe("adoption", () => {
  const listed = {
    mode: "listed",
    keys: [{ name: nameOf("www"), type: "A", setIdentifier: null }],
  } as const;
  check("equal: a record with equal data gets a marker and nothing else", {
    zone: "www 300 A 192.0.2.1",
    desired: "www 300 A 192.0.2.1",
    rules: { adoption: { mode: "equal" } },
    plan: "m www A owner=me service/default/web",
  });
  check("equal: other data stays foreign", {
    zone: "www 300 A 192.0.2.9",
    desired: "www 300 A 192.0.2.1",
    rules: { adoption: { mode: "equal" } },
    plan: "! www A held: ForeignRecord A 192.0.2.9 exists and has no owner; delete it, or take it over with zonekeeper ownership adopt www",
  });
  check("listed: the record becomes ours and gets our values", {
    zone: "www 300 A 192.0.2.9",
    desired: "www 300 A 192.0.2.1",
    rules: { adoption: listed },
    plan: "~ www 300 A 192.0.2.9 -> 192.0.2.1",
  });
  check("listed: nothing else is", {
    zone: "www 300 AAAA 2001:db8::9",
    desired: "www 300 AAAA 2001:db8::1",
    rules: { adoption: listed },
    plan: "! www AAAA held: ForeignRecord AAAA 2001:db8::9 exists and has no owner; delete it, or take it over with zonekeeper ownership adopt www",
  });
  check("listed: another owner's record never is", {
    zone: "www 300 A 192.0.2.9 ; owner=you",
    desired: "www 300 A 192.0.2.1",
    rules: { adoption: listed },
    plan: '! www A held: ForeignRecord A 192.0.2.9 exists and is owned by "you"; set --owner back if it was changed, switch a DNSOwner of that id on if it moves here, else claim it: docs/guides/ownership.md',
  });
  check("listed: not while the policy forbids updates", {
    zone: "www 300 A 192.0.2.9",
    desired: "www 300 A 192.0.2.1",
    rules: { adoption: listed, policy: "create-only" },
    plan: "! www A held: PolicyForbids the policy create-only forbids this update: the values differ",
  });
  check("a record that is adopted does not bar its neighbour", {
    zone: "www 300 A 192.0.2.1",
    desired: `www 300 A 192.0.2.1
              www 300 AAAA 2001:db8::1`,
    rules: { adoption: { mode: "equal" } },
    plan: `+ www 300 AAAA 2001:db8::1
           m www A owner=me service/default/web`,
  });
});
