/**
 * Which provider and which of its zones serve a name (reference: Gardener external-dns-management,
 * entry to provider to zone). Pure: delegations decide between zones (choose-zone.ts), then the
 * precedence of the provider, then the longest included domain wins, proven before unproven; a tie
 * keeps the present provider. The first line that applies:
 *
 *   the present provider can be used, and is the best of those       ─► its zone
 *   one of no worse precedence than the best is not known yet        ─► undecided
 *   one of better precedence than the best is known and not valid    ─► invalid
 *   one can be used                                                  ─► the zone of the best
 *   one that cannot be used may serve the name                       ─► invalid, else none
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { Zone } from "../../model/zone.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import {
  type Candidate,
  type CutOf,
  chooseZone,
  PRECEDENCE,
  type Precedence,
} from "./choose-zone.ts";
import type { ProviderFacts, ProviderTrouble } from "./provider-facts.ts";

/** The name and the entry that a zone is selected for. */
export interface NameQuery {
  readonly name: DnsName;
  /** `status.provider` of the entry; null = none yet. */
  readonly present: string | null;
  /**
   * `status.zone` of the entry: kept while it is not known which zone serves the name; null =
   * none yet.
   */
  readonly presentZone: string | null;
  /** Absent = every provider is the object's own. */
  readonly precedenceOf?: (provider: ProviderFacts) => Precedence;
}

/** The answer. */
export type Selection =
  | {
      readonly kind: "zone";
      readonly provider: ProviderFacts;
      readonly zone: Zone;
      readonly key: ZoneKey;
    }
  /** A provider is responsible and cannot be used now. */
  | { readonly kind: "invalid"; readonly provider: ProviderFacts; readonly message: string }
  /**
   * A provider or a zone that could serve the name is not known well enough yet. `reason` says
   * which zone; empty = a provider.
   */
  | { readonly kind: "undecided"; readonly reason: string }
  /**
   * `excluded`: the provider that would serve the name, and its excluded domain. `otherRealm`: one
   * that would serve it if the object named one of its realms. `otherCluster`: id of one that would
   * serve it if it were for the object's cluster. Absent = none. `isByFlags`: flags of external-dns
   * say which provider there is.
   */
  | {
      readonly kind: "none";
      readonly excluded?: ExcludedName;
      readonly otherRealm?: Pick<ProviderFacts, "id" | "realms">;
      readonly otherCluster?: string;
      readonly isByFlags?: true;
    };

/** A name at or below a domain that a provider excludes. */
export interface ExcludedName {
  /** `namespace/name`. */
  readonly provider: string;
  readonly domain: DnsName;
}

interface Match {
  readonly provider: ProviderFacts;
  readonly domainLength: number;
  readonly precedence: Precedence;
}

/** Chooses among `providers`, those that the object may use. */
export function selectProvider(
  query: NameQuery,
  providers: readonly ProviderFacts[],
  cutOf: CutOf,
): Selection {
  const matches = providers
    .map((provider) => ({
      provider,
      domainLength: scoreOf(query.name, provider),
      precedence: query.precedenceOf?.(provider) ?? PRECEDENCE.own,
    }))
    .filter((match) => match.domainLength >= 0);
  const usable = ranked(matches.filter(isUsable), query);
  const best = usable[0]?.precedence ?? PRECEDENCE.other;
  const awaited = matches.filter(
    ({ provider, precedence }) =>
      !provider.deleting && /* clause: provider-of-others-is-not-awaited */ precedence <= best,
  );
  const broken = awaited.filter(
    ({ domainLength, precedence }) => domainLength > 0 && precedence < best,
  );

  const selection = usable.length === 0 ? null : served(query, usable, cutOf);
  // clause: choice-waits-for-unknown-provider
  if (selection?.kind === "zone" && selection.provider.id === query.present) return selection;
  // clause: unknown-provider-is-not-none
  if (awaited.some(({ provider }) => provider.state === "pending"))
    return { kind: "undecided", reason: "" };
  // clause: broken-provider-keeps-names
  if (broken.length > 0) return withoutZone(query, broken, providers);
  return selection ?? withoutZone(query, matches, providers);
}

/** Why no provider that can be used now serves the name. */
function withoutZone(
  query: NameQuery,
  matches: readonly Match[],
  providers: readonly ProviderFacts[],
): Selection {
  const [invalid] = ranked(matches, query);
  const none = unserved(query.name, providers);
  if (invalid === undefined) return none;
  // A provider whose zones are not known only may serve the name: a known exclusion explains more.
  const isGuess = invalid.domainLength === 0 && invalid.provider.id !== query.present;
  if (isGuess && none.excluded !== undefined) return none;
  const others = isGuess ? matches.filter(({ domainLength }) => domainLength === 0).length - 1 : 0;
  const { provider } = invalid;
  const isEnding = provider.deleting && provider.hasLeft !== true;
  const detail = isEnding ? "it is being deleted" : provider.message;
  const why = detail === "" ? "" : `: ${detail}`;
  // Further providers may serve the name, and are not valid either.
  const more = `; ${others} more may serve the name and are not valid: kubectl get dnsproviders -A -o wide`;
  const message = `provider "${provider.id}" not valid${why}${others < 1 ? "" : more}`;
  return { kind: "invalid", provider, message };
}

