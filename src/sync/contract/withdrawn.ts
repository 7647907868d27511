/** Contributions that want nothing in a zone any more. Pure. */
import type { Contribution } from "./contribution.ts";

/** True when the object is being deleted, or its names moved to another zone (Z-18). */
export function isWithdrawn({ deleting, movedTo }: Contribution): boolean {
  return deleting || movedTo !== undefined;
}

/** The reason of names whose records go to another set of controllers. */
export const HANDING_OVER = "HandingOver";

/** True when another set of controllers has taken the object (ADR 0077). */
export function isHandedOver({ found }: Contribution): boolean {
  return found.waiting.some(({ reason }) => reason === HANDING_OVER);
}
