import { describe, expect, test } from "vitest";
import { rulesWith, UNPROVEN } from "../../test/support/values/plan-rules.ts";
import { nameOf, parseDesired, parseOwned } from "../../test/support/values/zone-text.ts";
import type { Marker, NamePlan } from "./changes.ts";
import { markerState } from "./claims.ts";
import { planName } from "./plan.ts";
import type { PlanRules } from "./rules.ts";

const LINE = "www 300 A 192.0.2.1";
const OWN = `${LINE} ; owner=me`;
const pending = (text: string) =>
  parseOwned(text).map((one) => {
    if (one.marker === null) return one;
    const labels = { ...one.marker.labels, state: "pending", data: "+0" };
    return { ...one, marker: { ...one.marker, labels } };
  });
const plan = (
  desired: string,
  current: ReturnType<typeof parseOwned>,
  rules: Partial<PlanRules> = {},
) => planName(nameOf("www"), parseDesired(desired), current, rulesWith(rules));
const reasons = ({ changes, holds }: NamePlan) => [
  ...changes.map(({ change, reason }) => `${change?.op ?? "-"} ${reason.message}`),
  ...holds.map(({ code }) => `! ${code}`),
];
const codes = ({ changes }: NamePlan) => changes.map(({ reason }) => reason.code);
/** The same records under markers that say this besides. */
const marked = (text: string, overrides: Partial<Marker>) =>
  parseOwned(text).map((one) =>
    one.marker === null ? one : { ...one, marker: { ...one.marker, ...overrides } },
  );
const CREATE_ONLY = { policy: "create-only" } as const;

describe("the last step of a sequence (Z-10)", () => {
  const last = "- the record is written and its marker is not final yet";
  test("follows when the record stands", () => {
    expect(reasons(plan(LINE, pending(OWN)))).toEqual([last]);
    expect(reasons(plan(LINE, parseOwned(OWN)))).toEqual([]);
  });

  test("is part of a create, so that create-only takes it", () => {
    expect(reasons(plan(LINE, pending(OWN), CREATE_ONLY))).toEqual([last]);
    const changed = plan("www 300 A 192.0.2.9", pending(OWN), CREATE_ONLY);
    expect(reasons(changed)).toEqual(["! PolicyForbids"]);
  });

  test("says the owner id where that moves too", () => {
    expect(reasons(plan(`${LINE} ; owner=me2`, pending(OWN)))).toEqual([
      '- the owner id is "me" and not "me2"',
    ]);
  });
});

describe("why a change is made, in words", () => {
  test.each<[string, string, string, string]>([
    ["a create", LINE, "", "create service/default/web wants the record"],
    [
      "a record that is missing",
      LINE,
      "www 300 A - ; owner=me",
      "create our marker exists without its record",
    ],
    ["values", "www 300 A 192.0.2.9", OWN, "replace the values differ"],
    ["a TTL", "www 60 A 192.0.2.1", OWN, "replace the TTL is 300 and not 60"],
    [
      "another object",
      LINE,
      `${OWN} resource=a/b/c`,
      "- the marker names a/b/c and not service/default/web",
    ],
  ])("%s", (_, desired, zone, expected) => {
    expect(reasons(plan(desired, parseOwned(zone)))).toEqual([expected]);
  });

  test("an adoption", () => {
    const adoption = { adoption: { mode: "equal" } } as const;
    const { changes } = plan("www 60 A 192.0.2.1", parseOwned(LINE), adoption);
    expect(changes[0]?.reason).toEqual({
      code: "Adopted",
      message: "the adoption rule takes the unmarked record over",
    });
    expect(changes[0]?.change?.op).toBe("replace");
    expect(reasons(plan(LINE, parseOwned(LINE), { ...adoption, ...CREATE_ONLY }))).toEqual([
      "- the adoption rule takes the unmarked record over",
    ]);
  });
});

describe("why a change is made, as a code", () => {
  test.each<[string, string, string]>([
    ["", LINE, "Wanted"],
    ["www 300 A - ; owner=me", LINE, "DataMissing"],
    [OWN, "www 300 A 192.0.2.9", "ValueChanged"],
    [OWN, "www 60 A 192.0.2.1", "TtlChanged"],
    [`${OWN} resource=a/b/c`, LINE, "MarkerOnly"],
    [OWN, `${LINE} ; owner=me2`, "MarkerUpdate"],
  ])("%s to %s: %s", (zone, desired, code) => {
    expect(codes(plan(desired, parseOwned(zone)))).toEqual([code]);
  });
});

