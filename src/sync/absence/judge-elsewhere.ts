/**
 * Whether the object in a marker no longer wants a record set, where nobody here serves its
 * cluster: processes of the source cluster make DNSEntries for it here (Z-30, ADR 0055). Pure.
 */
import { resourceOf } from "../../model/provenance.ts";
import type { AbsenceVerdict } from "../../plan/rules.ts";
import {
  type ObjectObservation,
  type ObservedKind,
  stateOf,
} from "../contract/object-observation.ts";
import { clusterVerdict, type UnservedObject, unproven } from "./absence-reasons.ts";
import type { Tombstone } from "./tombstones.ts";

/** What is known of the object. */
export interface ElsewhereEvidence extends UnservedObject {
  /** Of the DNSEntry that was made for it and listed the name; null = none was seen to stop. */
  readonly tombstone: Tombstone | null;
  /** That DNSEntry as it is now. */
  readonly observe: (entry: Tombstone["object"]) => ObjectObservation;
  /** A DNSEntry that was made for it lists the name, complete and without this record set. */
  readonly isOmitted: boolean;
}

/** The cluster in the marker is none of those that are served. */
export function isElsewhere(
  marker: { readonly cluster: string | null } | null,
  kinds: readonly ObservedKind[],
): boolean {
  const cluster = marker?.cluster ?? null;
  // clause: substitute-only-for-unserved-object
  return cluster !== null && kinds.every((kind) => kind.cluster !== cluster);
}

/**
 * The end of that DNSEntry is the end of its object's wish: the one who made it deletes it then. A
 * DNSEntry that gave up the name and lives was changed by somebody else, and says nothing of the
 * object.
 */
export function judgeElsewhere(evidence: ElsewhereEvidence): AbsenceVerdict {
  const { tombstone, isOmitted, resource } = evidence;
  // clause: entry-omits-record-set
  if (isOmitted) return { proven: true, proof: "object-omits-name" };
  if (tombstone === null) return clusterVerdict(evidence);
  const { object, proof } = tombstone;
  // clause: edit-of-entry-is-no-end
  if (ENDS.has(proof)) return /* clause: entry-end-is-object-end */ { proven: true, proof };
  if (/* clause: edited-entry-ends */ stateOf(evidence.observe(object)) === "absent")
    return { proven: true, proof: "missing-from-list" };
  return unproven(
    "SourceAlive",
    `${resourceOf(object)}, which was made for ${resource}, exists and was changed: it no longer lists the name; the record stays until it is deleted`,
  );
}

/** How it is known that an object is gone. */
const ENDS: ReadonlySet<Tombstone["proof"]> = new Set([
  "deleted-object",
  "found-deleting",
  "missing-from-list",
]);
