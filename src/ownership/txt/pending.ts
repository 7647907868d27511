/**
 * Over which data a pending marker gives rights (Z-10). Its `data` label is `<present>+<next>`:
 * hashes of the data before the write and after it; a side is empty where there is no record.
 *
 *   create  data=+h1        no record yet, h1 is being made
 *   update  data=h1+h2      h1 exists, h2 is to replace it
 *   remove  data=h1+        h1 exists and is being removed
 *   again   data=h1.h2+h3   h2 was begun before; it may still arrive, or exist already
 *
 * `again` follows a lost answer, or a write of somebody else.
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

/** What a data write starts from and leads to; null = no record. */
export interface DataStep {
  readonly present: RecordSet | null;
  readonly next: RecordSet | null;
}

/** True when the marker gives rights over this data: over any data, once the marker is final. */
export function givesRights(labels: MarkerLabels, set: RecordSet): boolean {
  return !isPending(labels) || hashesIn(labels).includes(dataHash(set));
}

/** Hashes of earlier data writes that a marker keeps. */
const EARLIER_MAX = 2;

/**
 * The labels that a marker carries during a data write. `found` = the labels of the marker that is
 * rewritten: what it gave rights to may still arrive.
 */
export function pendingLabels({ present, next }: DataStep, found: MarkerLabels): MarkerLabels {
  const [before, after] = [present, next].map((set) => (set === null ? "" : dataHash(set)));
  const earlier = hashesIn(found).filter((hash) => hash !== before && hash !== after);
  const sides = [[before, ...earlier.slice(-EARLIER_MAX)], [after]];
  const data = sides.map((hashes) => hashes.filter((hash) => hash !== "").join("."));
  return { state: "pending", data: data.join("+") };
}

/** True for a marker that only waits for its removal: it labels no data any more. */
export function isPendingRemoval(labels: MarkerLabels): boolean {
  return isPending(labels) && labels["data"]?.endsWith("+") === true;
}

function hashesIn(labels: MarkerLabels): readonly string[] {
  return (labels["data"] ?? "").split(/[.+]/).filter((hash) => hash !== "");
}
