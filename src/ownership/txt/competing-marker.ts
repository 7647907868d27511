/**
 * Markers whose name says no type, beside a record that has no other marker and that external-dns
 * would take them for: nobody takes them from there (ADR 0023).
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isMarkedForExternalDnsOnly } from "../../plan/rights.ts";
import type { FoldedKey, MarkerEntry } from "./folded-key.ts";

/** The same keys; markers that a record beside may want say so. */
export function withCompetingTypes(
  keys: readonly FoldedKey[],
  apex: DnsName,
): readonly FoldedKey[] {
  const unmarked = new Map<string, FoldedKey>();
  for (const key of keys) if (isUnmarked(key) && !isApexNs(key, apex)) unmarked.set(key.name, key);
  if (unmarked.size === 0) return keys;
  const withCompetingType = (entry: MarkerEntry, name: string): MarkerEntry => {
    const found = isTyped(entry, name) ? undefined : unmarked.get(name);
    return found === undefined ? entry : { ...entry, competingType: found.type };
  };
  return keys.map((key) =>
    key.markers.length === 0 || !unmarked.has(key.name)
      ? key
      : { ...key, markers: key.markers.map((entry) => withCompetingType(entry, key.name)) },
  );
}

/** What has no marker, and could be meant by one that names no type. */
function isUnmarked(key: FoldedKey): boolean {
  return key.markers.length === 0 && isMarkedForExternalDnsOnly(key);
}

/** No marker labels the name servers of the zone itself. */
function isApexNs({ name, type }: FoldedKey, apex: DnsName): boolean {
  return name === apex && type === "NS";
}

/** Whether the marker's name says a type where it labels this name. */
function isTyped({ labelled }: MarkerEntry, name: string): boolean {
  return labelled.some((one) => one.name === name && one.type !== null);
}
