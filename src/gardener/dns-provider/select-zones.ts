/**
 * Which zones and domains of an account a DNSProvider serves (reference: Gardener
 * external-dns-management, selection of a provider). Pure; sorted; knows nothing of entries.
 */
import { compareText, type DnsName, isAtOrBelow } from "../../model/dns-name.ts";
import { fail, ok, type Result } from "../../model/result.ts";
import type { Zone } from "../../model/zone.ts";
import type { Choice } from "./provider-spec.ts";

/** The computed selection. All lists are sorted. */
export interface ZoneSelection {
  readonly zones: { readonly included: readonly Zone[]; readonly excluded: readonly Zone[] };
  readonly domains: {
    readonly included: readonly DnsName[];
    readonly excluded: readonly DnsName[];
  };
  /** For people: wishes that match nothing. */
  readonly warnings: readonly string[];
}

/** What is wanted of an account. */
export interface ZoneWishes {
  readonly domains: Choice<DnsName>;
  readonly zones: Choice<string>;
}

/**
 * Chooses, or says why nothing is left. `superseded`: ids of zones that went while another of their
 * name is there; such a zone is served only where the wishes leave no other of its name, and else
 * is in no list of the selection.
 */
export function selectZones(
  all: readonly Zone[],
  wishes: ZoneWishes,
  superseded: readonly string[] = [],
): Result<ZoneSelection> {
  const sorted = [...all].sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
  if (sorted.length === 0) return fail("no hosted zones available in account");
  const wished = sorted.filter((zone) => isWished(zone.id, wishes.zones));
  const past = pastOf(wished, superseded);
  const candidates = wished.filter((zone) => !past.has(zone));
  if (candidates.length === 0) return fail("no zone available in account matches zone filter");
  const twins = duplicateOf(candidates);
  if (twins !== null) return fail(twins);
  const domains = includedDomains(candidates, wishes.domains);
  if (domains.included.length === 0) return fail(noDomain(candidates));
  const serves = (zone: Zone): boolean =>
    domains.included.some((domain) => zoneOf(domain, candidates) === zone);
  const included = candidates.filter(serves);
  const excluded = sorted.filter((zone) => !included.includes(zone) && !past.has(zone));
  return ok({
    zones: { included, excluded },
    domains: {
      included: domains.included,
      excluded: excludedDomains(domains.included, excluded, wishes.domains),
    },
    warnings: domains.strangers.map((domain) => `domain "${domain}" not in hosted domains`),
  });
}

/** The zone with the longest apex at or above `name`, or null. */
export function zoneOf(name: DnsName, zones: readonly Zone[]): Zone | null {
  const fitting = zones.filter((zone) => isAtOrBelow(name, zone.name));
  return fitting.reduce<Zone | null>(
    (best, zone) => (best === null || zone.name.length > best.name.length ? zone : best),
    null,
  );
}

function isWished(id: string, choice: Choice<string>): boolean {
  if (choice.exclude.includes(id)) return false;
  return choice.include.length === 0 || choice.include.includes(id);
}

/** Superseded zones whose place another wished one has now. */
function pastOf(wished: readonly Zone[], superseded: readonly string[]): ReadonlySet<Zone> {
  const isPast = ({ id }: Zone): boolean => superseded.includes(id);
  const present = new Set(wished.filter((zone) => !isPast(zone)).map(({ name }) => name));
  return new Set(wished.filter((zone) => isPast(zone) && present.has(zone.name)));
}

function duplicateOf(zones: readonly Zone[]): string | null {
  for (const [index, zone] of zones.entries()) {
    const twin = zones[index + 1];
    if (twin !== undefined && twin.name === zone.name)
      return `duplicate zones ${zone.id}(${zone.name}) and ${twin.id}(${twin.name}): choose one by spec.zones`;
  }
  return null;
}

interface IncludedDomains {
  readonly included: readonly DnsName[];
  /** Wished, but in no zone. */
  readonly strangers: readonly DnsName[];
}

/**
 * Wishes that lie in a candidate zone; without wishes, the zones' own domains that are not
 * excluded.
 */
function includedDomains(zones: readonly Zone[], domains: Choice<DnsName>): IncludedDomains {
  const wished =
    domains.include.length > 0
      ? domains.include
      : zones.map((zone) => zone.name).filter((name) => !domains.exclude.includes(name));
  const unique = [...new Set(wished)].sort(compareText);
  return {
    included: unique.filter((domain) => zoneOf(domain, zones) !== null),
    strangers: unique.filter((domain) => zoneOf(domain, zones) === null),
  };
}

/**
 * Explicit exclusions, and zones of the account that lie below an included domain and are not ours
 * to serve.
 */
function excludedDomains(
  included: readonly DnsName[],
  excludedZones: readonly Zone[],
  domains: Choice<DnsName>,
): readonly DnsName[] {
  const below = excludedZones
    .map((zone) => zone.name)
    .filter((name) => included.some((domain) => domain !== name && isAtOrBelow(name, domain)))
    .filter((name) => !domains.include.includes(name));
  return [...new Set([...domains.exclude, ...below])].sort(compareText);
}

function noDomain(zones: readonly Zone[]): string {
  const names = zones.map((zone) => zone.name).join(" ");
  return `no domain matching hosting zones. Need to be a (sub)domain of [${names}]`;
}
