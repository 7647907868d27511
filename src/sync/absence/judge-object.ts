/**
 * Whether the object in a marker no longer wants a record set: by its tombstone, by contributions,
 * and by an observation of it in its clusters (Z-2, Z-16). Pure.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { AbsenceProof } from "../../plan/changes.ts";
import type { AbsenceVerdict } from "../../plan/rules.ts";
import {
  listsName,
  type ObjectObservation,
  omitsName,
  stateOf,
} from "../contract/object-observation.ts";
import { unknownVerdict, unproven } from "./absence-reasons.ts";
import { isItself, type Tombstone } from "./tombstones.ts";

/** What is known of the object in a marker. */
export interface ObjectEvidence {
  readonly name: DnsName;
  /** `kind/namespace/name`, or with a hash of the name. */
  readonly resource: string;
  readonly observation: ObjectObservation;
  /** Null = the object did not stop listing the name, as far as this process has seen. */
  readonly tombstone: Tombstone | null;
  /** The object contributes completely, without this record set. */
  readonly isOmittedByContribution: () => boolean;
}

/** Whether a record set of that object, which nobody wants, may be removed. */
export function judgeObject(evidence: ObjectEvidence): AbsenceVerdict {
  const { name, resource, observation, tombstone, isOmittedByContribution } = evidence;
  if (tombstone !== null) return judgeTombstone(tombstone, evidence);
  if (isOmittedByContribution()) return { proven: true, proof: "object-omits-name" };
  switch (stateOf(observation)) {
    case "absent":
      return { proven: true, proof: "missing-from-list" };
    case "alive":
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
 * An object that was made from another one proves nothing by its end as long as the original lists
 * the name (Z-2): it is made again.
 */
function judgeTombstone(tombstone: Tombstone, evidence: ObjectEvidence): AbsenceVerdict {
  const { name, resource, observation } = evidence;
  if (!isItself(tombstone) && listsName(observation, name))
    return unproven(
      "OriginalAlive",
      `${resource} lists the name; ${resourceOf(tombstone.object)}, which was made for it, is made again`,
    );
  return { proven: true, proof: proofOf(tombstone, evidence) };
}

/**
 * Only its own DELETED event makes a removal an ordinary one (Z-16). If a DNSEntry was deleted
 * because its Service wants the name no more, the proof is: alive, without the name. The same holds
 * for an object that was missing from a list once and exists again.
 */
function proofOf(tombstone: Tombstone, evidence: ObjectEvidence): AbsenceProof {
  const { name, observation, isOmittedByContribution } = evidence;
  const { proof } = tombstone;
  const isAlive = stateOf(observation) === "alive";
  if (proof === "missing-from-list") {
    const isOmitted = isItself(tombstone)
      ? isOmittedByContribution()
      : omitsName(observation, name);
    return isAlive && isOmitted ? "object-omits-name" : proof;
  }
  return proof === "deleted-object" && !isItself(tombstone) && isAlive
    ? "object-omits-name"
    : proof;
}
