/** The patch that takes an entry's status to what was decided. Pure. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { type ConditionSpec, conditionsOf } from "../../controllers/objects/conditions.ts";
import { type StateCause, stateConditions } from "../../controllers/objects/state-conditions.ts";
import { type PatchOptions, statusPatch } from "../../controllers/objects/status-patch.ts";
import type { EntryStatus } from "./entry.ts";

/** The decision. */
export interface DecidedStatus {
  readonly status: EntryStatus;
  readonly cause: StateCause;
  /** The condition Live; null = nobody asks for it. */
  readonly live: ConditionSpec | null;
}

/** The merge patch, or null when the object shows it already. */
export function entryStatusPatch(
  object: KubeObject,
  { status, cause, live }: DecidedStatus,
  options: PatchOptions,
): Readonly<Record<string, unknown>> | null {
  const current = fieldsOf(object["status"]);
  const { state, message } = status;
  const conditions = conditionsOf({
    current: current["conditions"],
    wanted: [
      ...stateConditions({ state, message: message ?? "", ...cause }, current),
      ...(live === null ? [] : [live]),
    ],
    generation: status.observedGeneration ?? 0,
    nowMs: options.nowMs,
  });
  return statusPatch(current, { ...status, conditions }, options);
}
