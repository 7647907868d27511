/**
 * Makes holds: of a key, and of planned changes. Whether a change is held is decided by the
 * callers. The hold of a change keeps the change and the proof of a removal, because a person who
 * approves a set must be able to read it (Z-16). Pure.
 */
import { printable } from "../model/printable.ts";
import type { Provenance } from "../model/provenance.ts";
import type { DesiredRecordSet, RecordSetKey } from "../model/record-set.ts";
import type { Hold, KeyChange, NamePlan } from "./changes.ts";
import type { HoldCode } from "./hold-reasons.ts";
import { objectOf } from "./rights.ts";

/** The fields of a hold without its key. */
export interface HoldDetail {
  readonly code: HoldCode;
  readonly message: string;
  readonly provenance: Provenance | null;
}

/**
 * A hold at a key; copies only the fields of the key. The message may quote text from a zone, so
 * control characters in it are escaped.
 */
export function holdAt({ name, type, setIdentifier }: RecordSetKey, detail: HoldDetail): Hold {
  return { key: { name, type, setIdentifier }, ...detail, message: printable(detail.message) };
}

/** The hold of a desired record set, for its object. */
export function holdFor(desired: DesiredRecordSet, code: HoldCode, message: string): Hold {
  return holdAt(desired, { code, message, provenance: desired.provenance });
}

/** Why a change is held. */
export type HoldCause = Pick<HoldDetail, "code" | "message"> & Pick<Hold, "set">;

/** The hold for a change. Its object is the one that wants the record, else the marker's. */
export function holdChange(one: KeyChange, { set, ...why }: HoldCause): Hold {
  const detail = { code: why.code, message: why.message, provenance: objectOf(one) };
  const waits = set === undefined ? {} : { set };
  return { ...holdAt(one.key, detail), ...waits, change: one.change, proof: one.proof };
}

/** The plan with these of its changes as holds; `isHeld` absent = all of them. */
export function holdChanges(
  plan: NamePlan,
  why: HoldCause,
  isHeld: (change: KeyChange) => boolean = () => true,
): NamePlan {
  const holds = plan.changes.filter(isHeld).map((one) => holdChange(one, why));
  const changes = plan.changes.filter((one) => !isHeld(one));
  return { ...plan, changes, holds: [...plan.holds, ...holds] };
}
