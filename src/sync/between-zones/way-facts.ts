/**
 * What is known of ways (accounts) whose zones look alike (Z-18), by the apex, and by their
 * DNSProviders: which goes first, what people say of them by annotations (`zonekeeper.dev/same-
 * zone-as` and `other-zone-than`), and the message that asks for these. Pure.
 */
import { parseSoaFields } from "@zonekeeper/dns/rdata/soa";
import type { RecordSet } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import { type Zone, zoneIdentity, zoneText } from "../../model/zone.ts";
import type { WayFacts, WayFailure } from "../contract/zone.ts";
import type { Way } from "../zone/way.ts";

type Relation = "sameAs" | "otherThan";

/** The facts of the way that goes first; undefined = nothing is known of any. */
export function oldestOf(ways: readonly Way[]): WayFacts | undefined {
  return factsOf(ways).toSorted((a, b) => Number(isOlder(b, a)) - Number(isOlder(a, b)))[0];
}

/**
 * True when `one` goes first: trusted namespaces before others, whatever their age, then by age.
 */
export function isOlder(one: WayFacts | undefined, other: WayFacts | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one.isTrusted !== other.isTrusted) return one.isTrusted;
  return one.sinceMs < other.sinceMs;
}

/** True when both are trusted, or of one namespace: neither gains by the failure of a stranger. */
export function arePeers(one: WayFacts | undefined, other: WayFacts | undefined): boolean {
  if (one?.isTrusted !== other?.isTrusted) return false;
  return one?.isTrusted === true || isOneNamespace([one, other]);
}

/** True where a person says that one of these ways leads into the zone of one of those. */
export function isSaidSame(these: readonly Way[], those: readonly Way[]): boolean {
  return isSaid("sameAs", these, those) && !isSaid("otherThan", these, those);
}

/** True where a person says that they lead into other zones; never for zones of one identity. */
export function isSaidOther(these: readonly Way[], those: readonly Way[]): boolean {
  const isKeptApart = !these.some((one) => those.some((other) => isSameIdentity(one, other)));
  return isKeptApart && isSaid("otherThan", these, those) && !isSaid("sameAs", these, those);
}

/** Annotations of the older way count; those of the younger one only within its own namespace. */
function isSaid(relation: Relation, these: readonly Way[], those: readonly Way[]): boolean {
  const names = (from: WayFacts, to: WayFacts) =>
    to.providers.some((provider) => from[relation].includes(provider));
  return factsOf(these).some((one) =>
    factsOf(those).some((other) => {
      const [older, younger] = isOlder(other, one) ? [other, one] : [one, other];
      return names(older, younger) || (isOneNamespace([one, other]) && names(younger, older));
    }),
  );
}

function isOneNamespace(facts: readonly (WayFacts | undefined)[]): boolean {
  const ids = facts.flatMap((one) => one?.providers ?? []);
  return new Set(ids.map((id) => id.split("/")[0])).size === 1;
}

function factsOf(ways: readonly Way[]): readonly WayFacts[] {
  return ways.flatMap(({ input }) => input.facts?.() ?? []);
}

/** Why nothing is written through a way that may lead into the zone of the known ones. */
export function unproven(way: Way, known: readonly Way[], trouble: string): WayFailure {
  const zones = known.map(({ zone }) => zoneText(zone)).join(", ");
  const newerProvider = oldestOf([way])?.providers[0];
  const olderProvider = oldestOf(known)?.providers[0];
  const where = olderProvider === undefined ? "" : ` of DNSProvider ${olderProvider}`;
  const isAsked = newerProvider !== undefined && olderProvider !== undefined;
  const toSay = isAsked
    ? `; annotate DNSProvider ${olderProvider} with zonekeeper.dev/same-zone-as: ${newerProvider} if both are one zone, with zonekeeper.dev/other-zone-than: ${newerProvider} if they are two`
    : "";
  const isView = known.some((one) => isSameIdentity(one, way));
  const alike = isView ? "; two views of one server need an address each to be told apart" : "";
  return {
    code: "MaybeSameZone",
    message: `zone ${zoneText(way.zone)} may be zone ${zones}${where}, and it is not proven: ${trouble}; nothing is written through it${toSay}${alike}`,
  };
}

/** A zone with the record sets at its apex. */
export interface ApexView {
  readonly zone: Zone;
  readonly apex: readonly RecordSet[];
}

/**
 * True where both have one identity, or an equal apex: SOA without the serial, which two readings
 * of one zone may differ in, and NS. Vendors write equal ones into all private zones: there the ids
 * have to be equal, too.
 */
export function maybeSame(one: ApexView, other: ApexView): boolean {
  if (isSameIdentity(one, other)) return true;
  const isPrivate = [one, other].some(({ zone }) => zone.visibility === "private");
  if (isPrivate && one.zone.id !== other.zone.id) return false;
  const text = apexText(one.apex);
  // clause: equal-apex-may-be-same-zone
  return text !== null && text === apexText(other.apex);
}

/** True when both have one identity (endpoint, zone id, view): stored state is then shared. */
export function isSameIdentity(
  one: { readonly zone: Zone },
  other: { readonly zone: Zone },
): boolean {
  return isSameJson(zoneIdentity(one.zone), zoneIdentity(other.zone));
}

/** Null when there is no SOA. */
function apexText(apex: readonly RecordSet[]): string | null {
  const soa = apex.find((set) => set.type === "SOA")?.values[0];
  if (soa === undefined) return null;
  const fields = parseSoaFields(soa);
  if (!fields.ok) return null;
  const { serial: _, ...lasting } = fields.value;
  const servers = apex.find((set) => set.type === "NS")?.values ?? [];
  return JSON.stringify([Object.entries(lasting).sort(), [...servers].sort()]);
}
