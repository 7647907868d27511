/**
 * How the markers of a key are removed (Z-10): after its data, and not while values that we wrote
 * may be left. A pending marker names the data of an unfinished write (pending.ts).
 */
import type { RecordSet } from "../../model/record-set.ts";
import type { Change, KeyChange } from "../../plan/changes.ts";
import { isPending, withoutSequence } from "../../plan/pending.ts";
import { type PresentSets, setAt } from "../../plan/preconditions.ts";
import type { Blocker } from "../../plan/rules.ts";
import { encodeMarker } from "./encode-marker.ts";
import type { FoldOptions, MarkerEntry } from "./fold-markers.ts";
import type { MarkerLabels } from "./marker-value.ts";
import { isPendingRemoval, mayLabelPart, pendingLabels } from "./pending.ts";

/** A key that is not to be marked any more. */
export interface RemovalTask {
  readonly change: KeyChange;
  readonly present: PresentSets;
}

/** How markers and data are written. */
export interface RemovalOptions extends FoldOptions {
  /** Marker and data go in one call. */
  readonly atomic: boolean;
  /** A call writes one value. */
  readonly byValue?: boolean;
}

/** Writes as in `MarkerDraft`. */
export interface RemovalDraft {
  readonly before: readonly Change[];
  readonly maybeLate?: boolean;
  readonly writes: readonly Change[];
  readonly preconditions: readonly [];
}

/** The change that removes this record set. */
export function removal(previous: RecordSet): Change {
  return { op: "remove", previous };
}

/**
 * Markers are removed after their data. Where that is a call of its own, the first marker is made
 * pending before, so that it gives no right over data that others may put there meanwhile; where
 * the text does not fit, it stays as it is until it is removed.
 */
export function draftRemoval(
  task: RemovalTask,
  going: readonly MarkerEntry[],
  options: RemovalOptions,
): RemovalDraft | Blocker {
  const removals = going.map(({ record }) => removal(record));
  const plain: RemovalDraft = { before: [], writes: removals, preconditions: [] };
  const [first] = going;
  if (options.atomic || first === undefined) return plain;
  const data = setAt(task.change.key, task.present);
  if (options.byValue === true && task.change.change === null && data !== undefined)
    if (mayLabelPart(first.labels, data)) return partLeft(data, first.record);
  const value = removalText(task.change, first, options);
  if (value === null || value === first.value) return plain;
  const next = { ...first.record, values: [value] };
  return {
    ...plain,
    before: [{ op: "replace", previous: first.record, next } as const],
    maybeLate: isPending(first.labels) && data === undefined,
    writes: [removal(next), ...removals.slice(1)],
  };
}

/** Why the marker stays: values of ours may be left, which nobody would own without it (Z-10). */
function partLeft({ name, type }: RecordSet, marker: RecordSet): Blocker {
  return {
    code: "ForeignValue",
    message: `a write of ${type} ${name} was cut off, and the record has other values now: delete those that are of somebody else, or all that is left; to give the rest up, delete the marker at ${marker.name}`,
  };
}

/** The pending text; null = the marker has it already and the data is gone, or it does not fit. */
function removalText(
  { change, key }: KeyChange,
  found: MarkerEntry,
  options: RemovalOptions,
): string | null {
  const present = change?.op === "remove" ? change.previous : null;
  if (present === null && isPendingRemoval(found.labels)) return null;
  const kept = withoutSequence(found.labels);
  const step = { present, next: null };
  const textOf = (labels: MarkerLabels, byValue: boolean): string | null => {
    const text = { ...labels, ...pendingLabels(step, found.labels, byValue) };
    return encodeMarker({ labels: text, key, markerName: found.record.name, found }, options);
  };
  // The values are in `data` then.
  const { values: _, ...short } = kept;
  const { cluster: __, ...shortest } = short;
  const named = options.byValue === true ? (textOf(short, true) ?? textOf(shortest, true)) : null;
  return named ?? textOf(kept, false);
}
