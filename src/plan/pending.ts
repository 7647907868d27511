/**
 * Markers in the middle of a sequence (Z-10). Where one call cannot write marker and data, the
 * marker has `state=pending` until its data exists, and its `data` label names the data it covers.
 * Labels only; ownership/ makes the hashes.
 */
import type { Marker } from "./changes.ts";

type Labels = Marker["labels"];

/**
 * Milliseconds for which a call whose answer was lost, or another writer's, may still take effect,
 * and a server may show what was before it; a guess on the safe side.
 */
export const LATE_CALL_MS = 60_000;

/** Labels that come and go with a sequence; a final marker has neither of them. */
const SEQUENCE_LABELS: ReadonlySet<string> = new Set(["data", "state"]);

/**
 * True for every state but the final one, also for those of later versions. A pending marker covers
 * its listed data only.
 */
export function isPending(labels: Labels): boolean {
  return labels["state"] !== undefined;
}

/** True for a marker that waits for the first data of its record (ownership/txt/pending.ts). */
export function isPendingCreate(labels: Labels): boolean {
  return isPending(labels) && labels["data"]?.startsWith("+") === true;
}

/** True when the marker has a label of a sequence. */
export function hasSequence(labels: Labels): boolean {
  for (const label of SEQUENCE_LABELS) if (labels[label] !== undefined) return true;
  return false;
}

/** The labels without those of a sequence: equal before, during and after the sequence. */
export function withoutSequence(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !SEQUENCE_LABELS.has(key)));
}
