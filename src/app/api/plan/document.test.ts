import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import type { RecordSet } from "../../../model/record-set.ts";
import type { Change, ChangeCode, Hold, KeyChange, NamePlan } from "../../../plan/changes.ts";
import type { HoldCode } from "../../../plan/hold-reasons.ts";
import type { ZoneStatus } from "../../../sync/contract/zone-status.ts";
import { MARKDOWN_MAX, planMarkdown } from "../../commands/ask/texts/plan-markdown.ts";
import { planText } from "../../commands/ask/texts/plan-text.ts";
import { planDocument } from "./document.ts";

const EVERYTHING = { zone: null, name: null, limit: null };
const PLAIN = { width: null, color: false };
const provenance = { cluster: "c", kind: "service", namespace: "default", name: "web" };

function change(name: string, value = "192.0.2.1", code: ChangeCode = "Wanted"): KeyChange {
  const key = { name: trustedDnsName(name), type: "A", setIdentifier: null };
  const data = { ttlSeconds: 300, values: [value], properties: {}, routingPolicy: null };
  const next: RecordSet = { ...key, ...data };
  const desired = { ...next, provenance, owner: null, createdAtMs: 0 };
  const write = code === "Wanted" ? ({ op: "create", next } as const) : null;
  return {
    ...{ key, current: null, desired, marker: null, proof: null },
    change: write ?? { op: "remove", previous: next },
    reason: { code, message: "" },
  };
}

/** `code`: also what is none, as text that the page has to escape. */
function hold(name: string, code: string): Hold {
  const key = { name: trustedDnsName(name), type: "A", setIdentifier: null };
  return { key, code: code as HoldCode, message: "because", provenance: null };
}

function zone(name: string, open: readonly NamePlan[], more: Partial<ZoneStatus> = {}): ZoneStatus {
  const apex = trustedDnsName(name);
  return {
    key: { account: "a", zone: name },
    zone: { id: name, name: apex, providerType: "rfc2136", endpoint: "192.0.2.53:53", view: "" },
    ...{ state: "ready", message: null, paused: null, isAtomic: true },
    ...{ ownedNames: 1, foreignNames: 0, danglingNames: 0, heldSets: [] },
    open,
    ...more,
  };
}

function plan(changes: readonly KeyChange[], holds: readonly Hold[] = []): NamePlan {
  const name = changes[0]?.key.name ?? holds[0]?.key.name ?? trustedDnsName("example.org");
  return { name, changes, holds };
}

const many = (count: number, apex: string): readonly NamePlan[] =>
  Array.from({ length: count }, (_, n) => plan([change(`n${n}.${apex}`)]));

test("what is most comes first: zones, kinds, reasons; what is held is last in its zone", () => {
  const small = zone("small.example", [plan([change("a.small.example")])]);
  const large = zone("large.example", [
    ...many(3, "large.example"),
    plan([change("old.large.example", "192.0.2.9", "NotWanted")]),
    plan([], [hold("x.large.example", "Paused"), hold("y.large.example", "Paused")]),
    plan([], [hold("z.large.example", "ForeignRecord")]),
  ]);
  const document = planDocument([small, large], EVERYTHING);
  expect(document.zones.map(({ name }) => name)).toEqual(["large.example", "small.example"]);
  expect(document.groups.map(({ zone: at, op, code, count }) => [at, op, code, count])).toEqual([
    ["large.example", "create", null, 3],
    ["large.example", "remove", null, 1],
    ["large.example", "held", "Paused", 2],
    ["large.example", "held", "ForeignRecord", 1],
    ["small.example", "create", null, 1],
  ]);
  const { counts, reasons, held } = document.summary;
  expect(counts).toEqual({ create: 4, replace: 0, remove: 1, marker: 0, held: 3 });
  expect(reasons).toEqual([
    { code: "Wanted", count: 4 },
    { code: "NotWanted", count: 1 },
  ]);
  expect(held).toMatchObject([
    { code: "Paused", count: 2, remedy: expect.stringContaining("zonekeeper resume") },
    { code: "ForeignRecord", count: 1 },
  ]);
});

