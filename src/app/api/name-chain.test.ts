import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { nameOf, parseZone } from "../../../test/support/values/zone-text.ts";
import type { Hold } from "../../plan/changes.ts";
import type { ResolverAnswer } from "../compose/authority/ask-resolvers.ts";
import type { AnsweredExplanation, ExplainDocument, HistoryChange } from "./documents.ts";
import { mendingCommands } from "./mending-commands.ts";
import { type ChainInput, nameChain } from "./name-chain.ts";

const WWW = nameOf("www");
const APEX = nameOf("@");
const [SET] = parseZone("www 300 A 192.0.2.1");
if (SET === undefined) throw new Error("no set");
const object = { cluster: "c", kind: "service", namespace: "shop", name: "web" };
const desired = { ...SET, provenance: object, owner: null, createdAtMs: 0 };
const own = { type: "A", setIdentifier: null, data: SET, whose: "ours" as const, owners: ["me"] };
const SETTLED: AnsweredExplanation = {
  zone: { account: "a", zone: "example.org" },
  ...{ apex: APEX, endpoint: "192.0.2.53:53", isTrusted: true, paused: null, servers: [] },
  ...{ name: WWW, verdict: "settled", desired: [desired], current: [SET] },
  claims: [{ object, set: desired, place: "first", reason: "" }],
  standing: [{ ...own, resource: "service/shop/web" }],
  ...{ owner: "me", resource: "service/shop/web", holds: [], heldSets: [] },
  ...{ lastOutcome: null, nextTryAtMs: null },
  answers: [
    { server: "192.0.2.53:53", serial: 7, answers: ["A 300 192.0.2.1"], trouble: null },
    { server: "ns2 (192.0.2.54)", serial: 7, answers: ["A 300 192.0.2.1"], trouble: null },
  ],
};
const NOTHING: AnsweredExplanation = {
  ...SETTLED,
  ...{ desired: [], claims: [], standing: [], current: [], verdict: "unknown" },
};
const SERVICE = { object: "service/shop/web", cluster: "c", name: WWW, state: "", message: "" };
const ENTRY = { ...SERVICE, object: "dnsentry/shop/web-1" };

type Given = Partial<Omit<ChainInput, "document"> & ExplainDocument>;

/** `state link: text`; only what is asked for differs from a name that is well. */
function linksOf(given: Given = {}): readonly string[] {
  return chainOf(given).map(({ is, state, text }) => `${state} ${is}: ${text}`);
}

function chainOf({ listing = [SERVICE, ENTRY], resolvers = [], ...document }: Given) {
  const rest = { name: WWW, zones: [SETTLED], providers: [], unread: [], caches: [] };
  return nameChain({ document: { ...rest, ...document }, listing, resolvers });
}

function zoneWith(more: Partial<AnsweredExplanation>, from = SETTLED): Given {
  return { zones: [{ ...from, ...more }] };
}

function historyWith(is: HistoryChange["is"], why: string, more: Partial<HistoryChange> = {}) {
  const change: HistoryChange = {
    ...{ at: "2026-11-30T12:00:00Z", zone: APEX, name: WWW, type: "A", is, why },
    ...{ object: "service/shop/web", cause: "edit", providers: [], callMs: 1, ...more },
  };
  return { now: "2026-11-30T12:01:00Z", changes: [change] };
}

const hold = (code: Hold["code"]): Hold => ({
  ...{
    key: { name: WWW, type: "A", setIdentifier: null },
    code,
    message: "why",
    provenance: object,
  },
});
const OTHER = { ...SET, values: ["192.0.2.9"] };
const UNDONE = {
  ...hold("Paused"),
  change: { op: "replace", previous: SET, next: OTHER },
} as const;
const REMOVAL = { op: "remove", previous: SET } as const;
const resolver = (data: string, more: Partial<ResolverAnswer> = {}): ResolverAnswer => ({
  server: "9.9.9.9:53",
  answers: data === "" ? [] : [{ name: WWW, type: "A", ttlSeconds: 120, data }],
  ...{ rcode: "NOERROR", trouble: null, ...more },
});

test("a name that is well has every link that applies, and no command but the one that looks", () => {
  const chain = chainOf({ resolvers: [resolver("192.0.2.1")] });
  expect(chain.map(({ is, state, text }) => `${state} ${is}: ${text}`)).toEqual([
    "ok object: service/shop/web wants A 192.0.2.1",
    "ok entry: dnsentry/shop/web-1 passes it on",
    "ok plan: the zone has it as wanted",
    "ok zone: example.org at 192.0.2.53:53",
    "ok servers: all 2 servers answer with it",
    "ok resolvers: 9.9.9.9:53 answers with it, and keeps it for 120 s at the most",
  ]);
  expect(mendingCommands({ name: WWW, zones: [SETTLED] }, chain, "zonekeeper")).toEqual([
    "zonekeeper explain www.example.org",
  ]);
});

