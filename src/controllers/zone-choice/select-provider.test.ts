import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { providerFacts } from "../../../test/support/values/provider-facts.ts";
import { selectZones } from "../../gardener/dns-provider/select-zones.ts";
import type { Zone } from "../../model/zone.ts";
import type { ProviderFacts } from "./provider-facts.ts";
import { selectProvider } from "./select-provider.ts";

const name = trustedDnsName;
const zone = (id: string, apex = id): Zone => ({
  id,
  name: name(apex),
  providerType: "memory",
  endpoint: "here",
  view: "",
});
const choice = (include: readonly string[] = [], exclude: readonly string[] = []) => ({
  include,
  exclude,
});
const domains = (include: readonly string[] = [], exclude: readonly string[] = []) => ({
  include: include.map(name),
  exclude: exclude.map(name),
});

function shown(zones: readonly Zone[], filter: Parameters<typeof selectZones>[1]): unknown {
  const selection = selectZones(zones, filter);
  if (!selection.ok) return selection.error;
  const { zones: chosen, domains: names, warnings } = selection.value;
  return {
    zones: [chosen.included.map((z) => z.id), chosen.excluded.map((z) => z.id)],
    domains: [names.included, names.excluded],
    warnings,
  };
}

describe("zones and domains of a provider", () => {
  test("ids of zones are equal in any letter case, as Azure's are", () => {
    const all = [zone("b.org"), zone("a.org")];
    const zones = { ...choice(), include: ["A.Org"] };
    expect(shown(all, { domains: domains(), zones })).toMatchObject({
      zones: [["a.org"], ["b.org"]],
    });
  });

  test("everything, when nothing is asked for", () => {
    expect(shown([zone("b.org"), zone("a.org")], { domains: domains(), zones: choice() })).toEqual({
      zones: [["a.org", "b.org"], []],
      domains: [["a.org", "b.org"], []],
      warnings: [],
    });
  });

  test("Gardener's worked example", () => {
    const zones = ["a", "b", "c", "d", "e"].map((id) => zone(`z${id}`, `${id}.org`));
    const filter = {
      domains: domains(["a.org", "b.org"], ["d.org"]),
      zones: choice(["za", "zc"], ["ze"]),
    };
    expect(shown(zones, filter)).toEqual({
      zones: [["za"], ["zb", "zc", "zd", "ze"]],
      domains: [["a.org"], ["d.org"]],
      warnings: ['domain "b.org" not in hosted domains'],
    });
  });

  test("a child zone that is left out is not served from its parent", () => {
    const zones = [zone("example.org"), zone("sub.example.org")];
    const filter = { domains: domains(), zones: choice([], ["sub.example.org"]) };
    expect(shown(zones, filter)).toEqual({
      zones: [["example.org"], ["sub.example.org"]],
      domains: [["example.org"], ["sub.example.org"]],
      warnings: [],
    });
  });

  test.each([
    ["another of its name is there", choice(), ["z2"]],
    ["the selection leaves that one out", choice(["z1"]), ["z1"]],
  ])("a superseded zone, where %s", (_, zones, included) => {
    const all = [zone("z1", "a.org"), zone("z2", "a.org")];
    const selection = selectZones(all, { domains: domains(), zones }, ["z1"]);
    expect(selection.ok && selection.value.zones.included.map(({ id }) => id)).toEqual(included);
  });

  test("a superseded child zone takes no domain from its successor", () => {
    const all = [zone("a.org"), zone("z1", "b.a.org"), zone("z2", "b.a.org")];
    const selection = selectZones(all, { domains: domains(), zones: choice() }, ["z1"]);
    expect(selection.ok && selection.value.domains.excluded).toEqual([]);
  });

  test.each([
    ["no zones", [], { domains: domains(), zones: choice() }, "no hosted zones available"],
    [
      "a filter that matches none",
      [zone("a.org")],
      { domains: domains(), zones: choice(["b"]) },
      "matches zone filter; correct spec.zones.include: the account has a.org (a.org)",
    ],
    [
      "a filter that excludes all",
      ["a", "b", "c", "d", "e", "f", "g"].map((id) => zone(id, `${id}.org`)),
      { domains: domains(), zones: choice(["a"], ["a"]) },
      "correct spec.zones.include or spec.zones.exclude: the account has a (a.org), b (b.org), c (c.org), d (d.org), e (e.org), 2 more",
    ],
    [
      "one that the operator and the spec exclude together",
      [zone("a.org"), zone("b.org")],
      {
        domains: domains(),
        zones: { ...choice([], ["a.org", "b.org"]), blocked: ["b.org"] },
      },
      "; --blocked-zone blocks b.org; correct spec.zones.exclude: the account has a.org",
    ],
    [
      "domains elsewhere",
      [zone("a.org")],
      { domains: domains(["b.org"]), zones: choice() },
      "Need to be a (sub)domain of [a.org]; correct spec.domains.include",
    ],
    [
      "domains that are all excluded",
      [zone("a.org"), zone("b.org")],
      { domains: { include: [], exclude: [name("a.org"), name("b.org")] }, zones: choice() },
      "spec.domains.exclude excludes every zone: a.org b.org; remove one of them there",
    ],
    [
      "two zones of one name",
      [zone("z1", "a.org"), zone("z2", "a.org")],
      { domains: domains(), zones: choice() },
      "duplicate zones z1(a.org) and z2(a.org)",
    ],
  ])("refuses %s", (_, zones, filter, message) => {
    expect(shown(zones, filter)).toContain(message);
  });
});