describe("a limit", () => {
  test("shows something of each kind, small ones whole, and counts all", () => {
    const open = [...many(100, "example.org"), plan([], [hold("f.example.org", "ForeignRecord")])];
    const document = planDocument([zone("example.org", open)], { ...EVERYTHING, limit: 11 });
    expect(document.groups.map(({ count, items }) => [count, items.length])).toEqual([
      [100, 10],
      [1, 1],
    ]);
    expect(document.summary).toMatchObject({ omitted: 90, counts: { create: 100, held: 1 } });
    expect(planText(document, PLAIN)).toContain("90 more are not listed: --limit N or --all");
  });

  test("of none lists nothing", () => {
    const document = planDocument([zone("example.org", many(3, "example.org"))], {
      ...EVERYTHING,
      limit: 0,
    });
    expect(planText(document, PLAIN)).not.toContain("n0.example.org");
  });
});

test("a zone, and names below a name", () => {
  const zones = [
    zone("example.org", many(2, "example.org")),
    zone("example.net", many(2, "example.net")),
  ];
  const one = planDocument(zones, { ...EVERYTHING, zone: trustedDnsName("example.net") });
  expect(one.groups.flatMap(({ items }) => items.map(({ name }) => name))).toEqual([
    "n0.example.net",
    "n1.example.net",
  ]);
  const below = planDocument(zones, { ...EVERYTHING, name: trustedDnsName("n1.example.org") });
  expect(below.summary.counts.create).toBe(1);
});

test("equal data of two objects is no work (Z-28)", () => {
  const shared = plan([], [hold("www.example.org", "SharedRecord")]);
  const document = planDocument([zone("example.org", [shared])], EVERYTHING);
  expect([document.summary.counts.held, document.groups]).toEqual([0, []]);
});

test("a change that fails says so, and when it is tried again", () => {
  const failing = [
    { name: trustedDnsName("www.example.org"), code: "Refused", message: "no", nextTryMs: 4_200 },
  ];
  const open = [plan([change("www.example.org")]), plan([change("ok.example.org")])];
  const text = planText(planDocument([zone("example.org", open, { failing })], EVERYTHING), PLAIN);
  expect(text).toMatch(/www\.example\.org .*; the last try failed: Refused: no; next try in 5 s/);
  expect(text).not.toMatch(/ok\.example\.org .*failed/);
});

test("objects that are not published are all shown where everything is asked for", () => {
  const unpublished = Array.from({ length: 12 }, (_, index) => ({
    object: `dnsentry/default/n${index}`,
    name: trustedDnsName(`n${index}.example.org`),
    ...{ cluster: "c", state: "Invalid", message: "no" },
  }));
  const blind = { providers: [], caches: [], unread: [], unpublished };
  const text = (limit: number | null) =>
    planText(planDocument([zone("example.org", [])], { ...EVERYTHING, limit }, blind), PLAIN);
  expect(text(40)).toContain("and 2 more names are not published as their objects have them: ");
  expect(text(40)).not.toContain("n11.example.org");
  expect(text(null)).toContain("n11.example.org is not published");
});

test("a dry run says so first, also where no zone is open", () => {
  const blind = { providers: [], caches: [], unread: [], dryRun: "Dry run: nothing is written." };
  expect(planText(planDocument([], EVERYTHING, blind), PLAIN)).toMatch(/^Dry run: /);
  expect(planText(planDocument([zone("example.org", [])], EVERYTHING, blind), PLAIN)).toMatch(
    /^Dry run: /,
  );
});

test("objects that are not published as they are now are shown once, where the zone is known", () => {
  const stale = (name: string) => {
    const state = { cluster: "c", state: "Stale", message: "spec.targets: no" };
    return { object: `dnsentry/default/${name}`, name: trustedDnsName(name), ...state };
  };
  const blind = { providers: [], caches: [], unread: [] };
  const names = ["www.example.org", "held.example.org", "a.failed.example", "kept.example.org"];
  const unpublished = names.map(stale);
  const held = plan([], [hold("held.example.org", "ForeignRecord")]);
  // After a start, what an unreadable object had is held, and that says less than its status.
  const kept = plan([], [hold("kept.example.org", "SourceIncomplete")]);
  const zones = [
    zone("example.org", [held, kept]),
    zone("failed.example", [], { state: "failed" }),
  ];
  const document = planDocument(zones, EVERYTHING, { ...blind, unpublished });
  expect(document.unpublished?.map(({ name }) => name)).toEqual([
    "www.example.org",
    "kept.example.org",
  ]);
  expect(planText(document, PLAIN)).toContain(
    "www.example.org is not published as dnsentry/default/www.example.org has it: Stale: spec.targets: no",
  );
  expect(planText(document, PLAIN)).toMatch(
    /^Plan: 0 changes, 2 held.*, 2 objects not published as now wanted/m,
  );
});

