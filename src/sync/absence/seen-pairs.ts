/**
 * Whether the object in a marker was ever seen to list the marker's name: only then can its end
 * prove that the record is not wanted (Z-22). Three things show it: a unique cluster id in the
 * marker, which is written only while the object lists the name; a contribution to this process;
 * and a sighting, the stored memory of an earlier process.
 */
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import {
  isClusterUid,
  type Provenance,
  resourceForms,
  resourceOf,
} from "../../model/provenance.ts";
import type { Marker, NamePlan } from "../../plan/changes.ts";
import type { Blocker } from "../../plan/rules.ts";
import type { OwnedIndex } from "../cache/owned-index.ts";
import type { ObjectObservation } from "../contract/object-observation.ts";
import type { NameRecords } from "./name-records.ts";
import type { SightingMemory } from "./sightings.ts";

/** True when the cluster id in a marker is a UID, which no two clusters share. */
export function showsPair(cluster: string | null): boolean {
  return cluster !== null && isClusterUid(cluster);
}

/** The pairs of object and name that were seen, over all zones. */
export class SeenPairs {
  readonly #records: NameRecords;
  readonly sightings: SightingMemory;

  constructor(records: NameRecords, sightings: SightingMemory) {
    this.#records = records;
    this.sightings = sightings;
  }

  /** Why nothing that is known of the marker's object proves anything; null = it was seen. */
  unseen(name: string, marker: Marker, observation: ObjectObservation): Blocker | null {
    const { resource } = marker;
    // clause: foreign-marker-shows-nothing
    if (resource === null || showsPair(marker.cluster)) return null;
    if (this.#records.seen(name, marker).length > 0) return null;
    const wasSeen = observation.some(({ cluster }) =>
      this.sightings.has({ cluster, resource, name }),
    );
    if (wasSeen) return null;
    if (this.sightings.unread === null)
      return {
        code: "Orphan",
        message: `The record has our owner id, and ${resource} was not seen here to list the name; it stays. What is known: zonekeeper ownership orphans. To remove it: zonekeeper ownership remove`,
      };
    const message = `It is not known which objects were seen before the start: ${this.sightings.unread}; the record stays`;
    return { code: "NotSynced", message };
  }

  /**
   * The cluster that a marker is of: the one that it names, else the one whose object of that kind,
   * namespace and name was seen to list the name (Z-30). Null = of each that may have the object.
   */
  clusterOf(name: string, marker: Marker | null): string | null {
    if (marker === null || marker.cluster !== null || marker.anyObject === true)
      return marker?.cluster ?? null;
    const clusters = new Set(this.#records.seen(name, marker).map(({ cluster }) => cluster));
    const [cluster = null] = clusters;
    // clause: one-cluster-listed-the-name
    return clusters.size === 1 ? cluster : null;
  }

  /** Stores as sightings which objects of our records at the name were seen to list it. */
  remember(name: DnsName, owned: OwnedIndex): void {
    if (!owned.isWithout(name, showsPair)) return;
    for (const { marker } of owned.at(name).filter((set) => owned.isOwnedByUs(set))) {
      const resource = marker?.resource ?? null;
      if (marker === null || resource === null || marker.anyObject === true) continue;
      if (showsPair(marker.cluster)) continue;
      for (const { cluster } of this.#records.seen(name, marker))
        this.sightings.add({ cluster, resource, name });
    }
  }

  /**
   * Objects that markers are about to name for the first time. True = there are some: a process
   * that ends right after the write would forget them, so they are stored before it (Z-23).
   */
  rememberNamed(plans: readonly NamePlan[]): boolean {
    let isNew = false;
    for (const { name, changes } of plans)
      for (const { marker, migration } of changes) {
        if (marker === null || migration !== undefined) continue;
        const { provenance } = marker;
        const pair = { cluster: provenance.cluster, resource: resourceOf(provenance), name };
        if (showsPair(pair.cluster) || this.sightings.has(pair)) continue;
        this.sightings.add(pair);
        isNew = true;
      }
    return isNew;
  }

  /** `remember` for all names of a zone. */
  async rememberIn(owned: OwnedIndex, clock: Clock): Promise<void> {
    const slices = new Slices(clock);
    // Names are gathered first: the zone may change between two slices.
    for (const name of [...owned.names()]) {
      if (slices.isOver) await slices.next();
      this.remember(trustedDnsName(name), owned);
    }
  }

  /** Forgets the sighting: no record at the name has a marker of the object any more. */
  forget(name: DnsName, object: Provenance): void {
    for (const resource of resourceForms(object))
      this.sightings.remove({ cluster: object.cluster, resource, name });
  }
}
