/**
 * The objects on which the removal of a record set rests: whose API servers are asked before it is
 * sent (ADR 0021), whose end is its proof, and what an answer proves.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isMarkOf, resourceOf } from "../../model/provenance.ts";
import type { RecordSetKey } from "../../model/record-set.ts";
import type { Marker } from "../../plan/changes.ts";
import {
  type ConfirmationBatch,
  isWithoutRecord,
  type LiveObject,
  type ObjectObservation,
} from "../contract/object-observation.ts";
import { type Contributor, isItself, isOfCopy, type Tombstone } from "./name-records.ts";
import { isUnserved, type KnownObjects } from "./object-facts.ts";

/** An object that a removal rests on: its API server is asked for it before the removal is sent. */
export interface ConfirmingObject {
  /** Null = every cluster that may hold it. */
  readonly cluster: string | null;
  /** `kind/namespace/name`. */
  readonly resource: string;
  /**
   * The object was made from the object in the marker, which may want the record although this one
   * is gone.
   */
  readonly isDerived: boolean;
}

/** The objects whose end proves that no object wants a record. */
export interface ObjectEnd {
  /**
   * The contributor for the object in the marker, itself or a DNSEntry of it, that lists the name
   * no more; null = none is known.
   */
  readonly made: ConfirmingObject | null;
  /** The object whose end is the proof; null = the marker names none. */
  readonly proving: ConfirmingObject | null;
}

/** Chooses and asks them. */
export class ConfirmingObjects {
  readonly #known: KnownObjects;

  constructor(known: KnownObjects) {
    this.#known = known;
  }

  /**
   * The objects to ask before a record set of this marker is removed. First the contributors that
   * list the name for the marker's object, without this set (a DNSEntry of a Service). If there are
   * none: the DNSEntry in the place of that object, else the object itself; for a marker of any
   * object those that listed the name before. None where the marker has only a hash of the object's
   * name, which cannot be asked for: there the complete list stays the proof.
   */
  of(name: DnsName, marker: Marker): readonly ConfirmingObject[] {
    const { records, seen } = this.#known;
    const { resource } = marker;
    const listing = records.listings.listing(name).map(({ entry }) => entry);
    const gone = marker.anyObject === true ? records.tombstonesAt(name) : [];
    const contributors = listing.length > 0 ? listing : gone;
    const confirming = contributors.filter(({ provenance }) => isMarkOf(marker, provenance));
    if (confirming.length > 0) return confirming.map(toConfirming);
    const standIn = standInOf(records.tombstoneOf(name, marker), this.#isUnserved(marker));
    if (standIn !== null) return [standIn];
    if (resource === null || resource.includes("/~")) return [];
    return [{ cluster: seen.clusterOf(name, marker), resource, isDerived: false }];
  }

  /** The object as its API servers have it now. Never rejects for want of an answer. */
  observeNow(
    { cluster, resource }: ConfirmingObject,
    batch?: ConfirmationBatch,
  ): Promise<ObjectObservation> {
    return this.#known.observer.observeNow(cluster, resource, batch);
  }

  /**
   * Whether an object that exists does not want the record set: its source says so, or it is still
   * in the generation of its last contribution, which was complete. An incomplete contribution
   * counts, too, if the object had stopped listing the name before it.
   */
  isWithout(key: RecordSetKey, resource: string, live: LiveObject): boolean {
    if (live.found !== null) return isWithoutRecord(live.found, key);
    const { records } = this.#known;
    const { cluster } = live;
    const hasTombstone = records.tombstoneOf(key.name, { resource, cluster }) !== null;
    return records.listings
      .named(resource)
      .some(
        ({ object, isComplete, generation }) =>
          (isComplete || hasTombstone) &&
          object.cluster === cluster &&
          generation === live.generation,
      );
  }

  /** The objects whose end proves that nobody wants a record of this marker (Z-2, Z-16). */
  endOf(name: DnsName, marker: Marker): ObjectEnd {
    const tombstone = this.#known.records.tombstoneOf(name, marker);
    const made = tombstone === null ? null : toConfirming(tombstone);
    if (this.#isUnserved(marker)) return { made, proving: made };
    const { resource } = marker;
    const cluster = tombstone?.provenance.cluster ?? marker.cluster;
    return { made, proving: resource === null ? null : { cluster, resource, isDerived: false } };
  }

  #isUnserved(marker: Marker): boolean {
    return isUnserved(marker, this.#known.observer.kinds());
  }
}

/** The contributor itself, which lists the name or did, as an object to ask for. */
function toConfirming(contributor: Contributor): ConfirmingObject {
  const { object } = contributor;
  return {
    cluster: object.cluster,
    resource: resourceOf(object),
    isDerived: !isItself(contributor),
  };
}

/**
 * The DNSEntry that is asked for in place of the object in a marker: where the object is a DNSEntry
 * of which it is a copy, or where the cluster of the object is not served here (`isFar`). Null =
 * the object itself is asked for.
 */
function standInOf(tombstone: Tombstone | null, isFar: boolean): ConfirmingObject | null {
  if (tombstone === null || /* clause: copied-entry-is-read */ !(isFar || isOfCopy(tombstone)))
    return null;
  return { ...toConfirming(tombstone), isDerived: false };
}
