import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { providerFacts } from "../../../test/support/values/provider-facts.ts";
import type { Zone } from "../../model/zone.ts";
import type { CutOf } from "./choose-zone.ts";
import type { ProviderFacts } from "./provider-facts.ts";
import { selectProvider } from "./select-provider.ts";

const name = trustedDnsName;
const PARENT = "example.org";
const CHILD = "sub.example.org";
const GRANDCHILD = "deep.sub.example.org";

const zoneOf = (id: string): Zone => ({
  id,
  name: name(id),
  providerType: "memory",
  endpoint: "here",
  view: "",
});

function facts(zones: readonly string[], more: Partial<ProviderFacts> = {}): ProviderFacts {
  const own = { id: "d/p", namespace: "d", account: "acc", zones: zones.map(zoneOf) };
  return providerFacts({ ...own, included: zones.map(name), ...more });
}

/** Lines `zone: cut servers…`: what each zone that was read holds, its own apex among it. */
function cutsOf(lines: readonly string[]): CutOf {
  const cuts = lines.map((line) => {
    const [zone = "", at = "", ...servers] = line.split(/:? /);
    return { zone, at: name(at), servers };
  });
  return (key, asked) => {
    const held = cuts.filter(({ zone }) => zone === key.zone);
    const fitting = held.filter(({ at }) => asked === at || asked.endsWith(`.${at}`));
    // The topmost cut below the apex, else the apex.
    const below = fitting.filter(({ at }) => at !== key.zone);
    return below.sort((a, b) => a.at.length - b.at.length)[0] ?? fitting[0] ?? null;
  };
}

const APEXES = [`${PARENT}: ${PARENT} ns.p`, `${CHILD}: ${CHILD} ns.c`];

interface Case {
  readonly cuts: readonly string[];
  readonly providers?: readonly ProviderFacts[];
  readonly presentZone?: string;
  readonly asked?: string;
}

function chosen({ cuts, providers, presentZone, asked = `www.${CHILD}` }: Case): string {
  const present = presentZone === undefined ? null : "d/p";
  const query = { name: name(asked), present, presentZone: presentZone ?? null };
  const both = providers ?? [facts([PARENT, CHILD])];
  const selection = selectProvider(query, both, cutsOf(cuts));
  return selection.kind === "zone" ? selection.zone.id : selection.kind;
}

describe("Z-18 parent and child zones", () => {
  test.each<readonly [string, Case, string]>([
    ["a parked child is not asked", { cuts: APEXES }, PARENT],
    ["a delegated child is", { cuts: [...APEXES, `${PARENT}: ${CHILD} ns.c`] }, CHILD],
    [
      "of a child with several servers in another order too",
      {
        cuts: [
          `${PARENT}: ${PARENT} ns.p`,
          `${PARENT}: ${CHILD} a.c b.c`,
          `${CHILD}: ${CHILD} a.c b.c`,
        ],
      },
      CHILD,
    ],
    [
      "a delegation to other servers leaves the name to the parent, which holds it",
      { cuts: [...APEXES, `${PARENT}: ${CHILD} ns.elsewhere`] },
      PARENT,
    ],
    ["a name beside the child is the parent's", { cuts: APEXES, asked: "www.example.org" }, PARENT],
    ["an unread parent: wait", { cuts: [`${CHILD}: ${CHILD} ns.c`] }, "undecided"],
    [
      "an unread child that is delegated: wait",
      { cuts: [`${PARENT}: ${PARENT} ns.p`, `${PARENT}: ${CHILD} ns.c`] },
      "undecided",
    ],
    [
      "an unread child that is not delegated matters not",
      { cuts: [`${PARENT}: ${PARENT} ns.p`] },
      PARENT,
    ],
    [
      "an entry that is somewhere stays there while nothing is known",
      { cuts: [], presentZone: CHILD },
      CHILD,
    ],
    [
      "a listed child needs no delegation",
      { cuts: APEXES, providers: [facts([PARENT, CHILD], { explicit: [CHILD] })] },
      CHILD,
    ],
    [
      "a listed parent takes nothing from a delegated child",
      {
        cuts: [...APEXES, `${PARENT}: ${CHILD} ns.c`],
        providers: [facts([PARENT, CHILD], { explicit: [PARENT] })],
      },
      CHILD,
    ],
    [
      "parent and child of two accounts",
      {
        cuts: APEXES,
        providers: [facts([PARENT]), facts([CHILD], { id: "d/q", account: "other" })],
      },
      PARENT,
    ],
    [
      "the parent delegates the grandchild past a parked child",
      {
        cuts: [...APEXES, `${PARENT}: ${GRANDCHILD} ns.g`, `${GRANDCHILD}: ${GRANDCHILD} ns.g`],
        providers: [facts([PARENT, CHILD, GRANDCHILD])],
        asked: `www.${GRANDCHILD}`,
      },
      GRANDCHILD,
    ],
    [
      "two delegations one after the other",
      {
        cuts: [
          ...APEXES,
          `${PARENT}: ${CHILD} ns.c`,
          `${CHILD}: ${GRANDCHILD} ns.g`,
          `${GRANDCHILD}: ${GRANDCHILD} ns.g`,
        ],
        providers: [facts([PARENT, CHILD, GRANDCHILD])],
        asked: `www.${GRANDCHILD}`,
      },
      GRANDCHILD,
    ],
    [
      "below a zone that others serve, ours counts",
      {
        cuts: [`${PARENT}: ${PARENT} ns.p`, `${PARENT}: ${CHILD} ns.elsewhere`],
        providers: [facts([PARENT, GRANDCHILD])],
        asked: `www.${GRANDCHILD}`,
      },
      GRANDCHILD,
    ],
  ])("%s", (_, given, expected) => {
    expect(chosen(given)).toBe(expected);
  });
});

test("among private zones the longest apex answers, delegated or not", () => {
  const isPrivate = (id: string): Zone => ({ ...zoneOf(id), visibility: "private" });
  const inside = facts([PARENT, CHILD], { zones: [PARENT, CHILD].map(isPrivate) });
  expect(chosen({ cuts: APEXES, providers: [inside] })).toBe(CHILD);
  expect(chosen({ cuts: [], providers: [inside] }), "nothing has to be read first").toBe(CHILD);
  const split = facts([PARENT, CHILD], { zones: [zoneOf(PARENT), isPrivate(CHILD)] });
  expect(chosen({ cuts: APEXES, providers: [split] })).toBe(CHILD);
});
