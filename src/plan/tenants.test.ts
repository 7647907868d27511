import { describe, expect, test } from "vitest";
import { rulesWith, UNPROVEN } from "../../test/support/values/plan-rules.ts";
import { nameOf, parseDesired, parseOwned } from "../../test/support/values/zone-text.ts";
import { NO_TRANSFER, type TransferRequest } from "../model/transfer-request.ts";
import type { NamePlan } from "./changes.ts";
import { planName } from "./plan.ts";
import type { PlanRules } from "./rules.ts";
import { isSameTenant, tenantIn } from "./tenants.ts";

const TYPES = new Set(["A", "AAAA", "CNAME", "TXT", "MX", "CAA"]);
const FIRST = "www 300 A 192.0.2.11 ; from=dnsentry/ta/six created=1";
const EXISTING = "www 300 A 192.0.2.11 ; owner=me resource=dnsentry/ta/six";

/** `+ A`, `- A`, `m A` (marker only) for changes, `! AAAA NameTaken` for holds. */
function summary({ changes, holds }: NamePlan): readonly string[] {
  const signs = { create: "+", replace: "~", remove: "-" } as const;
  return [
    ...changes.map(({ key, change }) => `${change === null ? "m" : signs[change.op]} ${key.type}`),
    ...holds.map(({ key, code }) => `! ${key.type} ${code}`),
  ];
}

function plan(zone: string, desired: string, rules: Partial<PlanRules> = {}): NamePlan {
  const sets = parseDesired(desired);
  const given = rulesWith({ managedTypes: TYPES, ...rules });
  return planName(sets[0]?.name ?? nameOf("www"), sets, parseOwned(zone), given);
}

const planned = (...given: Parameters<typeof plan>) => summary(plan(...given));

describe("a name has one tenant (Z-28)", () => {
  test.each([
    ["AAAA", "2001:db8::666"],
    ["MX", "10 mail.example.com."],
    ["CAA", '0 issue "evil.test"'],
    ["TXT", '"site-verification"'],
    ["CNAME", "lb.example.com"],
    ["A", "192.0.2.66"],
  ])("%s of one namespace beside the A of another is held, both new (B2)", (type, value) => {
    const second = `www 300 ${type} ${value} ; from=dnsentry/tb/six created=2`;
    expect(planned("", `${second}\n${FIRST}`)).toEqual(["+ A", `! ${type} NameTaken`]);
    // The A exists, and its object is not known yet: the name is not free.
    if (type === "CNAME" || type === "A") return;
    expect(planned(EXISTING, second, UNPROVEN)).toEqual(["! A NotSynced", `! ${type} NameTaken`]);
    expect(planned(EXISTING, second)).toEqual(["- A", `+ ${type}`]);
  });

  test("the message names the first object and what ends the hold", () => {
    const second = "www 300 AAAA 2001:db8::666 ; from=dnsentry/tb/six created=2";
    const ends =
      'choose another name, remove the name from dnsentry/ta/six, or let that object permit it with permit-claim-by-resource "dnsentry/tb/six"';
    expect(plan("", `${second}\n${FIRST}`).holds[0]?.message).toBe(
      `dnsentry/ta/six has the name with A 192.0.2.11, and a name has one namespace; ${ends}`,
    );
    expect(plan(EXISTING, second, UNPROVEN).holds[1]?.message).toBe(
      `the A record at the name belongs to dnsentry/ta/six, and a name has one namespace: services are not listed yet; ${ends}`,
    );
  });

  test("a text that came first has the name, too", () => {
    const text = 'www 300 TXT "x" ; from=dnsentry/tb/text created=0';
    expect(planned("", `${text}\n${FIRST}`)).toEqual(["+ TXT", "! A NameTaken"]);
  });

  test("objects of one namespace stand side by side, and supersede each other", () => {
    const more = `www 300 AAAA 2001:db8::1 ; from=dnsentry/ta/other created=2
                  www 300 A 192.0.2.12 ; from=dnsentry/ta/other created=2`;
    expect(planned("", `${FIRST}\n${more}`)).toEqual(["+ A", "+ AAAA", "! A Superseded"]);
  });

  test("the same namespace of another cluster is another tenant", () => {
    const other = "www 300 AAAA 2001:db8::1 ; from=dnsentry/ta/six cluster=c2 created=2";
    expect(planned("", `${FIRST}\n${other}`)).toEqual(["+ A", "! AAAA NameTaken"]);
  });

  test("a short marker names its namespace; one without a resource blocks nobody", () => {
    const text = 'www 300 TXT "x" ; from=dnsentry/tb/text';
    const short = EXISTING.replace("six", "~0123456789abcdef");
    expect(planned(short, text, UNPROVEN)).toEqual(["! A NotSynced", "! TXT NameTaken"]);
    expect(tenantIn({ resource: "dnsentry/ta/~0123", cluster: "c1" })).toEqual({
      cluster: "c1",
      namespace: "ta",
    });
    for (const resource of [null, "dnsentry", "dnsentry/ta", "/ta/x", "dnsentry/ta/"])
      expect(tenantIn({ resource, cluster: null })).toBeNull();
    expect(tenantIn(null)).toBeNull();
    const [a, b] = [
      { cluster: "c1", namespace: "ta" },
      { cluster: null, namespace: "ta" },
    ];
    expect([isSameTenant(a, b), isSameTenant(b, a)]).toEqual([true, true]);
    expect(isSameTenant(a, { cluster: "c2", namespace: "ta" })).toBe(false);
    expect(isSameTenant(b, { cluster: null, namespace: "tb" })).toBe(false);
  });
});

