/**
 * Whether the object in a marker lists other names in place of one that it lists no more (Z-32): by
 * its own contributions, else by the caches of its clusters. For an object for which DNSEntries are
 * made, its source controller knows (renamed-entries.ts).
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isMarkOf, type ObjectMark, objectKeyOf } from "../../model/provenance.ts";
import type { Marker } from "../../plan/changes.ts";
import type { ObjectObservation } from "../contract/object-observation.ts";
import type { RenamedObject } from "./former-names.ts";
import { isItself } from "./name-records.ts";
import type { KnownObjects } from "./object-facts.ts";

/** Null = the object does not exist, lists the name still, or is not known to list others. */
export function renamedObject(
  name: DnsName,
  marker: Marker,
  { records, observer }: Pick<KnownObjects, "records" | "observer">,
): RenamedObject | null {
  const { listings, former } = records;
  const isListed = listings
    .listing(name)
    .some(({ entry: { provenance } }) => isMarkOf(marker, provenance));
  if (isListed) return null;
  const gone = records.tombstoneOf(name, marker);
  const entry =
    gone !== null && isItself(gone) ? listings.of(gone.object) : listings.marked(marker);
  // clause: made-entry-is-not-renamed
  if (entry !== null && !isItself(entry)) return null;
  if (entry !== null) {
    const { object } = entry;
    const instead = former.insteadOf(name, object, () => listings.namesOf(entry));
    return { object, instead, isFollowed: true };
  }
  // Of a DNSEntry that ended and was made for the object, its source controller knows the names.
  if (gone !== null) return null;
  return observedNames(marker, observer.observe(marker.cluster, marker.resource ?? ""));
}

/** The names that an existing object lists, by its source; null = it is gone, or none reads it. */
function observedNames(
  { resource }: ObjectMark,
  observation: ObjectObservation,
): RenamedObject | null {
  const found = observation.flatMap((one) =>
    one.state === "alive" && one.found !== null ? [{ ...one.found, cluster: one.cluster }] : [],
  );
  const object = objectKeyOf(resource, found[0]?.cluster ?? null);
  if (object === null || found.length === 0) return null;
  const names = found.flatMap(({ items, waiting }) => [...items, ...waiting]);
  return { object, instead: new Set(names.map(({ name }) => name)), isFollowed: false };
}
