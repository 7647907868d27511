/**
 * Whether a DNSEntry is for another process of the class, which serves other types of DNSProviders.
 * `status.providerType` says whose it is, as in Gardener's manager. Pure.
 */
import type { EntryContext } from "./entry-context.ts";

/** True = that process writes its status and its finalizer, and publishes it. */
export function isOfOtherType(context: EntryContext): boolean {
  const { entry, selection, statusProvider, providerTypes } = context;
  if (providerTypes === null) return false;
  // clause: status-names-other-type
  if (statusProvider === "other-type") return true;
  // clause: served-entry-is-of-this-type
  if (HAS_ZONE.has(selection.kind)) return false;
  const { providerType } = entry.status;
  if (providerType !== null)
    return /* clause: missing-provider-keeps-entry */ !providerTypes.has(providerType);
  return /* clause: unserved-name-is-of-others */ isForOthersToTell(context);
}

const HAS_ZONE: ReadonlySet<string> = new Set(["zone", "throttled", "full"]);

/**
 * Every process says the same of a mistake, and releases an entry that was never published. A
 * DNSProvider of ours that is not valid has to be told by us.
 */
function isForOthersToTell({ entry, found, selection }: EntryContext): boolean {
  if (
    entry.deletingSinceMs !== null ||
    /* clause: each-process-reports-mistakes */ found.items.length === 0
  )
    return false;
  return /* clause: invalid-provider-is-reported */ selection.kind !== "invalid";
}
