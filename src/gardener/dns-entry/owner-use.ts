/** Under which owner id an entry is published, for the counts of entries (ADR 0050). Pure. */
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ProviderDirectory } from "../../controllers/zone-choice/provider-directory.ts";
import type { EntryStatus } from "./entry.ts";
import type { EntryContext } from "./entry-context.ts";

/** How one entry is counted; a field that is not known is empty. */
export interface EntryUse {
  /**
   * Owner id under which it is published, or would be if a DNSOwner switched the id on; null = that
   * of --owner.
   */
  readonly owner: string | null;
  /** Provider type of its status; the fields below are of the status, too. */
  readonly type: string;
  /** `namespace/name`. */
  readonly provider: string;
  /** Id of the zone. */
  readonly zone: string;
  readonly state: string;
}

/** Counts entries. */
export interface OwnerUses {
  /** How an entry (`namespace/name`) is counted; null = not at all (any more). */
  entryUses(entry: string, use: EntryUse | null): void;
}

/**
 * An entry with a mistake is counted where it was published last. `status` = the one that it has,
 * or is about to get.
 */
export function ownerUseOf(
  { entry, found, selection, assignments }: EntryContext,
  status: EntryStatus,
  directory: Pick<ProviderDirectory, "ownerIdOf">,
): EntryUse | null {
  if (!entry.isOfClass) return null;
  const published = assignments.flatMap(({ contribution }) => contribution.found.items);
  const item = found.items[0] ?? published[0];
  const named = item === undefined ? textOf(fieldsOf(entry.object["spec"])["ownerId"]) : item.owner;
  const { providerType, provider, zone, state } = status;
  const shown = { type: providerType ?? "", provider: provider ?? "", zone: zone ?? "", state };
  const inherited =
    selection.kind === "zone" ? selection.provider.ownerId : directory.ownerIdOf(shown.provider);
  return { owner: named ?? inherited, ...shown };
}
