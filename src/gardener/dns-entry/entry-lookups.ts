/** What look-ups of an entry's host names have brought so far. Pure. */
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { EntryStatus } from "./entry.ts";
import type { EntryContext } from "./entry-context.ts";

/** With addresses in the place of host names. */
export function lookedUpItems(
  { lookedUp }: EntryContext,
  items: readonly DesiredRecordSet[],
): readonly DesiredRecordSet[] {
  return lookedUp?.items ?? items;
}

/** Its host names have no address yet, and no look-up has failed. */
export function isLookingUp({ found, lookedUp }: EntryContext): boolean {
  return lookedUp?.items.length === 0 && lookedUp.problems.length === found.problems.length;
}

/** What the status says of look-ups. */
export function lookupStatus([first]: readonly DesiredRecordSet[]): Partial<EntryStatus> {
  return { cnameLookupInterval: first?.lookup?.intervalSeconds ?? null };
}
