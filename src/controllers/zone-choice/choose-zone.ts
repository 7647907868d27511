/**
 * Which zone serves a name when the apexes of several are at or above it (Z-18): the walk of
 * a resolver, from the topmost zone along its delegations to our zones. A child zone without a
 * delegation is parked: its parent zone answers. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Zone } from "../../model/zone.ts";
import type { ZoneCut, ZoneKey } from "../../sync/contract/zone.ts";
import type { ProviderFacts } from "./provider-facts.ts";

/** A zone at or above the name, through a provider that may serve it. */
export interface Candidate {
  readonly provider: ProviderFacts;
  readonly zone: Zone;
  readonly key: ZoneKey;
  /** True = a user named the zone: it serves its names, delegated or not. */
  readonly isExplicit: boolean;
  readonly precedence: Precedence;
}

/**
 * Whose the provider is, from the object's view: of its own namespace, of a trusted one, or of
 * another one. A zone of a worse precedence gets a name only if a delegation leads from the better
 * zone to it: so only the administrator of the zone above can give a name away.
 */
export const PRECEDENCE = { own: 0, trusted: 1, other: 2 } as const;

/** A value of `PRECEDENCE`; less is better. */
export type Precedence = (typeof PRECEDENCE)[keyof typeof PRECEDENCE];

/** The zone; `waiting` = a zone must be read first (`reason` names it); `none` = no candidate. */
export type ZoneChoice =
  | { readonly kind: "zone"; readonly candidate: Candidate }
  | { readonly kind: "waiting"; readonly reason: string }
  | { readonly kind: "none" };

/** The zone cut of a name in an open zone; null = the zone has not been read yet. */
export type CutOf = (key: ZoneKey, name: DnsName) => ZoneCut | null;

/**
 * Chooses among `candidates`, the preferred ones first. Zone cuts are read only if more than one
 * apex fits. If the upper zone delegates the name to servers that none of our zones has, the answer
 * is the upper zone: the planner holds the name there (`Delegated`).
 */
export function chooseZone(
  name: DnsName,
  candidates: readonly Candidate[],
  cutOf: CutOf,
): ZoneChoice {
  let at = startOf(candidates);
  if (at === null) return { kind: "none" };
  for (;;) {
    // All apexes are at or above one name, so that a longer one is a child.
    const { length } = at.zone.name;
    const below = candidates.filter(({ zone }) => zone.name.length > length);
    if (below.length === 0) return { kind: "zone", candidate: at };
    const step = stepFrom(at, below, { name, cutOf });
    if (step.kind !== "zone" || step.candidate === at) return step;
    at = step.candidate;
  }
}

interface Query {
  readonly name: DnsName;
  readonly cutOf: CutOf;
}

/** Goes one delegation further down; the same zone if it answers for the name itself. */
function stepFrom(at: Candidate, below: readonly Candidate[], { name, cutOf }: Query): ZoneChoice {
  const near = below.filter((one) => isNear(one, at));
  // Nobody delegates to a private zone: in its network the longest apex answers.
  const inside = near.filter(({ zone }) => zone.visibility === "private");
  const innermost = outermost(inside, (a, b) => a > b);
  if (innermost !== null) return { kind: "zone", candidate: innermost };
  const cut = cutOf(at.key, name);
  if (cut === null) return waiting(at);
  if (cut.at === at.zone.name) return { kind: "zone", candidate: at };
  const children = below.filter(({ zone }) => zone.name === cut.at);
  // Delegated to a zone that we cannot read, which may delegate to one of ours.
  const beyond = startOf(near.filter(({ zone }) => zone.name.length > cut.at.length));
  if (children.length === 0) return { kind: "zone", candidate: beyond ?? at };
  for (const child of children) {
    const own = cutOf(child.key, child.zone.name);
    if (own === null) return waiting(child);
    if (hasSameServers(own, cut)) return { kind: "zone", candidate: child };
  }
  return { kind: "zone", candidate: at };
}

/**
 * Where the walk begins: among candidates of the best precedence, the longest apex that a user
 * named, else the shortest. The delegations above a named zone are not asked for.
 */
function startOf(candidates: readonly Candidate[]): Candidate | null {
  const best = Math.min(...candidates.map(({ precedence }) => precedence));
  const top = outermost(
    candidates.filter(
      ({ precedence }) => /* clause: walk-begins-in-best-namespace */ precedence === best,
    ),
    (a, b) => a < b,
  );
  if (top === null) return null;
  const explicit = candidates.filter((one) => one.isExplicit && isNear(one, top));
  return outermost(explicit, (a, b) => a > b) ?? top;
}

/** True = no delegation from `at` is needed, if a user named the zone or it is private. */
function isNear({ precedence, provider }: Candidate, at: Candidate): boolean {
  // clause: named-zone-of-others-is-delegated
  if (precedence > at.precedence) return false;
  return (
    /* clause: untrusted-namespace-is-delegated */ precedence < PRECEDENCE.other ||
    /* clause: namespace-names-zone-below-own */ provider.namespace === at.provider.namespace
  );
}

/** The one whose apex is longest or shortest, as `isBetter` compares their lengths. */
export function outermost(
  candidates: readonly Candidate[],
  isBetter: (a: number, b: number) => boolean,
): Candidate | null {
  return candidates.reduce<Candidate | null>(
    (best, one) =>
      best === null || isBetter(one.zone.name.length, best.zone.name.length) ? one : best,
    null,
  );
}

function waiting({ zone }: Candidate): ZoneChoice {
  const reason = `zone ${zone.id} has not been read yet, and its delegations decide which zone serves the name`;
  return { kind: "waiting", reason };
}

/** Equal sets of servers; a zone that names none matches nothing. */
function hasSameServers(one: ZoneCut, other: ZoneCut): boolean {
  return one.servers.length > 0 && one.servers.join(" ") === other.servers.join(" ");
}
