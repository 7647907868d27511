/**
 * Gathers the facts about the object in the marker of a record set (plan/removal/table.ts judges
 * them): from what this process remembers of objects, and from the caches of clusters. Where its
 * cluster is not served here, DNSEntries that were made for it are judged in its place.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isMarkOf, type ObjectMark, type Provenance, resourceOf } from "../../model/provenance.ts";
import type { Marker, OwnedRecordSet } from "../../plan/changes.ts";
import type { ObjectFacts } from "../../plan/removal/absence-facts.ts";
import type { ObjectObserver, ObservedKind } from "../contract/object-observation.ts";
import type { NameRecords, Tombstone } from "./name-records.ts";
import type { SeenPairs } from "./seen-pairs.ts";
import { servedObject } from "./served-object.ts";
import { isUnserved, unservedObject } from "./unserved-object.ts";

/** What is known of objects: remembered, seen by earlier processes, and observed in clusters. */
export interface KnownObjects {
  readonly records: NameRecords;
  readonly seen: SeenPairs;
  readonly observer: ObjectObserver;
}

/** `kinds`: those that the observer knows now. */
export function objectFacts(
  { name, marker }: Pick<OwnedRecordSet, "name" | "marker">,
  kinds: readonly ObservedKind[],
  { records, seen, observer }: KnownObjects,
): ObjectFacts {
  if (marker === null || marker.resource === null) return NO_OBJECT;
  const { resource, cluster } = marker;
  const tombstone = records.tombstoneOf(name, marker);
  const omittingClusters = clustersThatOmit(name, marker, records);
  if (cluster !== null && isUnserved(marker, kinds))
    return unservedObject({
      ...{ resource, cluster, tombstone },
      awaited: observer.awaited?.(cluster) ?? null,
      isRemoved: observer.isRemoved?.(cluster) ?? false,
      hasEntries: records.listings.hasCluster(cluster),
      isOmitted: omittingClusters.length > 0,
      observe: (entry) => observer.observe(entry.cluster, resourceOf(entry)),
    });
  const whose = seen.clusterOf(name, marker);
  // Other clusters that cannot be read: the gate has decided about them already.
  const observation = observer
    .observe(cluster, resource)
    .filter((one) => whose === null || one.cluster === whose || one.state !== "unknown");
  const facts = servedObject({
    ...{ name, resource, observation, tombstone, omittingClusters },
    hasDropped:
      tombstone !== null && observer.hasDropped(tombstone.provenance.cluster, resource, name),
    unseen: () => seen.unseen(name, marker, observation),
  });
  return { ...facts, successor: successorOf(marker, tombstone, records) };
}

/** The facts where a marker names no object. */
const NO_OBJECT: ObjectFacts = { who: null, proof: null, isAlive: false, whyUnknown: "" };

/** The object for which the DNSEntry of the marker's object is published now; null = none. */
function successorOf(
  marker: Marker,
  tombstone: Tombstone | null,
  { listings }: NameRecords,
): Provenance | null {
  const object = tombstone?.object ?? listings.marked(marker)?.object ?? null;
  const entry = object === null ? null : listings.of(object);
  return entry === null || isMarkOf(marker, entry.provenance) ? null : entry.provenance;
}

/**
 * Clusters where the marker's own object, or the object that still lists this name, is complete and
 * does not want this key. A DNSEntry that publishes for another object wants none for itself.
 */
function clustersThatOmit(
  name: DnsName,
  mark: ObjectMark,
  { listings }: NameRecords,
): readonly string[] {
  const listers = listings.listing(name).map(({ entry }) => entry);
  const named = listings.named(mark.resource);
  const omitting = [
    ...listers.map(({ provenance }) => provenance),
    // clause: entry-of-another-wants-none
    ...named.flatMap(({ object, isComplete }) => (isComplete ? object : [])),
  ];
  return omitting.filter((one) => isMarkOf(mark, one)).map(({ cluster }) => cluster);
}
