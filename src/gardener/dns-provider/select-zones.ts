/**
 * Which zones and domains of an account a DNSProvider serves (reference: Gardener
 * external-dns-management, selection of a provider). Pure; sorted; knows nothing of entries.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { Zone } from "../../model/zone.ts";
import type { Choice, ZoneChoice } from "./provider-spec.ts";

/** The computed selection. All lists are sorted. */
export interface ZoneSelection {
  readonly zones: { readonly included: readonly Zone[]; readonly excluded: readonly Zone[] };
  readonly domains: {
    readonly included: readonly DnsName[];
    readonly excluded: readonly DnsName[];
  };
  /** Included domains of the spec that no zone has. */
  readonly warnings: readonly string[];
}

/** The domains and zones that a spec includes and excludes. */
export interface ZoneFilter {
  readonly domains: Choice<DnsName>;
  readonly zones: ZoneChoice;
}

/**
 * Selects, or says why no zone can be selected. `superseded`: ids of zones that are no longer
 * listed while another zone has their name. Such a zone is selected only if the filter leaves no
 * other zone of its name; else no list of the selection has it.
 */
export function selectZones(
  all: readonly Zone[],
  filter: ZoneFilter,
  superseded: readonly string[] = [],
): Result<ZoneSelection> {
  const sorted = [...all].sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
  if (sorted.length === 0) return fail("no hosted zones available in account");
  const chosen = sorted.filter((zone) => isChosen(zone.id, filter.zones));
  // Superseded zones whose name another chosen zone has.
  const isPast = ({ id }: Zone): boolean => superseded.includes(id);
  const present = new Set(chosen.filter((zone) => !isPast(zone)).map(({ name }) => name));
  const past = new Set(chosen.filter((zone) => isPast(zone) && present.has(zone.name)));
  const candidates = chosen.filter((zone) => !past.has(zone));
  if (candidates.length === 0) return fail(noZone(sorted, filter.zones));
  const duplicate = duplicateOf(candidates);
  if (duplicate !== null) return fail(duplicate);
  const domains = includedDomains(candidates, filter.domains);
  const names = domains.filter((domain) => zoneOf(domain, candidates) !== null);
  if (names.length === 0) return fail(noDomain(candidates, filter.domains));
  const serves = (zone: Zone): boolean =>
    names.some((domain) => zoneOf(domain, candidates) === zone);
  const included = candidates.filter(serves);
  const excluded = sorted.filter((zone) => !included.includes(zone) && !past.has(zone));
  return ok({
    zones: { included, excluded },
    domains: { included: names, excluded: excludedDomains(names, excluded, filter.domains) },
    warnings: domains
      .filter((domain) => !names.includes(domain))
      .map((domain) => `domain "${domain}" not in hosted domains`),
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

/** The error where the filter of the spec leaves no zone. */
function noZone(all: readonly Zone[], { include, exclude, blocked = [] }: ZoneChoice): string {
  const names = all.filter(({ id }) => isListedZone(id, blocked)).map(({ name }) => name);
  const why = names.length === 0 ? "" : `; --blocked-zone blocks ${names.join(", ")}`;
  const fields = [
    ...(include.length > 0 ? ["spec.zones.include"] : []),
    ...(exclude.some((id) => !blocked.includes(id)) ? ["spec.zones.exclude"] : []),
  ];
  const shown = all.slice(0, SHOWN_MAX).map(({ id, name }) => `${id} (${name})`);
  const more = all.length > SHOWN_MAX ? [`${all.length - SHOWN_MAX} more`] : [];
  const remedy =
    fields.length === 0
      ? ""
      : `; correct ${fields.join(" or ")}: the account has ${[...shown, ...more].join(", ")}`;
  return `no zone available in account matches zone filter${why}${remedy}`;
}

/** Zones that a message names. */
const SHOWN_MAX = 5;

function isChosen(id: string, choice: Choice<string>): boolean {
  if (isListedZone(id, choice.exclude)) return false;
  return choice.include.length === 0 || isListedZone(id, choice.include);
}

/** True = `ids` lists the zone; compared without letter case, since Azure's ids have none. */
export function isListedZone(id: string, ids: readonly string[]): boolean {
  const lower = id.toLowerCase();
  return ids.some((one) => one.toLowerCase() === lower);
}

function duplicateOf(zones: readonly Zone[]): string | null {
  for (const [index, zone] of zones.entries()) {
    const next = zones[index + 1];
    if (next === undefined || next.name !== zone.name) continue;
    const isOther = zone.visibility !== next.visibility;
    const more = isOther ? ", or public or private ones by providerConfig.zoneType" : "";
    return `duplicate zones ${zone.id}(${zone.name}) and ${next.id}(${next.name}): choose one by spec.zones${more}`;
  }
  return null;
}

/**
 * Included domains of the spec; if there are none, the zones' own that are not excluded. Sorted.
 */
function includedDomains(zones: readonly Zone[], domains: Choice<DnsName>): readonly DnsName[] {
  const chosen =
    domains.include.length > 0
      ? domains.include
      : zones.map((zone) => zone.name).filter((name) => !domains.exclude.includes(name));
  return [...new Set(chosen)].sort(compareText);
}

/**
 * Excluded domains of the spec, and unselected zones of the account below an included domain.
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

function noDomain(zones: readonly Zone[], { include }: Choice<DnsName>): string {
  const names = zones.map((zone) => zone.name).join(" ");
  if (include.length === 0)
    return `spec.domains.exclude excludes every zone: ${names}; remove one of them there, or name the domains to serve in spec.domains.include`;
  return `no domain matching hosting zones. Need to be a (sub)domain of [${names}]; correct spec.domains.include, or --domain-filter where flags of external-dns say it`;
}
