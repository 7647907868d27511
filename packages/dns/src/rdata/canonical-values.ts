/** The values of a record set in the one order in which they are kept and compared. */
import { compareText } from "@zonekeeper/base/compare-text";

/** Sorted copy without duplicates. */
export function canonicalValues(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort(compareText);
}
