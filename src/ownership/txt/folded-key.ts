/** The result of fold-markers.ts: keys, and the markers that are for them. Types only. */
import type { RecordSet, RecordSetKey } from "../../model/record-set.ts";
import type { MarkerTrouble } from "../../plan/changes.ts";
import type { MarkerForm } from "./marker-codec.ts";
import type { MarkerLabels } from "./marker-value.ts";
import type { LabelledRecord } from "./name-template.ts";

/** One marker where it was found. */
export interface MarkerEntry {
  /** The record set, raw, as it was read. */
  readonly record: RecordSet;
  /** The value in it that is the marker. */
  readonly value: string;
  readonly labels: MarkerLabels;
  readonly form: MarkerForm;
  /** Why it gives no rights; its owner is empty then. Null = none. */
  readonly trouble: MarkerTrouble | null;
  /** Empty when the marker names none: it is not ours then. */
  readonly owner: string;
  /** The records that it may label, best candidate first. Never empty. */
  readonly labelled: readonly LabelledRecord[];
  /** True when its record set has other values, too: then it is never rewritten or removed. */
  readonly shared: boolean;
  /**
   * Type of another record at the name that has no marker, and that external-dns would read this
   * marker for, too. Absent = there is no such record.
   */
  readonly competingType?: string;
}

/** One key with everything that was found about it. */
export interface FoldedKey extends RecordSetKey {
  readonly data: RecordSet | null;
  /** Best first: of the data's type, of the old type of an alias, of no type. Empty = foreign. */
  readonly markers: readonly MarkerEntry[];
  /** True when the data shares its record set with a marker: nobody may write it. */
  readonly shared: boolean;
}
