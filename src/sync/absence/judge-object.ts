/**
 * Whether the object in a marker no longer wants a record set: by its tombstone, by contributions,
 * and by an observation of it in its clusters (Z-2, Z-16). Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Provenance, resourceOf } from "../../model/provenance.ts";
import type { AbsenceProof } from "../../plan/changes.ts";
import type { AbsenceVerdict } from "../../plan/rules.ts";
import {
  listsName,
  type ObjectObservation,
  omitsName,
  stateOf,
  waitsAt,
} from "../contract/object-observation.ts";
import { incompleteVerdict, unknownVerdict, unproven } from "./absence-reasons.ts";
import { NO_TARGETS } from "./address-waits.ts";
import { isItself, type Tombstone } from "./tombstones.ts";

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
  /** What publishes now through what published for it; null = nothing does. */
  readonly successor: () => Provenance | null;
  /** Why it was not seen to list the name (Z-22); null = it was. */
  readonly unseen: () => Extract<AbsenceVerdict, { proven: false }> | null;
}

/** Whether a record set of that object, which nobody wants, may be removed, and its successor. */
export function judgeObject(evidence: ObjectEvidence): AbsenceVerdict {
  const verdict = judgeEvidence(evidence);
  const successor = verdict.proven ? evidence.successor() : null;
  return verdict.proven && successor !== null ? { ...verdict, successor } : verdict;
}

function judgeEvidence(evidence: ObjectEvidence): AbsenceVerdict {
  const { tombstone, unseen } = evidence;
  const isKnown = isKnownWithout(evidence);
  if (isKnown && tombstone !== null) return judgeTombstone(tombstone, evidence);
  const verdict = judgeUnmentioned(evidence, isKnown);
  // clause: unseen-proves-nothing
  return verdict.proven ? (unseen() ?? verdict) : verdict;
}

/** The object did not stop listing the name while we watched, or another cluster may have it. */
function judgeUnmentioned(evidence: ObjectEvidence, isKnown: boolean): AbsenceVerdict {
  const { name, resource, observation, omittingClusters } = evidence;
  if (isKnown && omittingClusters.length > 0) return { proven: true, proof: "object-omits-name" };
  switch (stateOf(observation)) {
    case "absent":
      return { proven: true, proof: "missing-from-list" };
    case "alive":
      // clause: live-object-omits-name
      if (omitsName(observation, name)) return { proven: true, proof: "object-omits-name" };
      return unproven(
        "SourceAlive",
        `${resource} exists, and it is not known that it no longer wants the record; the record stays`,
      );
    case "unknown":
      return unknownVerdict(resource, observation);
  }
}

/**
 * What was seen of an object is no proof for that of another cluster: where the marker names none,
 * that one has to omit the name, too (Z-3).
 */
function isKnownWithout(evidence: ObjectEvidence): boolean {
  const { name, observation, tombstone, omittingClusters } = evidence;
  const seen = new Set([...omittingClusters, tombstone?.provenance.cluster]);
  const others = observation.filter(({ cluster }) => !seen.has(cluster));
  // clause: each-cluster-omits-name
  return others.length === 0 || omitsName(others, name);
}

/**
 * An object that was made from another one proves nothing by its end as long as the original lists
 * the name (Z-2): it is made again, as soon as the original can say what it wants.
 */
function judgeTombstone(tombstone: Tombstone, evidence: ObjectEvidence): AbsenceVerdict {
  const { name, resource, observation } = evidence;
  // clause: original-lists-the-name
  if (!isItself(tombstone) && listsName(observation, name)) {
    const reason = waitsAt(observation, name);
    if (reason === NO_TARGETS)
      return unproven(reason, `${resource} has no address for this name now; the record stays`);
    if (reason !== null) return incompleteVerdict(resource, reason);
    return unproven(
      "OriginalAlive",
      `${resource} lists the name; ${resourceOf(tombstone.object)}, which was made for it, is made again`,
    );
  }
  return { proven: true, proof: proofOf(tombstone, evidence) };
}

/**
 * Its own DELETED event makes a removal an ordinary one (Z-16), and so does a watched edit that
 * took the name off: one of annotations moves no generation. We delete a DNSEntry whose Service is
 * gone or wants the name no more: the proof is that of the Service, an ordinary one only if that
 * was watched. An object that was missing from a list once and exists again is alive without the
 * name, too.
 */
function proofOf(tombstone: Tombstone, evidence: ObjectEvidence): AbsenceProof {
  const { proof } = tombstone;
  const state = stateOf(evidence.observation);
  const isAlive = state === "alive";
  if (proof === "missing-from-list")
    return isAlive && isOmitted(tombstone, evidence) ? "object-omits-name" : proof;
  if (isItself(tombstone)) return isEdited(tombstone, evidence) ? "object-dropped-name" : proof;
  if (state === "unknown") return proof;
  // clause: watched-drop-is-strong
  if (hasDropped(tombstone, evidence)) return isAlive ? "object-dropped-name" : proof;
  // clause: missing-from-list-is-weak
  return isAlive ? /* clause: unwatched-drop-is-weak */ "object-omits-name" : "missing-from-list";
}

/** The object that is alive again does without the name. */
function isOmitted(tombstone: Tombstone, evidence: ObjectEvidence): boolean {
  const { name, observation, omittingClusters } = evidence;
  return isItself(tombstone) ? omittingClusters.length > 0 : omitsName(observation, name);
}

/** It contributed without the name, and was watched to give it up. */
function isEdited(tombstone: Tombstone, evidence: ObjectEvidence): boolean {
  return tombstone.proof === "object-omits-name" && hasDropped(tombstone, evidence);
}

/** The object in the marker was watched to give up the name, or to be deleted. */
function hasDropped(
  { provenance: { cluster } }: Tombstone,
  { name, observation }: ObjectEvidence,
): boolean {
  return observation.some((one) => one.cluster === cluster && one.hasDropped?.(name) === true);
}