const unread = (): null => null;

function facts(id: string, more: Partial<ProviderFacts> = {}): ProviderFacts {
  const zones = [zone("example.org")];
  const included = [name("example.org")];
  return providerFacts({ id, account: `account-${id}`, zones, known: zones, included, ...more });
}

function choose(text: string, providers: readonly ProviderFacts[], present: string | null = null) {
  const query = { name: name(text), present, presentZone: null };
  const selection = selectProvider(query, providers, unread);
  if (selection.kind === "zone") return `${selection.provider.id} ${selection.zone.id}`;
  return selection.kind === "invalid" ? `invalid ${selection.message}` : selection.kind;
}

describe("provider of a name", () => {
  const wide = facts("d/wide");
  const narrow = facts("d/narrow", { included: [name("a.example.org")] });

  test("the longest included domain wins", () => {
    expect(choose("www.a.example.org", [wide, narrow])).toBe("d/narrow example.org");
    expect(choose("www.b.example.org", [wide, narrow])).toBe("d/wide example.org");
  });

  test("an excluded domain blocks, unless an included one is longer", () => {
    const excluded = facts("d/x", { excluded: [name("a.example.org")] });
    expect(choose("www.a.example.org", [excluded])).toBe("none");
    const query = { name: name("www.a.example.org") };
    const asked = { ...query, present: null, presentZone: null };
    expect(selectProvider(asked, [excluded], unread)).toEqual({
      kind: "none",
      excluded: { provider: "d/x", domain: "a.example.org" },
    });
    const both = facts("d/y", {
      included: [name("example.org"), name("b.a.example.org")],
      excluded: [name("a.example.org")],
    });
    expect(choose("www.b.a.example.org", [both])).toBe("d/y example.org");
  });

  test("an exclusion says more than a provider of unknown zones, unless that one is present", () => {
    const excluded = facts("d/x", { excluded: [name("a.example.org")] });
    const broken = facts("d/b", { state: "invalid", message: "wrong key", included: [] });
    expect(choose("www.a.example.org", [excluded, broken])).toBe("none");
    expect(choose("www.a.example.org", [excluded, broken], "d/b")).toContain("wrong key");
  });

  test("of several providers of unknown zones one is named, and the others are counted", () => {
    const broken = ["d/b", "d/c", "d/d"].map((id) =>
      facts(id, { state: "invalid", message: "wrong key", included: [] }),
    );
    const elsewhere = facts("d/a", { state: "invalid", included: [name("example.net")] });
    expect(choose("www.example.org", [elsewhere, ...broken])).toBe(
      'invalid provider "d/b" not valid: wrong key; 2 more may serve the name and are not valid: kubectl get dnsproviders -A -o wide',
    );
  });

  test("suffixes are compared label by label", () => {
    expect(choose("notexample.org", [wide])).toBe("none");
  });

  test("a tie keeps the present provider, else the first by name", () => {
    const [a, b] = [facts("d/a"), facts("d/b")];
    expect(choose("www.example.org", [b, a])).toBe("d/a example.org");
    expect(choose("www.example.org", [a, b], "d/b")).toBe("d/b example.org");
  });

  test("Z-18: of equals, one whose zone is proven, even if the other one is present", () => {
    const [a, b] = [facts("d/a", { unproven: ["example.org"] }), facts("d/b")];
    expect(choose("www.example.org", [a, b], "d/a")).toBe("d/b example.org");
    expect(choose("www.example.org", [a], "d/a")).toBe("d/a example.org");
    const longer = { ...narrow, unproven: ["example.org"] };
    expect(choose("www.a.example.org", [longer, b])).toBe("d/narrow example.org");
  });

  test("valid before invalid, even if the invalid one is longer", () => {
    const broken = { ...narrow, state: "invalid" as const, message: "no secret" };
    expect(choose("www.a.example.org", [wide, broken])).toBe("d/wide example.org");
    expect(choose("www.a.example.org", [broken])).toBe(
      'invalid provider "d/narrow" not valid: no secret',
    );
  });

  test("the longest zone that is listed explicitly serves the name, read or not", () => {
    const zones = [zone("example.org"), zone("a.example.org")];
    const nested = facts("d/n", { zones, explicit: zones.map(({ id }) => id) });
    expect(choose("www.a.example.org", [nested])).toBe("d/n a.example.org");
  });

  test("a provider that is not known yet delays new names, not those of another provider", () => {
    const unknown = facts("d/u", { state: "pending", zones: [], included: [], account: null });
    expect(choose("www.example.org", [wide, unknown])).toBe("undecided");
    expect(choose("www.example.org", [wide, unknown], "d/wide")).toBe("d/wide example.org");
  });

  test("Z-19: a provider that is being deleted serves no living entry", () => {
    expect(choose("www.example.org", [{ ...wide, deleting: true }])).toBe(
      'invalid provider "d/wide" not valid: it is being deleted',
    );
  });
});