test("S7 a change of type that is made in steps is declared as a gap", () => {
  const open = [
    plan([change("www.example.org", "192.0.2.1", "TypeChanged"), change("www.example.org")]),
  ];
  const stepwise = planDocument([zone("example.org", open, { isAtomic: false })], EVERYTHING);
  expect(stepwise.zones[0]?.gaps).toBe(1);
  expect(planText(stepwise, PLAIN)).toMatch(
    /1 name changes type in example.org.*no answer between/,
  );
  const atomic = planDocument([zone("example.org", open)], EVERYTHING);
  expect(planText(atomic, PLAIN)).not.toContain("no answer");
});

test("zones that cannot tell, and paused ones, say so", () => {
  const failed = zone("a.example", [], { state: "failed", message: "no route" });
  const paused = zone("b.example", many(1, "b.example"), {
    paused: "zone b.example is paused since",
  });
  const text = planText(planDocument([failed, paused, zone("c.example", [])], EVERYTHING), PLAIN);
  expect(text).toMatch(/a\.example .*failed at 192\.0\.2\.53:53: no route/);
  expect(text).toMatch(/b\.example .* paused\n/);
  expect(text).toMatch(/^Plan: 1 change, 0 held \(paused: b\.example\)\n/);
  expect(text).toContain("zone b.example is paused since");
  expect(text).toMatch(/c\.example .*nothing to do/);
});

test("what a pause holds says what it would be", () => {
  const { key, change: write } = change("www.example.org");
  const paused = { ...hold("www.example.org", "Paused"), key, change: write };
  const document = planDocument([zone("example.org", [plan([], [paused])])], EVERYTHING);
  expect(planText(document, PLAIN)).toContain(
    "! www.example.org A (300 192.0.2.1 created) Paused: because",
  );
  expect(document.groups[0]?.items[0]).toMatchObject({ op: "held", from: null });
});

describe("what is held says what it would do", () => {
  const data = { ttlSeconds: 300, properties: {}, routingPolicy: null };
  const at = (name: string, value: string): RecordSet => {
    const key = { name: trustedDnsName(name), type: "A", setIdentifier: null };
    return { ...key, ...data, values: [value] };
  };
  const heldAs = (name: string, change: Change | null, proof: Hold["proof"] = null) =>
    plan([], [{ ...hold(name, "FuseTripped"), change, proof }]);
  const [old, next] = [at("c.example.org", "192.0.2.1"), at("c.example.org", "192.0.2.2")];
  const document = planDocument(
    [
      zone("example.org", [
        heldAs("a.example.org", { op: "create", next: at("a.example.org", "192.0.2.3") }),
        heldAs("b.example.org", { op: "remove", previous: old }, "object-omits-name"),
        heldAs("c.example.org", { op: "replace", previous: old, next }),
        heldAs("d.example.org", null),
        heldAs("e.example.org", { op: "remove", previous: old }, "deleted-object"),
        plan([], [hold("f.example.org", "FuseTripped")]),
      ]),
    ],
    EVERYTHING,
  );
  const counts = { create: 1, replace: 1, remove: 2, marker: 1, unknown: 1 };
  const summary = "1 to create, 1 to replace, 2 to remove, 1 marker only";

  test("in text and in Markdown, each kind in a group of its own", () => {
    const text = planText(document, PLAIN);
    expect(text).toContain(`Plan: 0 changes, 6 held (${summary})\n`);
    expect(text).toContain(`Held: 6 FuseTripped (${summary}). Too many`);
    expect(text).toContain(`
example.org: held, FuseTripped, to remove, 2: because
  ! b.example.org A (300 192.0.2.1 removed: its object no longer lists the name)
  ! e.example.org A (300 192.0.2.1 removed: its object was deleted)
`);
    const lines = [
      "! a.example.org A (300 192.0.2.3 created) FuseTripped: because",
      "! c.example.org A (300 192.0.2.1 -> 300 192.0.2.2) FuseTripped: because",
      "! d.example.org A (marker only) FuseTripped: because",
      "! f.example.org A FuseTripped: because",
    ];
    for (const line of lines) expect(text).toContain(`  ${line}\n`);
    const markdown = planMarkdown(document);
    expect(markdown).toContain(`plan: 0 changes, 6 held (${summary})`);
    for (const line of lines) expect(markdown).toContain(`\n${line}\n`);
  });

  test("in the document, with counts apart", () => {
    expect(document.summary).toMatchObject({
      heldCounts: counts,
      held: [{ code: "FuseTripped", count: 6, heldCounts: counts }],
    });
    expect(document.zones[0]?.heldCounts).toEqual(counts);
    expect(document.groups.map(({ heldOp, count }) => [heldOp, count])).toEqual([
      ["remove", 2],
      ["create", 1],
      ["marker", 1],
      [null, 1],
      ["replace", 1],
    ]);
    expect(document.groups[0]?.items[0]).toMatchObject({
      ...{ op: "held", heldOp: "remove", proof: "object-omits-name" },
      from: { ttlSeconds: 300, values: ["192.0.2.1"] },
      to: null,
    });
  });
});