describe("a transfer", () => {
  test("says whose the record was", () => {
    const foreign = parseOwned(`${LINE} ; owner=you`);
    const [{ marker } = { marker: null }] = foreign;
    if (marker === null) throw new Error("no marker");
    const order = { is: "transfer", marker: markerState(marker) } as const;
    const { changes } = plan(LINE, foreign, { orders: new Map([["www.example.org A", order]]) });
    expect(changes.map(({ reason }) => reason)).toEqual([
      {
        code: "Transferred",
        message: 'service/default/web takes the record over from the owner "you"',
      },
    ]);
  });
});

describe("an old marker of a record that stands (Z-10)", () => {
  test("that names another object goes with a write of the first one, which is told", () => {
    const message = "a second marker of the record names another object";
    const { changes } = plan(LINE, marked(OWN, { hasStaleCopy: true }));
    expect(changes.map(({ change, reason }) => [change, reason])).toEqual([
      [null, { code: "MarkerUpdate", message }],
    ]);
  });
});

describe("a marker in the format of another registry", () => {
  const reported = ({ holds }: NamePlan) => holds.map(({ code, message }) => `${code} ${message}`);
  test("is told with all that stands under it", () => {
    const zone = "www 300 A 192.0.2.7 ; owner=you\nwww 300 A 192.0.2.8";
    expect(reported(plan(LINE, marked(zone, { format: "gardener" })))).toEqual([
      'ForeignMarker A 192.0.2.7, 192.0.2.8 exists and is owned by "you" by the gardener marker at the name',
    ]);
  });

  const managed = { managedTypes: new Set(["A", "AAAA", "CNAME", "TXT", "MX"]) };
  test.each([
    [LINE, true, true],
    ["www 300 AAAA 2001:db8::1", false, true],
    ["www 300 MX 10 mx.example.com", true, false],
  ])(
    "without a type and a record: %s waits for one of ours %s, for another's %s",
    (desired, own, other) => {
      const any = "www 300 ANY - ; owner=you";
      const isHeld = (overrides: Partial<Marker>) =>
        plan(desired, marked(any, overrides), managed).changes.length === 0;
      expect([isHeld({}), isHeld({ format: "gardener" })]).toEqual([own, other]);
    },
  );
});

describe("other records at the name of a create", () => {
  test("a record of ours without conflict is left alone, managed or not, whatever the policy", () => {
    const neighbour = parseOwned("www 300 MX 10 mx.example.com ; owner=me");
    const rules = { ...UNPROVEN, ...CREATE_ONLY };
    expect(reasons(plan(LINE, neighbour, rules))).toEqual([
      "create service/default/web wants the record",
      "! NotSynced",
    ]);
  });

  test("a foreign record blocks it unless it is adopted itself, in this very plan", () => {
    const equal = { adoption: { mode: "equal" } } as const;
    const both = `${LINE}\nwww 300 AAAA 2001:db8::1`;
    const blockers = plan(both, parseOwned("www 300 AAAA 2001:db8::9"), equal);
    expect(reasons(blockers)).toEqual(["! ForeignRecord", "! ForeignRecord"]);
    const other = parseOwned("www 300 ALIAS lb.example.com");
    expect(reasons(plan("www 300 CNAME lb.example.com", other, equal))).toEqual([
      "! ForeignRecord",
    ]);
  });

  test("the first by key is named, in whatever order they were read", () => {
    const zone = 'www 300 MX 10 mx.example.com\nwww 300 SRV 1 2 3 x\nwww 300 TXT "x"';
    for (const current of [parseOwned(zone), [...parseOwned(zone)].reverse()]) {
      const [hold] = plan("www 300 CNAME lb.example.com", current).holds;
      expect(hold?.message).toContain("MX 10 mx.example.com exists at the name");
    }
    const two = [...parseOwned('www 300 SRV 1 2 3 x\nwww 300 TXT "x"')].reverse();
    const [hold] = plan("www 300 CNAME lb.example.com", two).holds;
    expect(hold?.message).toContain("SRV 1 2 3 x exists at the name");
  });

  test("a desired TTL counts on create", () => {
    const { changes } = plan("www 60 A 192.0.2.1", []);
    expect(changes.map(({ change }) => change?.op === "create" && change.next.ttlSeconds)).toEqual([
      60,
    ]);
  });
});

describe("below a delegation", () => {
  test("the delegation's own records are written at its name alone (Z-18)", () => {
    const rules = { delegatedAt: "www.example.org", managedTypes: new Set(["NS", "DS"]) };
    const below = parseDesired("a.www 300 NS ns1.example.com");
    const { changes, holds } = planName(nameOf("a.www"), below, [], rulesWith(rules));
    expect([changes.length, holds.map(({ code }) => code)]).toEqual([0, ["Delegated"]]);
  });
});
