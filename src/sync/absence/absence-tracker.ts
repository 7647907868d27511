/**
 * Gathers, for plan/removal/table.ts, the facts that prove that no object wants a record (Z-2,
 * Z-3): from memory (name-records.ts), caches of clusters and API servers. Shared by all zones,
 * because a name may move between them. A lister is an object whose last contribution lists a name,
 * a tombstone the memory that an object lists it no more; the gate is closed while kinds of a
 * cluster are not known completely.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  isMarkOf,
  type ObjectKey,
  type ObjectMark,
  objectKeyText,
  type Provenance,
  resourceOf,
} from "../../model/provenance.ts";
import type { DesiredRecordSet, RecordSetKey } from "../../model/record-set.ts";
import type { AbsenceProof, Marker, OwnedRecordSet } from "../../plan/changes.ts";
import type { Surplus } from "../../plan/join-desired.ts";
import type { ListerFacts, ObjectFacts, ZoneFacts } from "../../plan/removal/absence-facts.ts";
import { judgeAbsence } from "../../plan/removal/table.ts";
import { type AbsenceVerdict, type Blocker, mayObjectWant } from "../../plan/rules.ts";
import type { Contribution } from "../contract/contribution.ts";
import {
  type ConfirmationBatch,
  closedGate,
  type IsKindMarked,
  isWithoutRecord,
  type LiveObject,
  lacksTargets,
  type ObjectObservation,
  type ObjectObserver,
  type ObservedKind,
} from "../contract/object-observation.ts";
import type { AddressWait, AddressWaits } from "./address-waits.ts";
import {
  type ConfirmingObject,
  type ObjectEnd,
  standInOf,
  toConfirming,
} from "./confirming-object.ts";
import { describeOrphan } from "./describe-orphan.ts";
import { observedNames, type RenamedObject } from "./former-names.ts";
import { isLatestIn, listerFacts, mayWant } from "./lister-facts.ts";
import { type AbsenceEntry, clustersOf, type Lister } from "./name-listings.ts";
import { isItself, NameRecords, type Tombstone } from "./name-records.ts";
import { SeenPairs } from "./seen-pairs.ts";
import { servedObject } from "./served-object.ts";
import { NO_SIGHTINGS, type SightingMemory } from "./sightings.ts";
import { isUnserved, unservedObject } from "./unserved-object.ts";

/** Record sets at a name over all zones; null = not known now. */
type RecordsAt = (name: DnsName) => readonly OwnedRecordSet[] | null;

/** The sources of an `AbsenceTracker`. */
export interface AbsenceTrackerOptions {
  readonly observer: ObjectObserver;
  readonly waits: AddressWaits;
  readonly recordsAt: RecordsAt;
  /** Absent = nothing is known of what earlier processes saw. */
  readonly sightings?: SightingMemory;
  /** Whether markers name objects of a kind. Absent = of none. */
  readonly isKindMarked?: IsKindMarked;
  /** Other installations may have our owner id (ADR 0119); default false. */
  readonly isOwnerShared?: boolean;
}

/** What is known about objects and names, over all zones. */
export class AbsenceTracker {
  readonly records = new NameRecords();
  readonly seen: SeenPairs;
  readonly observer: ObjectObserver;
  readonly #waits: AddressWaits;
  readonly recordsAt: RecordsAt;
  readonly #isMarked: IsKindMarked;
  readonly #isOwnerShared: boolean;

  constructor(options: AbsenceTrackerOptions) {
    // clause: marked-kind-closes-gate
    this.#isMarked = options.isKindMarked ?? (() => false);
    this.#isOwnerShared = options.isOwnerShared === true;
    this.observer = options.observer;
    this.#waits = options.waits;
    this.recordsAt = options.recordsAt;
    this.seen = new SeenPairs(this.records, options.sightings ?? NO_SIGHTINGS);
  }

  /** Notes what an object lists now; answers the names that it lists no more (`NameRecords`). */
  contributed(contribution: Contribution): readonly DnsName[] {
    return this.records.contributed(contribution);
  }

