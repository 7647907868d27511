/**
 * Remembers which objects list which names, and gathers for plan/removal/table.ts the facts that
 * prove that no object wants a record (Z-2, Z-3). Shared by all zones, because a name may move
 * between them. A lister is an object whose last contribution lists a name, a tombstone the memory
 * that an object lists it no more; the gate is closed while kinds of a cluster are not known
 * completely.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import {
  type ObjectKey,
  objectKeyText,
  type Provenance,
  resourceOf,
} from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { AbsenceProof, OwnedRecordSet } from "../../plan/changes.ts";
import type { Surplus } from "../../plan/join-desired.ts";
import type { ListerFacts, ObjectFacts, ZoneFacts } from "../../plan/removal/absence-facts.ts";
import { judgeAbsence } from "../../plan/removal/table.ts";
import { type AbsenceVerdict, type Blocker, mayObjectWant } from "../../plan/rules.ts";
import type { ZoneState } from "../cache/zone-state.ts";
import type { Contribution } from "../contract/contribution.ts";
import {
  closedGate,
  type IsKindMarked,
  lacksTargets,
  type ObjectObservation,
  type ObjectObserver,
  type ObservedKind,
  stateOf,
} from "../contract/object-observation.ts";
import type { AddressWait, AddressWaits } from "./address-waits.ts";
import { ConfirmingObjects } from "./confirming-objects.ts";
import { isLatestIn, type ListerContext, listerFacts, mayWant } from "./lister-facts.ts";
import { type AbsenceEntry, clustersOf, type Lister } from "./name-listings.ts";
import { NameRecords } from "./name-records.ts";
import { isUnserved, objectFacts } from "./object-facts.ts";
import { SeenPairs } from "./seen-pairs.ts";
import { NO_SIGHTINGS, type SightingMemory } from "./sightings.ts";

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
  /** The objects to be asked before a removal is sent. */
  readonly confirming: ConfirmingObjects;
  readonly observer: ObjectObserver;
  readonly recordsAt: RecordsAt;
  readonly #options: AbsenceTrackerOptions;

  constructor(options: AbsenceTrackerOptions) {
    this.#options = options;
    this.observer = options.observer;
    this.recordsAt = options.recordsAt;
    this.seen = new SeenPairs(this.records, options.sightings ?? NO_SIGHTINGS);
    this.confirming = new ConfirmingObjects(this);
  }

  /** Notes what an object lists now; answers the names that it lists no more (`NameRecords`). */
  contributed(contribution: Contribution): readonly DnsName[] {
    return this.records.contributed(contribution);
  }

  /** True when every kind of every cluster is listed and watched, and no cluster was replaced. */
  areKindsListed(): boolean {
    return this.#gate(this.observer.kinds(), [], null) === null;
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
    const { name, marker } = unwanted;
    const kinds = this.observer.kinds();
    const listing = this.records.listings.listing(name).filter((one) => mayWant(one, unwanted));
    // For an object of a cluster that is not served, DNSEntries of any cluster may tell.
    const cluster = isUnserved(marker, kinds) ? null : this.seen.clusterOf(name, marker);
    const gate = this.#gate(kinds, listing, cluster);
    const listers = gate === null ? this.#factsOf(listing, unwanted, { here, unrelated }) : [];
    // clause: unlisted-name-needs-its-object
    const object = once(() => objectFacts(unwanted, kinds, this));
    const isAnybodys = this.#options.isOwnerShared === true && (marker?.cluster ?? null) === null;
    return judgeAbsence({ ...zone, name, isAnybodys, gate, listers, object });
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
      .filter(({ entry }) => isOfKind(entry.provenance));
    const wants = new Set(wanting.map(({ provenance }) => objectKeyText(provenance)));
    const others = listers.filter(({ entry }) => !wants.has(objectKeyText(entry.provenance)));
    const leavers = this.records
      .tombstonesAt(name)
      .filter(({ provenance }) => isOfKind(provenance))
      .map(({ provenance }) => ({
        ...marker,
        ...{ resource: resourceOf(provenance), cluster: provenance.cluster },
      }));
    const kinds = this.observer.kinds();
    const isOfSeveral = (data?.values.length ?? 0) > 1 || listers.length + leavers.length > 1;
    const ofKind = kinds.filter(({ markerKind }) => markerKind === kind);
    const facts = {
      ...{ ...NOTHING_ELSE, name, isAnybodys: false },
      gate: isOfSeveral ? this.#gate(ofKind, listers, cluster) : null,
      listers: this.#factsOf(others, set, { here, unrelated: () => [] }),
    };
    const objects = leavers.map((one) => objectFacts({ name, marker: one }, kinds, this));
    const kept = [...objects, SOMEBODY]
      .map((object) => judgeAbsence({ ...facts, object: () => object }))
      .find(mayObjectWant);
    return { kept: kept ?? null, leavers };
  }

  /** `cluster`: that of the marker; null = each has to be known. */
  #gate(
    kinds: readonly ObservedKind[],
    listers: readonly Lister[],
    cluster: string | null,
  ): Blocker | null {
    // clause: marked-kind-closes-gate
    const { isKindMarked: isMarked = () => false } = this.#options;
    return closedGate(kinds, { cluster, listing: clustersOf(listers), isMarked });
  }

  #factsOf(
    listers: readonly Lister[],
    set: OwnedRecordSet,
    contributions: Pick<ListerContext, "here" | "unrelated">,
  ): readonly ListerFacts[] {
    return listers.map((lister) => {
      // clause: latest-lister-counts
      const isHere = isLatestIn(lister, contributions.here);
      const addressWait = () => this.#addressWait(lister.entry, set.name);
      return listerFacts(lister, set, { ...contributions, isHere, addressWait });
    });
  }

  /** At the end of the grace the cache is asked, too: it may have an address that is new. */
  #addressWait({ object, provenance }: AbsenceEntry, name: DnsName): AddressWait | null {
    const wait = this.#options.waits.at(object, name);
    if (wait === null || !wait.isOver) return wait;
    const observation = this.observer.observe(provenance.cluster, resourceOf(provenance));
    return { ...wait, isOver: lacksTargets(observation, name) };
  }

  /** True when the object has had no address for the name for all of `--no-targets-grace`. */
  isGraceOver(object: ObjectKey, name: DnsName): boolean {
    return this.#options.waits.at(object, name)?.isOver === true;
  }

  /** What is known of the object of an orphan (Z-22), for people. */
  describe({ name, marker }: OwnedRecordSet): string {
    const { cluster, resource } = marker ?? { cluster: null, resource: null };
    return describeOrphan(name, this.observer.observe(cluster, resource ?? ""));
  }
}

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

