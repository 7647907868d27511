/**
 * Whether a DNSEntry is for another process of the class, which serves other types of DNSProviders.
 * `status.providerType` says whose it is, as in Gardener's manager. Pure.
 */
import type { EntryContext } from "./entry-context.ts";

/** True = that process writes its status and its finalizer, and publishes it. */
export function isOfOtherType(context: EntryContext): boolean {
  const { entry, selection, statusProvider, providerTypes } = context;
  if (providerTypes === null) return false;
  if (statusProvider === "other-type") return true;
  if (HAS_ZONE.has(selection.kind)) return false;
  const { providerType } = entry.status;
  if (providerType !== null) return !providerTypes.has(providerType);
  return isForOthersToTell(context);
}

const HAS_ZONE: ReadonlySet<string> = new Set(["zone", "throttled", "full"]);

/**
 * Every process says the same of a mistake, and releases an entry that was never published. A
 * DNSProvider of ours that is not valid has to be told by us.
 */
function isForOthersToTell({ entry, found, selection }: EntryContext): boolean {
  if (entry.deletingSinceMs !== null || found.items.length === 0) return false;
  return selection.kind !== "invalid";
}