describe("what existed before stays (Z-28)", () => {
  const both = `${EXISTING}\nwww 300 AAAA 2001:db8::666 ; owner=me resource=dnsentry/tb/six`;

  test("a record that names its object may be updated by it; nothing is added", () => {
    const second = `www 300 AAAA 2001:db8::667 ; from=dnsentry/tb/six created=2
                    www 300 TXT "x" ; from=dnsentry/tb/six created=2`;
    expect(planned(both, `${FIRST}\n${second}`)).toEqual(["~ AAAA", "! TXT NameTaken"]);
  });

  test("the tenant with the first address goes on adding addresses", () => {
    const zone = `${EXISTING}\nwww 300 TXT "x" ; owner=me resource=dnsentry/tb/text`;
    const desired = `www 300 TXT "x" ; from=dnsentry/tb/text created=0
                     ${FIRST}
                     www 300 AAAA 2001:db8::1 ; from=dnsentry/ta/more created=9`;
    expect(planned(zone, desired)).toEqual(["+ AAAA"]);
  });
});

describe("names that are shared (Z-28)", () => {
  const SECOND = "www 300 AAAA 2001:db8::1 ; from=dnsentry/tb/six created=2";

  test.each<[string, Partial<TransferRequest>, boolean]>([
    ["by a permit", { permit: { owner: null, resource: "dnsentry/tb/six" } }, true],
    [
      "by a permit for our owner id",
      { permit: { owner: "me", resource: "dnsentry/tb/six" } },
      true,
    ],
    ["not for another owner id", { permit: { owner: "you", resource: "dnsentry/tb/six" } }, false],
    ["not for another object", { permit: { owner: null, resource: "dnsentry/tb/x" } }, false],
    ["not by a claim", { claim: true }, false],
  ])("%s", (_, transfer, shared) => {
    const given = { ...NO_TRANSFER, ...transfer };
    const first = parseDesired(FIRST).map((set) => ({ ...set, transfer: given }));
    const sets = [...first, ...parseDesired(SECOND)];
    const rules = rulesWith({ managedTypes: TYPES });
    expect(summary(planName(nameOf("www"), sets, [], rules))).toEqual(
      shared ? ["+ A", "+ AAAA"] : ["+ A", "! AAAA NameTaken"],
    );
    // The first object has no address now, and what it permits counts all the same.
    const object = { cluster: "c1", kind: "dnsentry", namespace: "ta", name: "six" };
    const waiting = { ...UNPROVEN, objectTransfers: [{ object, transfer: given }] };
    const isGiven = transfer.permit?.owner === "you";
    expect(planned(EXISTING, SECOND, waiting)).toEqual([
      ...(shared ? ["+ AAAA"] : []),
      isGiven ? "m A" : "! A NotSynced",
      ...(shared ? [] : ["! AAAA NameTaken"]),
    ]);
  });

  test("not by a permit of the second object itself", () => {
    const permit = { owner: null, resource: "dnsentry/ta/six" };
    const second = parseDesired(SECOND).map((set) => ({
      ...set,
      transfer: { ...NO_TRANSFER, permit },
    }));
    const rules = rulesWith({ managedTypes: TYPES });
    expect(
      summary(planName(nameOf("www"), [...parseDesired(FIRST), ...second], [], rules)),
    ).toEqual(["+ A", "! AAAA NameTaken"]);
    const unproven = rulesWith({ managedTypes: TYPES, ...UNPROVEN });
    expect(summary(planName(nameOf("www"), second, parseOwned(EXISTING), unproven))).toEqual([
      "! A NotSynced",
      "! AAAA NameTaken",
    ]);
  });

  test("where the DNSProvider says so", () => {
    const tenancy = { sharing: "all", firstNamespaces: [] } as const;
    expect(planned("", `${FIRST}\n${SECOND}`, { tenancy })).toEqual(["+ A", "+ AAAA"]);
    const third = "www 300 A 192.0.2.66 ; from=dnsentry/tb/six created=2";
    expect(planned("", `${FIRST}\n${third}`, { tenancy })).toEqual(["+ A", "! A Superseded"]);
  });

  test("for set identifiers of one kind of policy, from one namespace of several clusters", () => {
    const member = (id: string, from: string, policy = "weighted") =>
      `www 300 A 192.0.2.1 ; id=${id} policy=${policy} from=${from} created=2`;
    const east = member("east", "dnsentry/ta/six cluster=c1").replace("created=2", "created=1");
    const west = "dnsentry/ta/six cluster=c2";
    expect(planned("", `${east}\n${member("west", west)}`)).toEqual(["+ A", "+ A"]);
    const foreign = member("west", "dnsentry/tb/six");
    expect(planned("", `${east}\n${foreign}`)).toEqual(["+ A", "! A NameTaken"]);
    const plain = `www 300 TXT "x" ; from=${west} created=2`;
    expect(planned("", `${east}\n${plain}`)).toEqual(["+ A", "! TXT NameTaken"]);
  });

  test("at the apex the DNSProvider's namespace goes first", () => {
    const tenancy = { sharing: "none", firstNamespaces: ["tb"] } as const;
    const text = 'www 300 TXT "x" ; from=dnsentry/tc/x created=0';
    expect(planned("", `${FIRST}\n${SECOND}\n${text}`, { tenancy })).toEqual([
      "+ AAAA",
      "! A NameTaken",
      "! TXT NameTaken",
    ]);
    // What exists there stays.
    expect(planned(EXISTING, `${FIRST}\n${SECOND}`, { tenancy })).toEqual(["! AAAA NameTaken"]);
  });
});

