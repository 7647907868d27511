/**
 * Gathers the facts about the object in the marker of a record set (plan/removal/table.ts judges
 * them): from what this process remembers of objects, and from the caches of clusters. Where its
 * cluster is not served here, DNSEntries that were made for it are judged in its place. And which
 * names that object has instead (Z-32).
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  isMarkOf,
  type ObjectMark,
  type Provenance,
  readObjectKey,
  resourceOf,
} from "../../model/provenance.ts";
import type { AbsenceProof, Marker, OwnedRecordSet } from "../../plan/changes.ts";
import type { ObjectFacts } from "../../plan/removal/absence-facts.ts";
import type { Blocker } from "../../plan/rules.ts";
import {
  listsName,
  type ObjectObservation,
  type ObjectObserver,
  type ObservedKind,
  omitsName,
  stateOf,
  waitsAt,
} from "../contract/object-observation.ts";
import type { RenamedObject } from "./former-names.ts";
import { waitCode } from "./lister-facts.ts";
import { GONE, isItself, type NameRecords, type Tombstone } from "./name-records.ts";
import type { SeenPairs } from "./seen-pairs.ts";

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
  if (cluster !== null && isUnserved(marker, kinds)) {
    const isOmitted = omittingClusters.length > 0;
    const proof = proofOfEntry(tombstone, isOmitted, observer);
    const facts = { who: resource, proof, isAlive: false, whyUnknown: "" };
    if (proof !== null) return facts;
    const unserved = {
      cluster,
      hasEntries: records.listings.hasCluster(cluster),
      entry: tombstone === null ? null : resourceOf(tombstone.object),
      awaited: observer.awaited?.(cluster) ?? null,
      isRemoved: observer.isRemoved?.(cluster) ?? false,
    };
    return { ...facts, unserved };
  }
  const whose = seen.clusterOf(name, marker);
  // Whether the record waits for another cluster that cannot be read is decided before, by the gate
  // (`closedGate`, the first line of ABSENCE). So such a cluster does not count here.
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
  // All listers, also incomplete ones: for those ABSENCE keeps the record before it asks for the
  // object (`unclear`).
  const listers = listings.listing(name).map(({ entry }) => entry);
  const named = listings.named(mark.resource);
  const omitting = [
    ...listers.map(({ provenance }) => provenance),
    // clause: entry-of-another-wants-none
    ...named.flatMap(({ object, isComplete }) => (isComplete ? object : [])),
  ];
  return omitting.filter((one) => isMarkOf(mark, one)).map(({ cluster }) => cluster);
}

/** True when the marker names a cluster that is not served here. */
export function isUnserved(
  marker: { readonly cluster: string | null } | null,
  kinds: readonly ObservedKind[],
): boolean {
  const cluster = marker?.cluster ?? null;
  // clause: substitute-only-for-unserved-object
  return cluster !== null && kinds.every((kind) => kind.cluster !== cluster);
}

/**
 * Where the cluster of the object is not served here, processes of that cluster make DNSEntries for
 * it here, which are judged in its place (Z-30, ADR 0055). The end of the DNSEntry proves that its
 * object does not want the record: the process that made it deletes it then. A DNSEntry that exists
 * and lists the name no more was changed by somebody else, which says nothing of the object.
 * `isOmitted`: a DNSEntry that was made for it lists the name, complete and without this record
 * set.
 */
function proofOfEntry(
  tombstone: Tombstone | null,
  isOmitted: boolean,
  observer: ObjectObserver,
): AbsenceProof | null {
  // clause: entry-omits-record-set
  if (isOmitted) return "object-omits-name";
  if (tombstone === null) return null;
  const { object, proof } = tombstone;
  // clause: edit-of-entry-is-no-end
  if (GONE.has(proof)) return /* clause: entry-end-is-object-end */ proof;
  const entry = observer.observe(object.cluster, resourceOf(object));
  return /* clause: edited-entry-ends */ stateOf(entry) === "absent" ? "missing-from-list" : null;
}

/** What is known of an object whose cluster is served here. */
interface ObjectEvidence {
  readonly name: DnsName;
  /** `kind/namespace/name`, or with a hash of the name. */
  readonly resource: string;
  readonly observation: ObjectObservation;
  /** Null = the object did not stop listing the name, as far as this process has seen. */
  readonly tombstone: Tombstone | null;
  /** Clusters with an object of the marker that contributes completely, without this record set. */
  readonly omittingClusters: readonly string[];
  /** The object of the tombstone was watched to give up the name, or to be deleted (Z-16). */
  readonly hasDropped: boolean;
  /** Why it was not seen to list the name (Z-22); null = it was. */
  readonly unseen: () => Blocker | null;
}