describe("the object", () => {
  test.each<[string, Given, string]>([
    [
      "nobody",
      { ...zoneWith({}, NOTHING), listing: [] },
      "broken object: no object lists www.example.org",
    ],
    [
      "kinds that are not read yet",
      { ...zoneWith({}, NOTHING), listing: [], caches: ["cache services: not listed yet"] },
      "unknown object: not all objects were read yet: cache services: not listed yet",
    ],
    [
      "a record without an object",
      { ...zoneWith({ standing: SETTLED.standing }, NOTHING), listing: [] },
      "unknown object: no object lists it; the record that is there stays as it is",
    ],
    [
      "nobody any more",
      { ...zoneWith({}, NOTHING), listing: [], history: historyWith("removed", "deleted-object") },
      "unknown object: no object lists it any more; it was removed: its object was deleted (service/shop/web)",
    ],
    [
      "nobody any more, as a person approved",
      {
        ...{ ...zoneWith({}, NOTHING), listing: [] },
        history: historyWith("removed", "SomeReason", { object: "", hash: "5e7" }),
      },
      "unknown object: no object lists it any more; it was removed: SomeReason, approved with set 5e7",
    ],
    [
      "nobody, whose record went otherwise",
      { ...zoneWith({}, NOTHING), listing: [], history: historyWith("changed", "ValueChanged") },
      "broken object: no object lists www.example.org",
    ],
    [
      "a wildcard",
      {
        ...zoneWith({ synthesized: { is: "wildcard", at: nameOf("*"), sets: [SET] } }, NOTHING),
        listing: [],
      },
      "ok object: no object lists it; the wildcard *.example.org answers for it",
    ],
    [
      "one for external-dns",
      {
        ...zoneWith({}, NOTHING),
        listing: [],
        unread: [{ object: "service/shop/old", where: "an annotation" }] as never,
      },
      "broken object: service/shop/old names it for external-dns only, which is not read",
    ],
    [
      "one in trouble",
      {
        ...zoneWith({}, NOTHING),
        listing: [{ ...SERVICE, state: "InvalidTarget", message: "x y" }],
      },
      "broken object: service/shop/web: InvalidTarget: x y",
    ],
    ["one that is not taken yet", zoneWith({}, NOTHING), "ok object: service/shop/web lists it"],
    [
      "one without an address",
      zoneWith({ claims: [{ object, set: null, place: "waits", reason: "NoTargets" }] }),
      "waits object: service/shop/web lists it and has no address",
    ],
  ])("%s", (_, given, link) => {
    expect(linksOf(given)[0]).toBe(link);
  });

  test("its entry says what is wrong with it; an entry of a user is the object itself", () => {
    const stale = { ...ENTRY, state: "Stale", message: "no zone" };
    expect(linksOf({ listing: [SERVICE, stale] })[1]).toBe(
      "broken entry: dnsentry/shop/web-1: Stale: no zone",
    );
    const entry = { ...object, kind: "dnsentry", name: "web-1" };
    const claims = [{ object: entry, set: desired, place: "first" as const, reason: "" }];
    expect(linksOf({ ...zoneWith({ claims }), listing: [ENTRY] }).join()).not.toContain("entry:");
  });
});

