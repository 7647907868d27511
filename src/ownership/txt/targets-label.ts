/**
 * The label `targets` in the marker of a part, which is what one cluster has of a merged record set
 * (ADR 0118): the values of that cluster, joined by `;`, or where they do not fit, `~` and their
 * hashes. Pure.
 */
import type { RecordSet } from "../../model/record-set.ts";
import { valueHashes, valuesBeyond } from "../data-hash.ts";

const HASHED = "~";

/** The texts that it may have, the longest first. */
export function targetsTexts(set: Pick<RecordSet, "type" | "values">): readonly string[] {
  return [set.values.join(";"), HASHED + valueHashes(set)];
}

/** True when the label names the value, which is of a record set of this type. */
export function namesValue(targets: string, type: string, value: string): boolean {
  if (!targets.startsWith(HASHED)) return targets.split(";").includes(value);
  return valuesBeyond({ type, values: [value] }, targets.slice(1)).length === 0;
}