/**
 * The facts of an object whose cluster is served here, but for its successor: by its tombstone (how
 * it stopped listing the name), by contributions, and by an observation of it in the caches of its
 * clusters (Z-2, Z-16).
 */
function servedObject(evidence: ObjectEvidence): ObjectFacts {
  const { name, resource, observation, tombstone, unseen } = evidence;
  const [whyUnknown = "no cluster watches its kind"] = observation.flatMap((one) =>
    one.state === "unknown" ? one.message : [],
  );
  const isAlive = stateOf(observation) === "alive";
  const isKnown = isKnownWithout(evidence);
  if (isKnown && tombstone !== null) {
    const waitsFor = waitsAt(observation, name);
    const relists = {
      made: resourceOf(tombstone.object),
      waitsFor: waitsFor === null ? null : waitCode(waitsFor),
    };
    return {
      ...{ who: resource, isAlive, whyUnknown },
      proof: proofOfEnd(tombstone, evidence),
      // An object that was made from another one proves nothing by its end as long as the original
      // lists the name (Z-2).
      /* clause: original-lists-the-name */ relists:
        !isItself(tombstone) && listsName(observation, name) ? relists : null,
    };
  }
  const proof = unmentionedProof(evidence, isKnown);
  return {
    ...{ who: resource, isAlive, whyUnknown, proof },
    /* clause: unseen-proves-nothing */ unseen: proof === null ? null : unseen(),
  };
}

/** Proofs where nobody watched the object stop or end: the fuse counts them as weak (Z-16). */
const OMITTED: AbsenceProof = /* clause: unwatched-drop-is-weak */ "object-omits-name";
const MISSING: AbsenceProof = /* clause: missing-from-list-is-weak */ "missing-from-list";

/**
 * The proof without a tombstone, or where another cluster may have the object: it omits the name or
 * is absent everywhere; null = it lists the name, or is not known.
 */
function unmentionedProof(evidence: ObjectEvidence, isKnown: boolean): AbsenceProof | null {
  const { name, observation, omittingClusters } = evidence;
  if (isKnown && omittingClusters.length > 0) return OMITTED;
  const state = stateOf(observation);
  if (state === "absent") return MISSING;
  if (state === "unknown") return null;
  // clause: live-object-omits-name
  if (omitsName(observation, name)) return OMITTED;
  return null;
}

/**
 * True when every other cluster that may have the object omits the name. What was seen of an object
 * proves nothing about one of the same name in another cluster, which a marker without a cluster
 * may mean (Z-3).
 */
function isKnownWithout(evidence: ObjectEvidence): boolean {
  const { name, observation, tombstone, omittingClusters } = evidence;
  const seen = new Set([...omittingClusters, tombstone?.provenance.cluster]);
  const others = observation.filter(({ cluster }) => !seen.has(cluster));
  // clause: each-cluster-omits-name
  return others.length === 0 || omitsName(others, name);
}

/**
 * The proof of a tombstone. Strong (Z-16) where the DELETED event of the object itself, or an edit
 * that dropped the name, was watched (`hasDropped`: an edit of annotations changes no generation).
 * We delete a DNSEntry when its Service is gone or wants the name no more: then the end of the
 * Service is the proof, strong only if that was watched. An object that was missing from a list and
 * exists again without the name gives the weaker proof of one that omits it.
 */
function proofOfEnd(
  tombstone: Tombstone,
  { name, observation, omittingClusters, hasDropped }: ObjectEvidence,
): AbsenceProof {
  const { proof } = tombstone;
  const state = stateOf(observation);
  const isAlive = state === "alive";
  const isOwn = isItself(tombstone);
  if (proof === "missing-from-list") {
    const isOmitted = isOwn ? omittingClusters.length > 0 : omitsName(observation, name);
    return isAlive && isOmitted ? OMITTED : proof;
  }
  if (isOwn) return proof === "object-omits-name" && hasDropped ? "object-dropped-name" : proof;
  // Where nobody watches the kind of the Service, the end of its DNSEntry is all there is to know.
  // While a kind that is watched cannot be read, the gate holds the record (`NotSynced`).
  if (state === "unknown") return proof;
  // clause: watched-drop-is-strong
  if (hasDropped) return isAlive ? "object-dropped-name" : proof;
  return isAlive ? OMITTED : MISSING;
}

/**
 * The object of a marker, and the names that it has in place of this one. Null = it does not exist,
 * lists the name still, or is not known to list others.
 */
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
  const object = readObjectKey(resource, found[0]?.cluster ?? null);
  if (object === null || found.length === 0) return null;
  const names = found.flatMap(({ items, waiting }) => [...items, ...waiting]);
  return { object, instead: new Set(names.map(({ name }) => name)), isFollowed: false };
}