describe("the plan and the zone", () => {
  test.each<[string, Given, string]>([
    [
      "is held",
      zoneWith({ holds: [hold("NoTargets"), hold("ForeignRecord")] }),
      "broken plan: ForeignRecord: why",
    ],
    [
      "keeps a record whose removal is held",
      zoneWith({
        ...{ claims: [], resource: "dnsentry/default/www" },
        holds: [{ ...hold("Paused"), change: REMOVAL, proof: "deleted-object" }],
      }),
      "waits plan: published; its removal is held since its object was deleted (dnsentry/default/www): why. When the pause ends it is removed, unless that is back",
    ],
    [
      "keeps what a person has undone",
      zoneWith({ holds: [UNDONE] }),
      "waits plan: Paused: why. When the pause ends it becomes A 192.0.2.9, as service/shop/web wants: correct that first if it shall stay",
    ],
    [
      "is paused with nothing to write",
      zoneWith({ holds: [{ ...hold("Paused"), provenance: null, change: UNDONE.change }] }),
      "waits plan: Paused: why",
    ],
    [
      "removes what nobody is known to have had",
      zoneWith({ resource: null, holds: [{ ...hold("FuseTripped"), change: REMOVAL }] }),
      "waits plan: published; its removal is held: why",
    ],
    [
      "waits for an address",
      zoneWith({ holds: [hold("NoTargets")] }),
      "waits plan: NoTargets: why",
    ],
    [
      "failed",
      zoneWith({ lastOutcome: "Refused: no", nextTryAtMs: 5 }),
      "broken plan: the last try failed: Refused: no",
    ],
    [
      "is about to be made",
      zoneWith({ verdict: "open" }),
      "waits plan: a change is to be made now",
    ],
    ["has no zone", { zones: [] }, "broken zone: no open zone contains www.example.org"],
    [
      "has a DNSProvider in trouble",
      { zones: [], providers: [{ provider: "dns/p", message: "no credentials" }] },
      "broken zone: no open zone contains it; DNSProvider dns/p: no credentials",
    ],
    [
      "cannot be read",
      zoneWith({ unread: { sinceMs: 0, message: "refused", readAtMs: null } }),
      "broken zone: example.org cannot be read: refused",
    ],
    [
      "is read for the first time",
      zoneWith({ unread: { sinceMs: null, message: "", readAtMs: null } }),
      "waits zone: example.org is being read",
    ],
    ["is delegated", zoneWith({ isDelegated: true }), "broken zone: other servers answer for it"],
    ["is paused", zoneWith({ paused: "paused by --pause" }), "waits zone: paused by --pause"],
    [
      "has another writer",
      zoneWith({
        fence: {
          ...{ mode: "stopped", domain: "a", epoch: 1, holder: "b", other: "b" },
          ...{ code: "HeldBy", message: "b has it" },
        },
      }),
      "broken zone: b has it",
    ],
  ])("%s", (_, given, link) => {
    expect(linksOf(given)).toContain(link);
  });

  test("say since when", () => {
    const [, , plan] = chainOf(zoneWith({ holds: [hold("ForeignRecord")], openSinceMs: 60_000 }));
    expect(plan).toMatchObject({ since: "1970-01-01T00:01:00.000Z", code: "ForeignRecord" });
  });

  test("of several zones the one that knows the name counts, then the nearest", () => {
    const below = { ...NOTHING, apex: trustedDnsName("www.example.org") };
    expect(linksOf({ zones: [below, SETTLED] }).join()).toContain("ok zone: example.org at");
    expect(linksOf({ zones: [NOTHING, below], listing: [] }).join()).toContain(
      "ok zone: www.example.org at",
    );
  });
});

describe("the answers", () => {
  const [first, second] = SETTLED.answers ?? [];
  if (first === undefined || second === undefined) throw new Error("no answers");
  test.each<[string, Given, string]>([
    [
      "of no server",
      zoneWith({ answers: [] }),
      "unknown servers: the zone names no server that can be asked",
    ],
    [
      "of one server that is silent",
      zoneWith({ answers: [first, { ...second, trouble: "refused" }] }),
      "broken servers: not all servers answer: ns2 (192.0.2.54): refused",
    ],
    [
      "of servers that are all silent",
      zoneWith({ answers: [{ ...first, trouble: "refused" }] }),
      "broken servers: no server answers: 192.0.2.53:53: refused",
    ],
    [
      "of a server that lags",
      zoneWith({ answers: [first, { ...second, differs: "A: 192.0.2.9" }] }),
      "broken servers: ns2 (192.0.2.54) answers otherwise than the zone was read: A: 192.0.2.9",
    ],
    ["of one server", zoneWith({ answers: [first] }), "ok servers: the server answers with it"],
    [
      "that are not as wanted",
      zoneWith({ holds: [hold("ForeignRecord")] }),
      "waits servers: all 2 servers answer with what the zone has, which is not what is wanted",
    ],
    ["that are empty", zoneWith({ current: [] }), "broken servers: the servers have nothing there"],
    [
      "that nobody wants",
      zoneWith({}, { ...NOTHING, answers: [first] }),
      "unknown servers: the servers have nothing there",
    ],
    [
      "of an alias that leads nowhere",
      zoneWith({ alias: { chain: [nameOf("a"), nameOf("b")], is: "nowhere" } }),
      "broken alias: it leads to a.example.org and then b.example.org, which has no address",
    ],
    [
      "of an alias that nobody knows",
      zoneWith({ alias: { chain: [nameOf("a")], is: "unknown" } }),
      "unknown alias: it leads to a.example.org; whether that answers is not known",
    ],
    [
      "of an alias",
      zoneWith({ alias: { chain: [nameOf("a")], is: "answers" } }),
      "ok alias: it leads to a.example.org",
    ],
  ])("%s", (_, given, link) => {
    expect(linksOf(given)).toContain(link);
  });

  test.each<[string, readonly ResolverAnswer[], string, Partial<AnsweredExplanation>?]>([
    [
      "remembers another value",
      [resolver("192.0.2.9")],
      "waits resolvers: 9.9.9.9:53 answers with A 192.0.2.9 for 120 s more",
    ],
    [
      "has nothing",
      [resolver("", { rcode: "NXDOMAIN" })],
      "broken resolvers: 9.9.9.9:53 has nothing (NXDOMAIN): it remembers that there was nothing, or asks other servers than these",
    ],
    [
      "cannot be asked",
      [resolver("192.0.2.1"), resolver("", { trouble: "refused" })],
      "unknown resolvers: 9.9.9.9:53 cannot be asked: refused",
    ],
    [
      "is one of several",
      [resolver("192.0.2.1"), resolver("192.0.2.1")],
      "ok resolvers: all 2 resolvers answer with it, and keep it for 120 s at the most",
    ],
    [
      "answers by the wildcard",
      [resolver("192.0.2.1")],
      "ok resolvers: 9.9.9.9:53 answers with it, and keeps it for 120 s at the most",
      { current: [], synthesized: { is: "wildcard", at: nameOf("*"), sets: [SET] } },
    ],
    [
      "is asked about nothing",
      [resolver("", { rcode: "NXDOMAIN" })],
      "ok resolvers: 9.9.9.9:53 answers NXDOMAIN",
      { current: [] },
    ],
  ])("of a resolver that %s", (_, resolvers, link, zone = {}) => {
    expect(linksOf({ ...zoneWith(zone), resolvers })).toContain(link);
  });
});

