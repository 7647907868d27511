/** What reading a zone's markers finds: keys, and the markers that label them. Types only. */
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
  /** True when the set holds something else besides: then it is never rewritten or removed. */
  readonly shared: boolean;
  /**
   * Type of another record at the name that has no marker, and that this marker may also label
   * (competing-marker.ts). Absent = there is no such record.
   */
  readonly competingType?: string;
}

/** One key with everything that was found about it. */
export interface FoldedKey extends RecordSetKey {
  readonly data: RecordSet | null;
  /** Best first: typed, alias twin, legacy. Empty = foreign. */
  readonly markers: readonly MarkerEntry[];
  /** True when the data shares its record set with a marker: nobody may write it. */
  readonly shared: boolean;
}
