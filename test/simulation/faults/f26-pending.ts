/**
 * F26: a back end like OpenStack Designate, which takes one record set a call, compares no values,
 * and carries changes out later: PENDING, then ACTIVE or ERROR. Two owners and strangers race on
 * it as in F23.
 */
import { LIKE_DESIGNATE } from "../../support/memory-provider/behaviour.ts";
import { raceOn } from "./f23-races.ts";

/** Both owners act at once; then strangers, lost answers and crashes come between their calls. */
export const PENDING_CHANGES = raceOn(
  { ...LIKE_DESIGNATE, latencyMs: 40 },
  { id: "F26", title: "races where changes are PENDING and values are not compared" },
);
