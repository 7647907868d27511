/** Under which owner id an entry is published, for the counts of DNSOwners (ADR 0050). Pure. */
import { withOwner } from "../../controllers/zone-choice/provider-facts.ts";
import type { EntryContext } from "./entry-context.ts";

/** Under which owner id an entry is published, or would be while the id is on. */
export interface EntryUse {
  readonly ownerId: string;
  /** Of its DNSProvider; empty = none serves it. */
  readonly providerType: string;
}

/** Counts the entries of owner ids. */
export interface OwnerUses {
  /**
   * Under which owner id an entry (`namespace/name`) is published; null = the installation's, or
   * none.
   */
  entryUses(entry: string, use: EntryUse | null): void;
}

/**
 * Null = that of the installation. An entry with a mistake is counted where it was published last.
 */
export function ownerUseOf({
  entry,
  found,
  selection,
  assignments,
}: EntryContext): EntryUse | null {
  if (!entry.isOfClass) return null;
  const published = assignments.flatMap(({ contribution }) => contribution.found.items);
  const [item] = found.items;
  const isServed = item !== undefined && selection.kind === "zone";
  const used = isServed ? withOwner(item, selection.provider) : (published[0] ?? item);
  if (used === undefined || used.owner === null) return null;
  const type = isServed ? selection.provider.type : entry.status.providerType;
  return { ownerId: used.owner, providerType: type ?? "" };
}