describe("the first command mends the first link that is not well", () => {
  test.each<[string, Given, readonly string[]]>([
    [
      "a set that waits",
      zoneWith({
        holds: [hold("FuseTripped")],
        heldSets: [{ hash: "4f0c1d2e3b5a6978", kind: "removals", changes: 3, removals: 3 }],
      }),
      ["zk approve 4f0c1d2e3b5a6978", "zk plan --name www.example.org"],
    ],
    ["a pause of the zone", zoneWith({ paused: "p" }), ["zk resume --zone example.org"]],
    [
      "a pause of the name",
      zoneWith({ holds: [hold("Paused")] }),
      ["zk resume --name www.example.org"],
    ],
    [
      "an undo, whose object wants otherwise",
      zoneWith({ holds: [UNDONE] }),
      ["kubectl -n shop describe service web", "zk resume --name www.example.org"],
    ],
    [
      "a pause of the zone that holds a change",
      zoneWith({ holds: [hold("Paused")], paused: "p" }),
      ["zk resume --zone example.org"],
    ],
    [
      "a foreign record",
      zoneWith({ holds: [hold("ForeignRecord")] }),
      ["zk ownership adopt www.example.org"],
    ],
    [
      "another writer",
      zoneWith({
        fence: {
          ...{ mode: "stopped", domain: "a", epoch: 1, holder: "b", other: "b; rm -r /" },
          ...{ code: null, message: "b has it" },
        },
      }),
      ["zk owner take --from 'b; rm -r /'"],
    ],
    [
      "a zone that cannot be read",
      zoneWith({ unread: { sinceMs: 0, message: "", readAtMs: null } }),
      ["zk plan --zone example.org"],
    ],
    [
      "a DNSProvider",
      { zones: [], providers: [{ provider: "dns/p", message: "no" }] },
      ["kubectl -n dns describe dnsprovider p"],
    ],
    [
      "an object",
      {
        ...zoneWith({}, NOTHING),
        listing: [{ ...SERVICE, object: "crd/shop/e", state: "Invalid" }],
      },
      ["kubectl -n shop describe dnsendpoint e"],
    ],
    ["no object", { ...zoneWith({}, NOTHING), listing: [] }, []],
    [
      "a server",
      zoneWith({
        answers: [{ server: "ns2 (2001:db8::54)", serial: null, answers: [], trouble: "no" }],
      }),
      ["dig @2001:db8::54 www.example.org"],
    ],
    [
      "a server with a port",
      zoneWith({
        answers: [{ server: "[2001:db8::54]:5353", serial: null, answers: [], trouble: "no" }],
      }),
      ["dig @2001:db8::54 -p 5353 www.example.org"],
    ],
    [
      "an alias",
      zoneWith({ alias: { chain: [nameOf("a")], is: "nowhere" } }),
      ["zk explain a.example.org"],
    ],
  ])("%s", (_, given, commands) => {
    const document = { name: WWW, zones: given.zones ?? [SETTLED] };
    expect(mendingCommands(document, chainOf(given), "zk")).toEqual([
      ...commands,
      "zk explain www.example.org",
    ]);
  });

  test("a name is quoted for a shell", () => {
    const document = { name: nameOf("*"), zones: [] };
    expect(mendingCommands(document, [], "zonekeeper")).toEqual([
      "zonekeeper explain '*.example.org'",
    ]);
  });
});