  /** True when every kind of every cluster is listed and watched, and no cluster was replaced. */
  areKindsListed(): boolean {
    return closedGate(this.observer.kinds(), { ...OF_NONE, isMarked: this.#isMarked }) === null;
  }

  /** The object is gone for good. */
  withdrawn(object: ObjectKey, proof: AbsenceProof): void {
    this.records.withdrawn(object, proof);
  }

  /**
   * A name is planned: a tombstone is removed once no zone has a record of its object there. One
   * zone alone proves too little: another account of the same zone may not have read yet what the
   * first one wrote.
   */
  settled(name: DnsName): void {
    const hasTombstones = this.records.tombstonesAt(name).length > 0;
    const owned = hasTombstones ? this.recordsAt(name) : null;
    if (owned === null) return;
    for (const { provenance } of this.records.settled(name, owned))
      this.seen.forget(name, provenance);
  }

  /**
   * Whether this record set of ours, which nobody wants at its key, may be removed
   * (plan/removal/table.ts).
   *
   * `here` = the last contributions to this very zone of objects that list the name. An object that
   * lists the name in another zone or account, or contributed something newer there, proves nothing
   * about this zone's copy: both may be the same record seen twice (Z-2, Z-18). `unrelated` =
   * contributions to other zones that cannot be about this record (`Elsewhere`).
   */
  verdict(
    unwanted: OwnedRecordSet,
    here: readonly Contribution[],
    unrelated: () => readonly Contribution[] = () => [],
    zone: ZoneFacts = NOTHING_ELSE,
  ): AbsenceVerdict {
    const { name } = unwanted;
    const kinds = this.observer.kinds();
    const listers = this.records.listings.listing(name).filter((one) => mayWant(one, unwanted));
    const gate = this.#gate(unwanted, listers, kinds);
    // clause: latest-lister-counts
    const isHere = (lister: Lister): boolean => isLatestIn(lister, here);
    const factsOf = (lister: Lister): ListerFacts =>
      listerFacts(lister, unwanted, {
        ...{ isHere: isHere(lister), here, unrelated },
        addressWait: () => this.#addressWait(lister.entry, name),
      });
    // clause: unlisted-name-needs-its-object
    const object = once(() => this.#objectOf(unwanted, kinds));
    const lists = gate === null ? listers.map(factsOf) : [];
    const isAnybodys = this.#isOwnerShared && (unwanted.marker?.cluster ?? null) === null;
    return judgeAbsence({ ...zone, name, isAnybodys, gate, listers: lists, object });
  }

  /**
   * Whether values that no object wants may be taken out of a record set that several objects of
   * one kind publish together (ADR 0126). `wanting`: record sets of objects that still want it;
   * `here` as in `verdict`. Judges each object that listed the name before; where none is known,
   * the proof is that the kind is listed completely.
   */
  surplusOf(
    set: OwnedRecordSet,
    wanting: readonly DesiredRecordSet[],
    here: readonly Contribution[],
  ): Surplus {
    const { name, marker, data } = set;
    if (marker === null) return { kept: null, leavers: [] };
    const [kind = ""] = marker.resource?.split("/") ?? [];
    const cluster = this.seen.clusterOf(name, marker);
    const isOfKind = (one: Provenance): boolean =>
      one.kind === kind && (cluster === null || one.cluster === cluster);
    const listers = this.records.listings
      .listing(name)
      .filter(({ entry: { provenance } }) => isOfKind(provenance));
    const others = listers.filter(
      ({ entry }) =>
        !wanting.some((one) => objectKeyText(one.provenance) === objectKeyText(entry.provenance)),
    );
    const leavers = this.records
      .tombstonesAt(name)
      .filter(({ provenance }) => isOfKind(provenance))
      .map(({ provenance }) => ({
        ...marker,
        ...{ resource: resourceOf(provenance), cluster: provenance.cluster },
      }));
    const kinds = this.observer.kinds();
    const isOfSeveral = (data?.values.length ?? 0) > 1 || listers.length + leavers.length > 1;
    const facts = {
      ...{ ...NOTHING_ELSE, name, isAnybodys: false },
      gate: isOfSeveral
        ? closedGate(
            kinds.filter(({ markerKind }) => markerKind === kind),
            { cluster, listing: clustersOf(listers), isMarked: this.#isMarked },
          )
        : null,
      listers: others.map((lister) =>
        listerFacts(lister, set, {
          ...{ isHere: isLatestIn(lister, here), here, unrelated: () => [] },
          addressWait: () => this.#addressWait(lister.entry, name),
        }),
      ),
    };
    const objects = leavers.map((one) => this.#objectOf({ ...set, marker: one }, kinds));
    const kept = [...objects, SOMEBODY]
      .map((object) => judgeAbsence({ ...facts, object: () => object }))
      .find(mayObjectWant);
    return { kept: kept ?? null, leavers };
  }

  #gate(
    { name, marker }: OwnedRecordSet,
    listers: readonly Lister[],
    kinds: readonly ObservedKind[],
  ): Blocker | null {
    // For an object of a cluster that is not served, DNSEntries of any cluster may tell.
    const cluster = isUnserved(marker, kinds) ? null : this.seen.clusterOf(name, marker);
    return closedGate(kinds, { cluster, listing: clustersOf(listers), isMarked: this.#isMarked });
  }

  /** At the end of the grace the cache is asked, too: it may have an address that is new. */
  #addressWait({ object, provenance }: AbsenceEntry, name: DnsName): AddressWait | null {
    const wait = this.#waits.at(object, name);
    if (wait === null || !wait.isOver) return wait;
    const observation = this.observer.observe(provenance.cluster, resourceOf(provenance));
    return { ...wait, isOver: lacksTargets(observation, name) };
  }

  /** The object in a marker, if it exists and lists other names in place of this one. */
  renamed(name: DnsName, marker: Marker): RenamedObject | null {
    const gone = this.records.tombstoneOf(name, marker);
    const own = gone !== null && isItself(gone) ? gone.object : this.#marked(marker);
    const entry = own === null ? null : this.records.listings.of(own);
    const listers = this.records.listings.listing(name).map((one) => one.entry);
    if (listers.some(({ provenance }) => isMarkOf(marker, provenance))) return null;
    // clause: made-entry-is-not-renamed
    if (entry !== null && !isItself(entry)) return null;
    if (own === null || entry === null) {
      // A DNSEntry ended that we made for the object: its source controller knows the new names.
      if (gone !== null) return null;
      // The object itself contributes nothing, or not yet: its caches tell its names.
      return observedNames(marker, this.observer.observe(marker.cluster, marker.resource ?? ""));
    }
    const listed = (): readonly string[] => this.records.listings.namesOf(entry);
    const instead = this.records.former.insteadOf(name, own, listed);
    return { object: own, instead, isFollowed: true };
  }

  /** A plan of the name waited for the names that its object has instead. */
  waited(name: DnsName, renamed: RenamedObject, published: readonly DnsName[]): void {
    if (renamed.isFollowed) this.records.former.waited(name, renamed, published);
  }

  #marked(marker: Marker): ObjectKey | null {
    const named = this.records.listings.named(marker.resource);
    return named.find(({ object }) => isMarkOf(marker, object))?.object ?? null;
  }

  /** True when the object has had no address for the name for all of `--no-targets-grace`. */
  isGraceOver(object: ObjectKey, name: DnsName): boolean {
    return this.#waits.at(object, name)?.isOver === true;
  }

  /** The object as its API servers have it now. Never rejects for want of an answer. */
  observeNow(
    { cluster, resource }: ConfirmingObject,
    batch?: ConfirmationBatch,
  ): Promise<ObjectObservation> {
    return this.observer.observeNow(cluster, resource, batch);
  }

  /**
   * The objects whose API servers are asked before a record set of this marker is removed. First
   * the contributors that list the name for the marker's object, without this set (a DNSEntry of a
   * Service). If there are none: that object itself, or the DNSEntry in its place; for a marker of
   * any object those that listed the name before. None where the marker has only a hash of the
   * object's name, which cannot be asked for: there the complete list stays the proof.
   */
  confirmingObjects(name: DnsName, marker: Marker): readonly ConfirmingObject[] {
    const { resource } = marker;
    const cluster = this.seen.clusterOf(name, marker);
    const listing = this.records.listings.listing(name).map(({ entry }) => entry);
    const gone = marker.anyObject === true ? this.records.tombstonesAt(name) : [];
    const contributors = listing.length > 0 ? listing : gone;
    const confirming = contributors.filter(({ provenance }) => isMarkOf(marker, provenance));
    if (confirming.length > 0) return confirming.map(toConfirming);
    const isFar = isUnserved(marker, this.observer.kinds());
    const standIn = standInOf(this.records.tombstoneOf(name, marker), isFar);
    if (standIn !== null) return [standIn];
    if (resource === null || resource.includes("/~")) return [];
    return [{ cluster, resource, isDerived: false }];
  }

  /**
   * Whether an object that exists does not want the record set: its source says so, or it is still
   * in the generation of its last contribution, which was complete. An incomplete contribution
   * counts, too, if the object had stopped listing the name before it.
   */
  isWithout(key: RecordSetKey, resource: string, live: LiveObject): boolean {
    if (live.found !== null) return isWithoutRecord(live.found, key);
    const { cluster } = live;
    const hasTombstone = this.records.tombstoneOf(key.name, { resource, cluster }) !== null;
    return this.records.listings
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
    const tombstone = this.records.tombstoneOf(name, marker);
    const made = tombstone === null ? null : toConfirming(tombstone);
    if (isUnserved(marker, this.observer.kinds())) return { made, proving: made };
    const { resource } = marker;
    const cluster = tombstone?.provenance.cluster ?? marker.cluster;
    return { made, proving: resource === null ? null : { cluster, resource, isDerived: false } };
  }

  /** What is known of the object of an orphan (Z-22), for people. */
  describe({ name, marker }: OwnedRecordSet): string {
    const { cluster, resource } = marker ?? { cluster: null, resource: null };
    return describeOrphan(name, this.observer.observe(cluster, resource ?? ""));
  }

  #objectOf({ name, marker }: OwnedRecordSet, kinds: readonly ObservedKind[]): ObjectFacts {
    if (marker === null || marker.resource === null) return NO_OBJECT;
    const { resource, cluster } = marker;
    const tombstone = this.records.tombstoneOf(name, marker);
    const omittingClusters = this.#omittingClusters(name, marker);
    if (cluster !== null && isUnserved(marker, kinds))
      return unservedObject({
        ...{ resource, cluster, tombstone },
        awaited: this.observer.awaited?.(cluster) ?? null,
        isRemoved: this.observer.isRemoved?.(cluster) ?? false,
        hasEntries: this.records.listings.hasCluster(cluster),
        isOmitted: omittingClusters.length > 0,
        observe: (entry) => this.observer.observe(entry.cluster, resourceOf(entry)),
      });
    const whose = this.seen.clusterOf(name, marker);
    // Other clusters that cannot be read: the gate has decided about them already.
    const observation = this.observer
      .observe(cluster, resource)
      .filter((one) => whose === null || one.cluster === whose || one.state !== "unknown");
    const facts = servedObject({
      ...{ name, resource, observation, tombstone, omittingClusters },
      hasDropped:
        tombstone !== null &&
        this.observer.hasDropped(tombstone.provenance.cluster, resource, name),
      unseen: () => this.seen.unseen(name, marker, observation),
    });
    return { ...facts, successor: this.#successorOf(marker, tombstone) };
  }

  /** The object for which the DNSEntry of the marker's object is published now; null = none. */
  #successorOf(marker: Marker, tombstone: Tombstone | null): Provenance | null {
    const object = tombstone?.object ?? this.#marked(marker);
    const entry = object === null ? null : this.records.listings.of(object);
    return entry === null || isMarkOf(marker, entry.provenance) ? null : entry.provenance;
  }

  /**
   * Clusters where the marker's own object, or the object that still lists this name, is complete
   * and does not want this key. A DNSEntry that publishes for another object wants none for itself.
   */
  #omittingClusters(name: DnsName, mark: ObjectMark): readonly string[] {
    const listers = this.records.listings.listing(name).map(({ entry }) => entry);
    const named = this.records.listings.named(mark.resource);
    const omitting = [
      ...listers.map(({ provenance }) => provenance),
      // clause: entry-of-another-wants-none
      ...named.flatMap(({ object, isComplete }) => (isComplete ? object : [])),
    ];
    return omitting.filter((one) => isMarkOf(mark, one)).map(({ cluster }) => cluster);
  }
}

/** For `closedGate`: the marker of a record names no cluster, so that each has to be known. */
const OF_NONE = { cluster: null, listing: new Set<string>() };

/** The facts where a marker names no object. */
const NO_OBJECT: ObjectFacts = { who: null, proof: null, isAlive: false, whyUnknown: "" };
/** The facts of an unknown former object of a kind that is listed completely. */
const SOMEBODY: ObjectFacts = {
  ...{ who: "an object", proof: "missing-from-list", isAlive: false, whyUnknown: "" },
};
/** The facts where nothing is known of moves between zones, of renames and of orders. */
const NOTHING_ELSE: ZoneFacts = {
  ...{ isMovedAway: false, isLeftBehind: false, servesCut: null, isOrdered: false },
  unpublished: () => null,
};

/** Asks at most once. */
function once<T>(ask: () => T): () => T {
  let answer: { readonly value: T } | null = null;
  return () => {
    answer ??= { value: ask() };
    return answer.value;
  };
}
