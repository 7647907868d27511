/**
 * Markers in the middle of a sequence (Z-10): where marker and data cannot go in one call, the
 * marker says so with `state=pending` until its data stands, and its `data` label says over which
 * data it gives rights. Labels only; what the hashes are made of is ownership's part.
 */
import type { Marker } from "./changes.ts";

type Labels = Marker["labels"];

/** Labels that come and go with a sequence; a final marker has neither of them. */
const SEQUENCE_LABELS: ReadonlySet<string> = new Set(["data", "state"]);

/**
 * True for every state but the final one, also for those of later versions: rights are for listed
 * data only.
 */
export function isPending(labels: Labels): boolean {
  return labels["state"] !== undefined;
}

/** True when the labels say anything about a sequence, be it begun or not. */
export function hasSequence(labels: Labels): boolean {
  for (const label of SEQUENCE_LABELS) if (labels[label] !== undefined) return true;
  return false;
}

/** The labels as they are before and after a sequence; a marker is the same claim all along. */
export function withoutSequence(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !SEQUENCE_LABELS.has(key)));
}