test("on a terminal no line is wider, and each kind has its colour", () => {
  const open = [...many(3, "example.org"), plan([], [hold("x.example.org", "ForeignRecord")])];
  const document = planDocument(
    [zone("example.org", open, { paused: `${"word ".repeat(40)}end` })],
    EVERYTHING,
  );
  const lines = planText(document, { width: 60, color: false }).split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(planText(document, { width: 60, color: true })).toContain("\u001b[32m  + n0.example.org");
});

describe("Markdown", () => {
  test("stays below what GitHub takes, and says what it left out", () => {
    const open = Array.from({ length: 3_000 }, (_, n) =>
      plan([change(`n${n}.example.org`, "x".repeat(60))]),
    );
    const zones = Array.from({ length: 20 }, (_, n) => zone(`z${n}.example`, open.slice(0, 150)));
    const text = planMarkdown(planDocument(zones, EVERYTHING));
    expect(text.length).toBeLessThan(MARKDOWN_MAX + 200);
    const one = planMarkdown(planDocument([zone("example.org", open)], EVERYTHING));
    expect([one.length > MARKDOWN_MAX / 2, one.length < MARKDOWN_MAX + 200]).toEqual([true, true]);
    expect(text).toMatch(/_\d+ more are not listed/);
  });

  test.each(["x ", "<", "`", "|"])("also where nothing but trouble made of %j is in it", (mark) => {
    const message = mark.repeat(500);
    const zones = Array.from({ length: 120 }, (_, n) =>
      zone(`z${n}.example`, many(20, `z${n}.example`), {
        ...{ state: "failed", message, paused: `z${n}: ${message}` },
        fence: {
          ...{ mode: "lease", message: `${n} ${message}` },
          ...{ domain: null, holder: null, epoch: 0, code: null, other: null },
        },
        heldSets: [{ hash: "0123456789abcdef", kind: "removals", changes: 40, removals: 40 }],
      }),
    );
    const codes = Array.from({ length: 90 }, (_, n) => hold("a.z0.example", `Code${n}${message}`));
    const providers = Array.from({ length: 200 }, (_, n) => ({
      provider: `default/p${n}`,
      message,
    }));
    const evil = zone("evil.example", [plan([change("e.example", message)], codes)]);
    const text = planMarkdown(
      planDocument([evil, ...zones], EVERYTHING, {
        providers,
        caches: [],
        unread: [],
      }),
    );
    expect(text.length).toBeLessThan(MARKDOWN_MAX + 200);
    for (const kind of ["zones", "remarks", "reasons"])
      expect(text).toMatch(new RegExp(`\\nand [0-9]+ more ${kind}|- and [0-9]+ more ${kind}`));
    expect(text).toContain("<details>");
    expect(text).toMatch(/_\d+ more are not listed/);
  });

  test("values cannot leave their block or cell", () => {
    const evil = plan(
      [change("a.example.org", "```\n</details>")],
      [hold("b.example.org", "a|<b>")],
    );
    const text = planMarkdown(planDocument([zone("example.org", [evil])], EVERYTHING));
    expect(text).toContain("````diff");
    expect(text).toContain("`a\\|&lt;b>`");
  });
});

test("no zone at all", () => {
  const caches = ["cache c/dnsproviders: not listed yet"];
  const nothing = planDocument([], EVERYTHING, {
    providers: [],
    unread: [],
    caches,
  });
  expect([planText(nothing, PLAIN), planMarkdown(nothing)]).toEqual([
    expect.stringMatching(/No zone is open[\s\S]*dnsproviders: not listed/),
    expect.stringMatching(/No zone is open[\s\S]*dnsproviders: not listed/),
  ]);
});
