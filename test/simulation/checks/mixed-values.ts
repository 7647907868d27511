/** S7 where a call writes one value (AliDNS): what a record set may show in its update. */
import type { Change } from "../../../src/plan/changes.ts";

/**
 * Whether the values stand between those of before and after: what both have is there, each value
 * that came has taken the place of one that goes, and only when all have come do further ones go.
 */
export function isBetween(change: Change, values: readonly string[]): boolean {
  const before = change.op === "create" ? [] : change.previous.values;
  const after = change.op === "remove" ? [] : change.next.values;
  const isThere = (value: string): boolean => values.includes(value);
  const going = before.filter((value) => !after.includes(value));
  const coming = after.filter((value) => !before.includes(value));
  if (!before.every((value) => going.includes(value) || isThere(value))) return false;
  if (!values.every((value) => before.includes(value) || after.includes(value))) return false;
  const came = coming.filter(isThere).length;
  const left = going.filter(isThere).length;
  const leftMost = Math.max(0, going.length - came);
  return came === coming.length ? left <= leftMost : left === leftMost;
}
