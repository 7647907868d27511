/** What `approve` and `restore` answer for a hash that no held set has (Z-16). Pure. */
import type { HeldSetStatus } from "../../sync/contract/zone-status.ts";

/** `command`: what is to be done with the set. */
export function noSuchSet(
  command: "approve" | "restore",
  hash: string,
  sets: readonly HeldSetStatus[],
): string {
  const grown = sets.find(({ formerHashes = [] }) => formerHashes.includes(hash));
  if (grown !== undefined)
    return `the set ${hash} has other changes meanwhile and is ${grown.hash} now (${grown.changes} changes); read it with zonekeeper plan, then: zonekeeper ${command} ${grown.hash}`;
  const now = sets.map((set) => `${set.hash} (${set.changes} changes)`).join(", ");
  return `no zone holds a set ${hash}; zonekeeper plan shows what is held and its hash${now === "" ? "" : `, now ${now}: a hash changes while its set grows`}`;
}