function unserved(
  name: DnsName,
  providers: readonly ProviderFacts[],
): Extract<Selection, { kind: "none" }> {
  const [first] = providers.flatMap(({ id, included, excluded }) => {
    const covering = excluded.filter((domain) => isAtOrBelow(name, domain));
    const domain = covering.sort((a, b) => b.length - a.length)[0];
    const isServedOtherwise = longest(name, included) >= 0;
    return domain === undefined || !isServedOtherwise ? [] : [{ provider: id, domain }];
  });
  return first === undefined ? { kind: "none" } : { kind: "none", excluded: first };
}

function isUsable({ provider }: Match): boolean {
  return (
    /* clause: ready-provider-comes-first */ provider.state === "ready" &&
    /* clause: deleted-provider-takes-nothing */ !provider.deleting
  );
}

/**
 * Length of the longest included domain that covers the name, if it beats every excluded one; else
 * -1.
 */
function scoreOf(name: DnsName, provider: ProviderFacts): number {
  const anything = provider.state !== "ready" && provider.included.length === 0;
  const included = anything ? 0 : longest(name, provider.included);
  // clause: excluded-domain-is-not-served
  return included > longest(name, provider.excluded) ? included : -1;
}

/** Whether the provider alone could serve the name in this zone. */
export function mayServe(provider: ProviderFacts, name: DnsName, zone: string): boolean {
  const isListed = candidatesOf(name, provider).some((candidate) => candidate.zone.id === zone);
  return isListed && scoreOf(name, provider) >= 0;
}

function longest(name: DnsName, domains: readonly DnsName[]): number {
  return domains.reduce(
    (length, domain) => (isAtOrBelow(name, domain) ? Math.max(length, domain.length) : length),
    -1,
  );
}

/**
 * Providers that cannot serve, or whose zones are not known yet; with a name, only those that may
 * serve it.
 */
export function troubledProviders(
  providers: readonly ProviderFacts[],
  name: DnsName | null,
): readonly ProviderTrouble[] {
  return providers
    .filter(({ state }) => state !== "ready")
    .filter((provider) => name === null || scoreOf(name, provider) >= 0)
    .map(({ id, message }) => ({
      provider: id,
      message: message || "its zones have not been listed yet",
    }))
    .sort((a, b) => compareText(a.provider, b.provider));
}

/**
 * The best precedence first, then the longest included domain, of equals the present provider. One
 * whose zone may be another account's zone (`unproven`, Z-18) comes last among equals, and among
 * providers of untrusted foreign namespaces (`other`) last of all.
 */
function ranked(matches: readonly Match[], query: NameQuery): readonly Match[] {
  const rank = ({ provider }: Match): number => {
    if (isUnproven(query.name, provider)) return 2;
    // clause: present-provider-stays
    return provider.id === query.present ? 0 : 1;
  };
  const unprovenLast = ({ provider, precedence }: Match): number =>
    precedence === PRECEDENCE.other && isUnproven(query.name, provider) ? 1 : 0;
  return [...matches].sort(
    (a, b) =>
      /* clause: own-namespace-comes-first */ a.precedence - b.precedence ||
      /* clause: copied-zone-comes-last */ unprovenLast(a) - unprovenLast(b) ||
      /* clause: longest-domain-wins */ b.domainLength - a.domainLength ||
      rank(a) - rank(b) ||
      compareText(a.provider.id, b.provider.id),
  );
}

function isUnproven(name: DnsName, { zones, unproven }: ProviderFacts): boolean {
  return zones.some((zone) => isAtOrBelow(name, zone.name) && unproven.includes(zone.id));
}

/**
 * The zone that serves the name. While a zone on the way to it is unread, an entry keeps its
 * present zone.
 */
function served(query: NameQuery, matches: readonly Match[], cutOf: CutOf): Selection {
  const candidates = matches.flatMap(({ provider, precedence }) =>
    candidatesOf(query.name, provider, precedence),
  );
  const choice = chooseZone(query.name, candidates, cutOf);
  if (choice.kind === "zone") return selected(choice.candidate);
  if (choice.kind === "none") return { kind: "none" };
  const present = candidates.find(
    ({ provider, zone }) => provider.id === query.present && zone.id === query.presentZone,
  );
  return present === undefined ? { kind: "undecided", reason: choice.reason } : selected(present);
}

function selected({ provider, zone, key }: Candidate): Selection {
  return { kind: "zone", provider, zone, key };
}

/** Zones of a provider at or above the name. */
export function candidatesOf(
  name: DnsName,
  provider: ProviderFacts,
  precedence: Precedence = PRECEDENCE.own,
): readonly Candidate[] {
  const { account } = provider;
  if (account === null) return [];
  return provider.zones
    .filter((zone) => isAtOrBelow(name, zone.name))
    .map((zone) => ({
      provider,
      zone,
      key: { account, zone: zone.id },
      isExplicit: provider.explicit.includes(zone.id),
      precedence,
    }));
}
