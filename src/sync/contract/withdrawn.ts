/** Contributions that want nothing in a zone any more. Pure. */
import type { Contribution } from "./contribution.ts";

/** True when the object is being deleted, or its names moved to another zone (Z-18). */
export function isWithdrawn({ deleting, movedTo }: Contribution): boolean {
  return deleting || movedTo !== undefined;
}