/**
 * What is known of the object in the marker of an orphan (Z-22), in one phrase; the object is not
 * named, because the row names it.
 */
function describeOrphan(name: DnsName, observation: ObjectObservation): string {
  switch (stateOf(observation)) {
    case "absent":
      return "orphan: no such object exists here";
    case "unknown":
      return "orphan: whether the object exists here is not known";
    case "alive": {
      const [where] = observation.flatMap((one) =>
        one.state === "alive" ? (one.namedElsewhere?.(name) ?? []) : [],
      );
      return where === undefined
        ? "orphan: the object exists here and does not name it"
        : `orphan: the object exists here and names it in ${where}, which is not read; annotate it with dns.gardener.cloud/dnsnames to keep the record`;
    }
  }
}

/** The part of a zone's actor that is read. */
export interface KnownZone {
  readonly apex: DnsName;
  /** Null until the first complete load. */
  readonly state: Pick<ZoneState, "owned"> | null;
}

/** Null until every zone that may hold the name was read: its records may be unknown. */
export function knownRecordsAt(
  name: DnsName,
  zones: readonly KnownZone[],
): readonly OwnedRecordSet[] | null {
  const holding = zones.filter(({ apex }) => isAtOrBelow(name, apex));
  const sets: OwnedRecordSet[] = [];
  for (const { state } of holding) {
    if (state === null) return null;
    sets.push(...state.owned.at(name));
  }
  return sets;
}
