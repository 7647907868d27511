/** Whether an object changed since this process first read it (Z-24). Pure. */
import { DNS_ENTRY, markerKindOf } from "../../model/kinds.ts";
import type { AbsenceEntry } from "./name-listings.ts";

const ENTRY_KIND = markerKindOf(DNS_ENTRY);

/**
 * It asks for something else than the first complete contribution of this process. A DNSEntry does
 * so by its spec alone: what its DNSProvider or a look-up adds is no intent of its author.
 */
export function isChanged(
  before: AbsenceEntry,
  { isComplete, print, generation }: Pick<AbsenceEntry, "isComplete" | "print" | "generation">,
): boolean {
  if (before.hasChanged || !before.isComplete || !isComplete) return before.hasChanged;
  const isSameSpec = before.object.kind === ENTRY_KIND && generation >>> 0 === before.generation;
  return before.print !== print && !isSameSpec;
}
