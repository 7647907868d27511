/**
 * What is known of ways whose zones look alike (Z-18), by their DNSProviders: which goes first,
 * what people say of them by annotations, and what they are asked to say. Pure.
 */
import { zoneText } from "../../model/zone.ts";
import type { WayFacts, WayFailure } from "../contract/zone.ts";
import type { Way } from "../zone/way.ts";
import { isSameIdentity } from "./same-zone.ts";

type Relation = "sameAs" | "otherThan";

/** Of the way that goes first. */
export function oldestOf(ways: readonly Way[]): WayFacts | undefined {
  return factsOf(ways).toSorted((a, b) => Number(isOlder(b, a)) - Number(isOlder(a, b)))[0];
}

/** Ways of trusted namespaces go first, whatever their age: a tenant may have come before them. */
export function isOlder(one: WayFacts | undefined, other: WayFacts | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one.isTrusted !== other.isTrusted) return one.isTrusted;
  return one.sinceMs < other.sinceMs;
}

/** True where a person says that one of these ways leads into the zone of one of those. */
export function isSaidSame(these: readonly Way[], those: readonly Way[]): boolean {
  return isSaid("sameAs", these, those) && !isSaid("otherThan", these, those);
}

/** True where a person says that none does. Ways of one identity cannot be kept apart. */
export function isSaidOther(these: readonly Way[], those: readonly Way[]): boolean {
  const isKeptApart = !these.some((one) => those.some((other) => isSameIdentity(one, other)));
  return isKeptApart && isSaid("otherThan", these, those) && !isSaid("sameAs", these, those);
}

function isSaid(relation: Relation, these: readonly Way[], those: readonly Way[]): boolean {
  return factsOf(these).some((one) =>
    factsOf(those).some((other) => isSaidOf(relation, one, other)),
  );
}

/** The older way speaks: a younger one could say anything of itself, save to its own namespace. */
function isSaidOf(relation: Relation, one: WayFacts, other: WayFacts): boolean {
  const [older, younger] = isOlder(other, one) ? [other, one] : [one, other];
  const names = (from: WayFacts, to: WayFacts) =>
    to.providers.some((provider) => from[relation].includes(provider));
  return names(older, younger) || (isOneNamespace([older, younger]) && names(younger, older));
}

function isOneNamespace(facts: readonly (WayFacts | undefined)[]): boolean {
  const ids = facts.flatMap((one) => one?.providers ?? []);
  return new Set(ids.map((id) => id.split("/")[0])).size === 1;
}

function factsOf(ways: readonly Way[]): readonly WayFacts[] {
  return ways.flatMap(({ input }) => input.facts?.() ?? []);
}

/** Why nothing is written through a way that may lead into the zone of the known ones. */
export function unproven(way: Way, known: readonly Way[]): WayFailure {
  const zones = known.map(({ zone }) => zoneText(zone)).join(", ");
  const newer = oldestOf([way])?.providers[0];
  const older = oldestOf(known);
  const where = older === undefined ? "" : ` of DNSProvider ${older.providers[0]}`;
  const isView = known.some((one) => isSameIdentity(one, way));
  const isAsked = newer !== undefined && older !== undefined;
  const toSay = isAsked ? `; ${question(older, newer, isView)}` : "";
  return {
    code: "MaybeSameZone",
    message: `zone ${zoneText(way.zone)} may be zone ${zones}${where}; nothing is written through it${toSay}`,
  };
}

/** The annotations of the older one, ready to paste. */
function question(older: WayFacts, newer: string, isView: boolean): string {
  const [namespace, name] = older.providers[0]?.split("/") ?? [];
  const say = (relation: Relation, annotation: string): string =>
    `kubectl annotate dnsprovider -n ${namespace} ${name} --overwrite zonekeeper.dev/${annotation}=${[...new Set([...older[relation], newer])].join(",")}`;
  const other = isView
    ? "two views of one server need an address each, also localhost for 127.0.0.1, to be told apart"
    : say("otherThan", "other-zone-than");
  return `if both are one zone: ${say("sameAs", "same-zone-as")}; if they are two: ${other}`;
}
