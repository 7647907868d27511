/**
 * A record set of one namespace beside names of another one that give it a meaning, or to which it
 * gives one (Z-28): every pair of names in both orders, with what is there, and what opens it.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { DesiredRecordSet } from "../../../src/model/record-set.ts";
import { NO_TRANSFER } from "../../../src/model/transfer-request.ts";
import { openTxtOwnership } from "../../../src/ownership/txt/ownership.ts";
import { DesiredState } from "../../../src/sync/cache/desired-index.ts";
import { ZoneState } from "../../../src/sync/cache/zone-state.ts";
import type { ZoneTenancy } from "../../../src/sync/contract/zone.ts";
import { blockerAround } from "../../../src/sync/zone/neighbour-blocker.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { nameOf, ORIGIN, parseDesired, parseZone } from "../../support/values/zone-text.ts";
import { Violation } from "../checks/checks.ts";

/** What a plan reads besides zone and objects, where nothing is said. */
export const AROUND = {
  apex: ORIGIN,
  mainOwner: "me",
  tenancy: { sharedNames: false, delegations: [], namespaces: [] },
} as const;

/**
 * `below`: the second belongs to the first. `over`: the second is a wildcard that answers around
 * the first, and may belong to it, too.
 */
export const PAIRS: readonly (readonly [string, string, "below" | "over" | "both" | "none"])[] = [
  ["a", "_acme-challenge.a", "below"],
  ["a", "_25._tcp.a", "below"],
  ["a", "x._domainkey.a", "below"],
  ["@", "_dmarc", "below"],
  ["@", "x._domainkey", "below"],
  ["foo._bar", "_x.foo._bar", "below"],
  ["b.a", "_x.b.a", "below"],
  ["a", "*._tcp.a", "below"],
  ["a", "*.a", "both"],
  ["@", "*", "both"],
  ["b.a", "*.a", "over"],
  ["c.b.a", "*.a", "over"],
  ["_x.a", "*.a", "over"],
  ["_x", "*", "over"],
  ["a", "*", "over"],
  ["*.b.a", "*.a", "over"],
  ["_x.c.b.a", "*.a", "over"],
  ["*._x.b.a", "*.a", "over"],
  ["a", "b", "none"],
  ["a", "b.a", "none"],
  ["@", "a", "none"],
  ["a", "_x.b", "none"],
  ["a", "_x.b.a", "none"],
  ["_x.a", "_y.a", "none"],
  ["a", "*.b", "none"],
  ["a.b", "*.a", "none"],
];

/** Who is there first: a stranger, the other namespace in three ways, or the tenant itself. */
const HOLDERS = ["stranger", "wants", "waits", "exists", "own"] as const;
/** What opens names, if anything. */
const OPENED = ["not", "permit", "claimant", "shared", "allowed", "alone", "incumbent"] as const;
const TYPES = [
  ["A", "192.0.2.1"],
  ["TXT", '"x"'],
] as const;

interface Case {
  readonly held: string;
  readonly created: string;
  readonly isSecondCreated: boolean;
  readonly relation: (typeof PAIRS)[number][2];
  readonly holder: (typeof HOLDERS)[number];
  readonly opened: (typeof OPENED)[number];
  readonly type: (typeof TYPES)[number];
}

/** Throws Violation at the first wrong answer; else the number of cases. */
export async function namesAround(): Promise<number> {
  let cases = 0;
  for (const [first, second, relation] of PAIRS)
    for (const isSecondCreated of [true, false])
      for (const holder of HOLDERS)
        for (const opened of OPENED)
          for (const type of TYPES) {
            const [held, created] = isSecondCreated ? [first, second] : [second, first];
            await judge({ held, created, isSecondCreated, relation, holder, opened, type });
            cases += 1;
          }
  return cases;
}

async function judge(given: Case): Promise<void> {
  const { blocker, held } = await blockerIn(given);
  const expected = isHeld(given);
  if ((blocker !== null) === expected) return;
  const { created, type, holder, opened } = given;
  throw new Violation(
    `Z-28: ${type[0]} ${created} of tb at ${held}, which ${holder}, opened: ${opened}: ${blocker?.message ?? "written"}`,
  );
}

/** What the rule says, without a look at how it is done. */
function isHeld(given: Case): boolean {
  const { relation, isSecondCreated, holder, opened } = given;
  if (relation === "none" || holder === "own") return false;
  if (opened === "shared" || opened === "allowed" || opened === "incumbent") return false;
  if (opened === "permit" && (holder === "exists" || holder === "wants")) return false;
  // Below a stranger's wildcard ordinary names are free; what belongs to one is not.
  if (holder === "stranger") return opened !== "alone" && (isSecondCreated || belongs(given));
  // What belongs to the new name, or answers for it, has to exist; else the new name goes first.
  return isSecondCreated || holder === "exists";
}

/** A label of what is created begins with `_`, and what is there is a wildcard above it. */
function belongs({ relation, created, held }: Case): boolean {
  return relation === "over" && held.startsWith("*") && /(?:^|\.)_/.test(created);
}

