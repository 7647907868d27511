/**
 * The facts about the object in a marker, where its cluster is not served here: processes of that
 * cluster make DNSEntries for it here, and these are judged in its place (Z-30, ADR 0055). Pure.
 */
import { resourceOf } from "../../model/provenance.ts";
import type { AbsenceProof } from "../../plan/changes.ts";
import type { ObjectFacts } from "../../plan/removal/absence-facts.ts";
import {
  type ObjectObservation,
  type ObservedKind,
  stateOf,
} from "../contract/object-observation.ts";
import { GONE, type Tombstone } from "./name-records.ts";

/** What is known of the object. */
export interface UnservedEvidence extends Omit<NonNullable<ObjectFacts["unserved"]>, "entry"> {
  readonly resource: string;
  /**
   * The memory that a DNSEntry which was made for it stopped listing the name, or ended; null =
   * none was seen to.
   */
  readonly tombstone: Tombstone | null;
  /** That DNSEntry as it is now. */
  readonly observe: (entry: Tombstone["object"]) => ObjectObservation;
  /** A DNSEntry that was made for it lists the name, complete and without this record set. */
  readonly isOmitted: boolean;
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

/** The facts of the object. */
export function unservedObject(evidence: UnservedEvidence): ObjectFacts {
  const { resource, cluster, hasEntries, tombstone, awaited = null } = evidence;
  const { isRemoved = false } = evidence;
  const proof = proofOfEntry(evidence);
  const entry = tombstone === null ? null : resourceOf(tombstone.object);
  return {
    ...{ who: resource, proof, isAlive: false, whyUnknown: "" },
    ...(proof === null ? { unserved: { cluster, hasEntries, entry, awaited, isRemoved } } : {}),
  };
}

/**
 * The end of the DNSEntry proves that its object does not want the record: the process that made it
 * deletes it then. A DNSEntry that exists and lists the name no more was changed by somebody else,
 * which says nothing of the object.
 */
function proofOfEntry({ tombstone, isOmitted, observe }: UnservedEvidence): AbsenceProof | null {
  // clause: entry-omits-record-set
  if (isOmitted) return "object-omits-name";
  if (tombstone === null) return null;
  const { object, proof } = tombstone;
  // clause: edit-of-entry-is-no-end
  if (GONE.has(proof)) return /* clause: entry-end-is-object-end */ proof;
  return /* clause: edited-entry-ends */ stateOf(observe(object)) === "absent"
    ? "missing-from-list"
    : null;
}
