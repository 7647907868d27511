/**
 * Over which data a pending marker gives rights (Z-10): a marker in the middle of a sequence of
 * writes. Its `data` label is `<present>+<next>`: hashes of the data before the write and after it;
 * a side is empty where there is no record.
 *
 *   create  data=+h1        no record yet, h1 is being made
 *   update  data=h1+h2      h1 exists, h2 is to replace it
 *   remove  data=h1+        h1 exists and is being removed
 *   again   data=h1.h2+h3   h2 was begun before; it may still arrive, or exist already
 *
 * `again` follows a lost answer, or a write of somebody else.
 *
 * Where a call writes one value, a side names each value by a shorter hash, if they have room. Any
 * part of them is ours then, for a write that was cut off leaves one:
 *
 *   update  data=v1.v2+v3.v4   v1 and v2 exist; v3 and v4 take their places one by one
 *
 * The texts of create and remove differ, so that a removal of the marker that arrives late never
 * meets the marker of a later create. external-dns keeps labels that it does not know when it
 * reads, as long as their values have no `=`, and still finds `owner` (external-dns
 * `endpoint/labels.go`, NewLabelsFromStringPlain); it drops them when it rewrites the marker
 * itself.
 */
import type { RecordSet } from "../../model/record-set.ts";
import { isPending } from "../../plan/pending.ts";
import { dataHash } from "../data-hash.ts";
import type { MarkerLabels } from "./marker-value.ts";

/** The data before a write and after it; null = no record. */
export interface DataStep {
  readonly present: RecordSet | null;
  readonly next: RecordSet | null;
}

/** True when the marker gives rights over this data: over any data, once the marker is final. */
export function givesRights(labels: MarkerLabels, set: RecordSet): boolean {
  if (!isPending(labels)) return true;
  const hashes = new Set(hashesIn(labels));
  if (hashes.has(dataHash(set))) return true;
  const each = partHashes(set);
  return each.length > 0 && each.every((hash) => hashes.has(hash));
}

/**
 * True for data that the marker gives no rights over as a whole, but of which some values may be
 * ours: the label names one of them, or it is a removal that names only whole record sets.
 */
export function mayLabelPart(labels: MarkerLabels, set: RecordSet): boolean {
  if (givesRights(labels, set)) return false;
  const hashes = hashesIn(labels);
  const isNamed = partHashes(set).some((hash) => hashes.includes(hash));
  return isNamed || (isPendingRemoval(labels) && hashes.some((hash) => hash.length > PART_DIGITS));
}

/** Hashes of earlier data writes that a marker keeps; by value there are more of them. */
const EARLIER_MAX = 2;
const EARLIER_VALUES_MAX = 8;

/**
 * The labels that a marker carries during a data write. `found` = the labels of the marker that is
 * rewritten: what it gave rights to may still arrive. `byValue` = each value is named.
 */
export function pendingLabels(
  { present, next }: DataStep,
  found: MarkerLabels,
  byValue: boolean,
): MarkerLabels {
  const hashesOf = (set: RecordSet | null): readonly string[] => {
    if (set === null) return [];
    return byValue ? partHashes(set) : [dataHash(set)];
  };
  const [before, after] = [hashesOf(present), hashesOf(next)];
  const earlier = hashesIn(found).filter((hash) => !before.includes(hash) && !after.includes(hash));
  // Values that stay are named only after the `+`, but a side with data is never empty.
  const going = before.filter((hash) => !after.includes(hash));
  const first = going.length > 0 ? going : before.slice(0, 1);
  const kept = earlier.slice(byValue ? -EARLIER_VALUES_MAX : -EARLIER_MAX);
  const all = [...first, ...kept];
  // Sorted, so that a removal that is continued gives the same text.
  return { state: "pending", data: `${(byValue ? all.sort() : all).join(".")}+${after.join(".")}` };
}

/** True for a marker that only waits for its removal: it labels no data any more. */
export function isPendingRemoval(labels: MarkerLabels): boolean {
  return isPending(labels) && labels["data"]?.endsWith("+") === true;
}

function hashesIn(labels: MarkerLabels): readonly string[] {
  return (labels["data"] ?? "").split(/[.+]/).filter((hash) => hash !== "");
}

/** Hexadecimal digits of the hash of one value; that of a whole record set has more. */
const PART_DIGITS = 6;

/** Hashes of the values, each as a record set of its own; in order. */
function partHashes(set: RecordSet): readonly string[] {
  const hashOf = (value: string) => dataHash({ ...set, values: [value] }).slice(0, PART_DIGITS);
  return [...new Set(set.values.map(hashOf))].sort();
}