async function blockerIn({ held, created, isSecondCreated, holder, opened, type }: Case) {
  const tenant = holder === "own" ? "tb" : "ta";
  const special = nameOf(isSecondCreated ? created : held);
  const marked = (name: string, who: string, value: readonly [string, string]) =>
    `${name} 300 ${value[0]} ${value[1]}\n${markerLine({ name, type: value[0], resource: `dnsentry/${who}/x` })}`;
  const isThere = holder === "exists" || holder === "own";
  const zone = [
    ...(isThere ? [marked(held, tenant, ["A", "192.0.2.9"])] : []),
    ...(holder === "stranger" ? [`${held} 300 MX 10 mx.example.com.`] : []),
    ...(opened === "incumbent" ? [marked(created, "tb", ["AAAA", "2001:db8::1"])] : []),
  ];
  const { index, state, ownership } = await zoneOf(zone.join("\n"));
  const permit = { owner: null, resource: "dnsentry/tb/y" };
  const transfer = opened === "permit" ? { ...NO_TRANSFER, permit } : NO_TRANSFER;
  if (holder !== "stranger") put(index, held, { tenant, isWaiting: holder === "waits", transfer });
  const desired = desiredOf(created, type, opened === "claimant");
  index.put(contributionOf(desired.provenance, { items: [desired] }));
  const tenancy: ZoneTenancy = {
    sharedNames: opened === "shared",
    delegations: opened === "allowed" ? [special] : [],
    namespaces: opened === "alone" ? ["tb"] : ["ta", "tb"],
  };
  return { held, blocker: blockerAround(desired, { ...AROUND, tenancy, index, state, ownership }) };
}

/** Whose delegation names a server below itself, and what opens the address of that server. */
export async function glueOfOthers(): Promise<number> {
  let cases = 0;
  for (const holder of ["stranger", "exists", "own"] as const)
    for (const opened of ["not", "shared", "allowed", "cut", "alone"] as const)
      for (const created of ["ns.sub", "sub"]) {
        const isHeld =
          holder !== "own" &&
          (opened === "not" || opened === "cut" || (opened === "alone" && holder === "exists"));
        const cut = `sub 300 NS ${created}.example.org`;
        const who = holder === "own" ? "tb" : "ta";
        const marker = `ns-sub 300 TXT "heritage=external-dns,external-dns/owner=me,external-dns/resource=dnsentry/${who}/x"`;
        const { index, state, ownership } = await zoneOf(
          holder === "stranger" ? cut : `${cut}\n${marker}`,
        );
        const desired = desiredOf(created, ["A", "192.0.2.1"], false);
        const allowed = { allowed: [nameOf(created)], cut: [nameOf("sub")] };
        const tenancy: ZoneTenancy = {
          sharedNames: opened === "shared",
          delegations: opened === "allowed" || opened === "cut" ? allowed[opened] : [],
          namespaces: opened === "alone" ? ["tb"] : ["ta", "tb"],
        };
        const blocker = blockerAround(desired, { ...AROUND, tenancy, index, state, ownership });
        // Both are one name there.
        const isOne = opened === "cut" && created === "sub";
        if ((blocker !== null) !== (isHeld && !isOne))
          throw new Violation(
            `Z-26: ${created} of tb, a server of the delegation that ${holder}, opened: ${opened}: ${blocker?.message ?? "written"}`,
          );
        cases += 1;
      }
  return cases;
}

/** `isClaimant`: it permits the other object, which is no right of its own. */
function desiredOf(
  name: string,
  [type, value]: readonly [string, string],
  isClaimant: boolean,
): DesiredRecordSet {
  const [desired] = parseDesired(`${name} 300 ${type} ${value} ; from=dnsentry/tb/y`);
  if (desired === undefined) throw new Error("a record set is needed");
  const permit = { owner: null, resource: "dnsentry/ta/x" };
  return isClaimant ? { ...desired, transfer: { ...NO_TRANSFER, claim: true, permit } } : desired;
}

interface Put {
  readonly tenant: string;
  readonly isWaiting: boolean;
  readonly transfer: typeof NO_TRANSFER;
}

function put(index: DesiredState["index"], held: string, given: Put): void {
  const { tenant, isWaiting, transfer } = given;
  const object = { cluster: "c1", kind: "dnsentry", namespace: tenant, name: "x" };
  const items = parseDesired(`${held} 300 A 192.0.2.9 ; from=dnsentry/${tenant}/x`);
  const waiting = [{ name: nameOf(held), reason: "NoTargets" as const }];
  index.put(
    contributionOf(
      object,
      isWaiting ? { waiting } : { items: items.map((item) => ({ ...item, transfer })) },
    ),
  );
}

/** What an object that lists nothing else contributes. */
export function contributionOf(
  object: DesiredRecordSet["provenance"],
  found: Partial<Parameters<DesiredState["index"]["put"]>[0]["found"]>,
) {
  const nothing = { items: [], waiting: [], problems: [], complete: true };
  return { object, generation: 1, deleting: false, found: { ...nothing, ...found } };
}

interface Marked {
  readonly name: string;
  readonly type: string;
  readonly resource: string;
  readonly owner?: string;
  /** Absent = the marker names none. */
  readonly cluster?: string;
}

/** The line of a marker; the apex has its own below it. */
export function markerLine({ name, type, resource, owner = "me", cluster }: Marked): string {
  const at = name === "@" ? "example.org." : name;
  const labels = [
    ...[
      "heritage=external-dns",
      `external-dns/owner=${owner}`,
      `external-dns/resource=${resource}`,
    ],
    ...(cluster === undefined ? [] : [`external-dns/cluster=${cluster}`]),
  ];
  return `${type.toLowerCase()}-${at} 300 TXT "${labels.join(",")}"`;
}

/** A zone with these records, as a plan reads it. */
export async function zoneOf(text: string, owners: ReadonlySet<string> = new Set(["me"])) {
  const { index, texts } = new DesiredState();
  const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owners.has(owner) });
  const clock = new VirtualClock();
  const state = new ZoneState({ apex: ORIGIN, ownership, owners, texts, clock });
  const every = '@ 300 NS ns.example.com.\nx._zonekeeper-fence 300 TXT "x"';
  await state.load(parseZone(`${every}\n${text}`), new Set<DnsName>());
  return { index, state, ownership };
}
