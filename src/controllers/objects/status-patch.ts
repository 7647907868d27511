/**
 * Makes the patch of a status, with the changed fields only. Where nothing changed there is none:
 * it would be an event for every watcher, ourselves included. Recognises the watch event of such a
 * write of our own, which needs no work. Pure.
 */
import { timeText } from "@zonekeeper/base/time-text";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { STATUS_ANNOTATION } from "../../model/annotation-keys.ts";
import { isSameJson } from "../../model/same-json.ts";

/** States what counts as a change. */
export interface ChangeOptions {
  /**
   * False = the definition of the kind drops `conditions`: that they are missing is no reason to
   * write.
   */
  readonly keepsConditions: boolean;
}

/** States what counts as a change, and the time that a patch carries. */
export interface PatchOptions extends ChangeOptions {
  /** Unix milliseconds; stamps `lastUpdateTime`. */
  readonly nowMs: number;
}

/**
 * A merge patch (RFC 7396) from `current` to `wanted`, null when they agree. A null in `wanted`
 * removes the field. `lastUpdateTime` is stamped only when something else changes.
 */
export function statusPatch(
  current: Fields,
  wanted: Fields,
  { nowMs, keepsConditions }: PatchOptions,
): Fields | null {
  const changed = changedFields(current, wanted, { keepsConditions });
  return changed === null ? null : { status: { ...changed, lastUpdateTime: timeText(nowMs) } };
}

/**
 * Fields of `wanted` that differ, null when none does; absent and null are the same. Conditions
 * alone are a change only if `keepsConditions`. They are in each other patch, so that its answer
 * shows whether the definition keeps them by now.
 */
export function changedFields(
  current: Fields,
  wanted: Fields,
  { keepsConditions }: ChangeOptions,
): Fields | null {
  const changed = Object.entries(wanted).filter(
    ([key, value]) => !isSameJson(current[key] ?? null, value ?? null),
  );
  if (!changed.some(([key]) => keepsConditions || key !== "conditions")) return null;
  return Object.fromEntries(changed);
}

/**
 * Whether the definition of one kind keeps `status.conditions`, as seen in answers to our writes:
 * the API server drops fields that the definition lacks, without an error.
 */
export class ConditionsSupport {
  #keepsConditions = true;

  /** True until an answer has shown otherwise. */
  get keepsConditions(): boolean {
    return this.#keepsConditions;
  }

  /** `written` is the object as the API answered the patch. */
  wrote(patch: Fields, written: Fields): void {
    if (fieldsOf(patch["status"])["conditions"] === undefined) return;
    this.#keepsConditions = fieldsOf(written["status"])["conditions"] !== undefined;
  }
}

/**
 * True = the event changes nothing but the fields in which outcomes are written: our status
 * annotation, and where `writesStatus` the status.
 */
export function isOutcomeOnly(change: ObjectChange, writesStatus: boolean): boolean {
  const { type, object, previous } = change;
  if (type !== "modified" || previous === undefined) return false;
  return isSameJson(withoutOutcome(previous, writesStatus), withoutOutcome(object, writesStatus));
}

function withoutOutcome(object: KubeObject, writesStatus: boolean): KubeObject {
  const { annotations = {}, ...metadata } = object.metadata;
  const { [STATUS_ANNOTATION]: _, ...others } = annotations;
  const left = { ...metadata, annotations: others, resourceVersion: "", managedFields: null };
  return { ...object, metadata: left, ...(writesStatus ? { status: null } : {}) };
}
