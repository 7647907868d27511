/** All fault classes. One line each. */
import { LATE_EVENTS } from "./f01-late-events.ts";
import { LOST_WATCHES } from "./f02-lost-watches.ts";
import { PARTIAL_LISTS } from "./f03-partial-lists.ts";
import { LOST_STATUS } from "./f04-lost-status.ts";
import { CRASHES } from "./f05-crashes.ts";
import { API_ERRORS } from "./f06-api-errors.ts";
import { LOST_ANSWERS } from "./f07-lost-answers.ts";
import { PARTIAL_BATCHES } from "./f08-partial-batches.ts";
import { STALE_READS } from "./f09-stale-reads.ts";
import { THROTTLING } from "./f10-throttling.ts";
import { NORMALISATION } from "./f11-normalisation.ts";
import { FOREIGN_WRITERS } from "./f12-foreign-writers.ts";
import { SECOND_INSTANCES } from "./f13-second-instances.ts";
import { CLOCK_JUMPS } from "./f14-clock-jumps.ts";
import { CREDENTIALS } from "./f15-credentials.ts";
import { ZONES_CHANGE } from "./f16-zones-change.ts";
import { RESOLVERS } from "./f17-resolvers.ts";
import { VERSIONS } from "./f18-versions.ts";
import { STORMS_OF_CHANGES } from "./f19-storms.ts";
import { HOSTILE_INPUT } from "./f20-hostile-input.ts";
import { RACES } from "./f23-races.ts";
import { SWITCHED_OWNERS } from "./f24-owners.ts";
import { LOST_ANNOTATIONS } from "./f25-annotations.ts";
import { PENDING_CHANGES } from "./f26-pending.ts";
import type { FaultClass } from "./fault-class.ts";

/**
 * By number. F21 and F22 have no place in these worlds: no disks or webhooks.
 */
export const FAULTS: readonly FaultClass[] = [
  LATE_EVENTS,
  LOST_WATCHES,
  PARTIAL_LISTS,
  LOST_STATUS,
  CRASHES,
  API_ERRORS,
  LOST_ANSWERS,
  PARTIAL_BATCHES,
  STALE_READS,
  THROTTLING,
  NORMALISATION,
  FOREIGN_WRITERS,
  SECOND_INSTANCES,
  CLOCK_JUMPS,
  CREDENTIALS,
  ZONES_CHANGE,
  RESOLVERS,
  VERSIONS,
  STORMS_OF_CHANGES,
  HOSTILE_INPUT,
  ...RACES,
  SWITCHED_OWNERS,
  LOST_ANNOTATIONS,
  PENDING_CHANGES,
];

/** The class with this id; throws for an unknown one. */
export function faultOf(id: string): FaultClass {
  const fault = FAULTS.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`there is no fault class ${id}`);
  return fault;
}
