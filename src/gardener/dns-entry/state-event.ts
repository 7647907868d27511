/**
 * Events of an entry: one when its state or message changes, none for `Pending`.
 */
import type { EventNote } from "@zonekeeper/kube/ports/cluster-writer";
import type { EntryState, EntryStatus } from "./entry.ts";

/** The Event of a change of state; null = no change, or only to `Pending`. */
export function stateEvent(
  before: EntryStatus,
  after: { readonly state: EntryState; readonly message: string },
): EventNote | null {
  if (after.state === "" || after.state === "Pending") return null;
  if (before.state === after.state && before.message === after.message) return null;
  const isFine = after.state === "Ready" || after.state === "Deleting";
  return {
    type: isFine ? "Normal" : "Warning",
    reason: `DNSEntry${after.state}`,
    message: after.message,
  };
}
