/**
 * What is known of the object in a marker, where nobody here serves its cluster: processes of the
 * source cluster make DNSEntries for it here, and these stand for it (Z-30, ADR 0055). Pure.
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
export interface UnservedEvidence {
  readonly resource: string;
  readonly cluster: string;
  /** Why the cluster is not served yet; null = it is none of ours. */
  readonly awaited?: string | null;
  /** See `ObjectObserver`. */
  readonly isRemoved?: boolean;
  /** DNSEntries here were made for objects of that cluster. */
  readonly hasEntries: boolean;
  /** Of the DNSEntry that was made for it and listed the name; null = none was seen to stop. */
  readonly tombstone: Tombstone | null;
  /** That DNSEntry as it is now. */
  readonly observe: (entry: Tombstone["object"]) => ObjectObservation;
  /** A DNSEntry that was made for it lists the name, complete and without this record set. */
  readonly isOmitted: boolean;
}

/** The cluster in the marker is none of those that are served. */
export function isUnserved(
  marker: { readonly cluster: string | null } | null,
  kinds: readonly ObservedKind[],
): boolean {
  const cluster = marker?.cluster ?? null;
  // clause: substitute-only-for-unserved-object
  return cluster !== null && kinds.every((kind) => kind.cluster !== cluster);
}

/** Its facts. */
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
 * The end of that DNSEntry is the end of its object's wish: the one who made it deletes it then. A
 * DNSEntry that gave up the name and lives was changed by somebody else, and says nothing of the
 * object.
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