describe("equal data is no conflict (Z-28)", () => {
  const EQUAL = "www 60 A 192.0.2.11 ; from=dnsentry/tb/six created=2";

  test("the second is served by the record of the first, and told so", () => {
    const { changes, holds } = plan(EXISTING, `${FIRST}\n${EQUAL}`);
    expect([changes, holds.map(({ code, message }) => `${code} ${message}`)]).toEqual([
      [],
      [
        "SharedRecord also wanted by dnsentry/ta/six, with equal data; the record has that object's marker",
      ],
    ]);
  });

  test("it waits with the first, and hears why", () => {
    expect(planned("", `${FIRST}\n${EQUAL}`)).toEqual(["+ A", "! A SharedWaits"]);
    expect(planned(EXISTING.replace(".11", ".9"), `${FIRST}\n${EQUAL}`)).toEqual([
      "~ A",
      "! A SharedWaits",
    ]);
    const held = plan("www 300 A 192.0.2.9", `${FIRST}\n${EQUAL}`);
    expect(held.holds.map(({ code }) => code)).toEqual(["ForeignRecord", "ForeignRecord"]);
    expect(held.holds[1]?.message).toMatch(
      /^A 192.0.2.9 exists and has no owner; .*; dnsentry\/ta\/six wants equal data and comes first$/,
    );
  });

  test("when the first goes, the marker passes on and the data stays", () => {
    const equal = EQUAL.replace(" 60 ", " 300 ");
    expect(planned(EXISTING, equal)).toEqual(["m A"]);
    expect(planned(EXISTING, equal, UNPROVEN)).toEqual(["! A NotSynced"]);
  });

  test("an object that says one thing twice is not held", () => {
    const sets = [...parseDesired(FIRST), ...parseDesired(FIRST)];
    expect(planName(nameOf("www"), sets, parseOwned(EXISTING), rulesWith()).holds).toEqual([]);
  });
});
