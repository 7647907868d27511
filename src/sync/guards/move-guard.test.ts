import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import type { AbsenceProof, KeyChange, NamePlan } from "../../plan/changes.ts";
import { judgeAbsence } from "../../plan/removal/table.ts";
import { cutOf, KnownCuts, moveFacts, namesUnder } from "../delegation/zone-cuts.ts";
import type { Guard } from "./guard.ts";
import { MoveGuard } from "./move-guard.ts";

const name = trustedDnsName;
const APEX = name("example.org");
const SUB = name("sub.example.org");
const WWW = name("www.sub.example.org");
const PLAIN = { setIdentifier: null, ttlSeconds: 300, properties: {}, routingPolicy: null };
const OPEN: Guard = {
  admit: async (plans) => plans,
  approve: async () => false,
  heldSets: () => [],
};
const COUNTS = { owned: 1, ownedNames: 1, ownedAt: () => 1, ownedIn: () => 1 };

function removal(at: DnsName, proof: AbsenceProof): NamePlan {
  const key = { name: at, type: "A", setIdentifier: null };
  const previous = { ...PLAIN, ...key, values: ["192.0.2.1"] };
  const change: KeyChange = {
    key,
    current: null,
    desired: null,
    change: { op: "remove", previous },
    marker: null,
    reason: { code: "NotWanted", message: "" },
    proof,
  };
  return { name: at, changes: [change], holds: [] };
}

describe("Z-18 removals that rest on a move", () => {
  const other = name("www.example.org");

  test("wait until the other zone was read; others do not", async () => {
    const asked: DnsName[] = [];
    const guard = new MoveGuard(OPEN, async (names) => {
      asked.push(...names);
      return new Map();
    });
    const plans = [removal(WWW, "moved-zone"), removal(other, "deleted-object")];
    const admitted = await guard.admit(plans, COUNTS);
    expect(asked).toEqual([WWW]);
    expect(admitted.map((plan) => plan.changes.length)).toEqual([0, 1]);
    expect(admitted[0]?.holds[0]).toMatchObject({ code: "MovedUnconfirmed" });
  });

  test("go when it holds them, and nobody is asked when nothing moves", async () => {
    const guard = new MoveGuard(OPEN, async (names) => new Map(names.map((one) => [one, null])));
    const plans = [removal(WWW, "moved-zone")];
    expect(await guard.admit(plans, COUNTS)).toEqual(plans);
    const deaf = new MoveGuard(OPEN, () => Promise.reject(new Error("not to be asked")));
    const sure = [removal(other, "deleted-object")];
    expect(await deaf.admit(sure, COUNTS)).toEqual(sure);
  });
});

describe("Z-18 the verdict on a record set that is left behind", () => {
  const object = { cluster: "c1", kind: "dnsentry", namespace: "d", name: "web" };
  const found = { items: [], waiting: [], problems: [], complete: true };
  const contribution = { object, generation: 1, found, deleting: false };
  const movedAway = { ...contribution, movedTo: { account: "a", zone: SUB } };
  const who = { who: "dnsentry/d/web", original: "dnsentry/d/web" };
  const omits = { ...who, proof: "object-omits-name", isAlive: true, whyUnknown: "" } as const;
  const proven = { gate: null, listers: [], object: () => omits };
  const lists = { ...who, is: "elsewhere", isAboutRecord: true, isOtherZone: false } as const;
  const alive = { ...proven, listers: [lists] };
  const notSynced = { ...proven, gate: { code: "NotSynced", message: "" } as const };
  const input = { contributions: [], delegation: null, isWantedInOtherZone: false };
  const cut = (server: DnsName) => ({ at: SUB, servers: [server] });

  test.each([
    ["nothing moved", proven, { ...input, contributions: [contribution] }, "object-omits-name"],
    ["a farewell", proven, { ...input, contributions: [movedAway] }, "moved-zone"],
    [
      "a farewell before the gates are open",
      notSynced,
      { ...input, contributions: [movedAway] },
      "NotSynced",
    ],
    ["left behind by a crash", alive, { ...input, isWantedInOtherZone: true }, "moved-zone"],
    [
      "wanted elsewhere and here",
      alive,
      { ...input, contributions: [contribution], isWantedInOtherZone: true },
      "WantedElsewhere",
    ],
    [
      "the address of the delegation's own server",
      proven,
      { ...input, contributions: [movedAway], delegation: cut(WWW) },
      "GlueNeeded",
    ],
    [
      "below a delegation with other servers",
      proven,
      { ...input, contributions: [movedAway], delegation: cut(name("ns.example.net")) },
      "moved-zone",
    ],
  ])("%s", (_, given, moving, expected) => {
    const zone = { ...moveFacts(WWW, moving), unpublished: () => null, isOrdered: false };
    const verdict = judgeAbsence({ name: WWW, ...given, ...zone });
    expect(verdict.proven ? verdict.proof : verdict.code).toBe(expected);
  });
});

describe("Z-18 cuts of a zone", () => {
  const ns = (at: DnsName, ...values: readonly string[]) => ({
    ...PLAIN,
    name: at,
    type: "NS",
    values,
  });
  const table = (...sets: readonly ReturnType<typeof ns>[]) => ({
    at: (at: string) => sets.filter((set) => set.name === at),
  });

  test("the topmost delegation counts; server names are compared in lower case", () => {
    const zone = table(ns(APEX, "ns.p"), ns(SUB, "NS.b", "ns.a"), ns(WWW, "occluded"));
    expect(cutOf(zone, APEX, WWW)).toEqual({ at: SUB, servers: ["ns.a", "ns.b"] });
    expect(cutOf(zone, APEX, name("www.example.org"))).toEqual({ at: APEX, servers: ["ns.p"] });
  });

  test("names below a delegation that comes or goes are found", () => {
    const cuts = new KnownCuts();
    const learn = (...servers: readonly string[]) =>
      cuts.learn(new Map(servers.map((server) => [SUB, server])));
    expect(learn()).toEqual([]);
    expect(learn("ns.a")).toEqual([SUB]);
    expect(learn("ns.a")).toEqual([]);
    expect(learn("ns.b")).toEqual([SUB]);
    expect(learn()).toEqual([SUB]);
    expect(namesUnder([SUB], [APEX, WWW, SUB])).toEqual([WWW, SUB]);
  });
});
