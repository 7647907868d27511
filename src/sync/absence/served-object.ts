/**
 * The facts about the object in a marker, whose cluster is served here: by its tombstone (how it
 * stopped listing the name), by contributions, and by an observation of it in the caches of its
 * clusters (Z-2, Z-16). What the facts mean is in plan/removal/table.ts. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { resourceOf } from "../../model/provenance.ts";
import type { AbsenceProof } from "../../plan/changes.ts";
import type { ObjectFacts } from "../../plan/removal/absence-facts.ts";
import type { Blocker } from "../../plan/rules.ts";
import {
  listsName,
  type ObjectObservation,
  omitsName,
  stateOf,
  waitsAt,
} from "../contract/object-observation.ts";
import { waitCode } from "./lister-facts.ts";
import { isItself, type Tombstone } from "./name-records.ts";

/** What is known of the object in a marker. */
export interface ObjectEvidence {
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

/** The facts of the object, without its successor. */
export function servedObject(evidence: ObjectEvidence): ObjectFacts {
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
  if (state === "unknown") return proof;
  // clause: watched-drop-is-strong
  if (hasDropped) return isAlive ? "object-dropped-name" : proof;
  return isAlive ? OMITTED : MISSING;
}
