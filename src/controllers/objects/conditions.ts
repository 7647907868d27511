/**
 * Makes the list `status.conditions` of an object (Kubernetes API conventions, "Typical status
 * properties"). A condition whose status stays keeps its `lastTransitionTime`, and conditions of
 * other types, which others wrote, stay. Pure.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { timeText } from "@zonekeeper/base/time-text";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";

/** Types that this program writes; every other one is somebody else's. */
export type ConditionType = "Ready" | "Progressing" | "Stalled" | "Live";

/** A condition, as decided. */
export interface ConditionSpec {
  readonly type: ConditionType;
  readonly status: "True" | "False" | "Unknown";
  /** A code of docs/reference/errors.md. */
  readonly reason: string;
  /** For people; may be empty. */
  readonly message: string;
}

/** Everything that the list is made from. */
export interface ConditionsInput {
  /** `status.conditions` as it is stored; undefined when there is none. */
  readonly current: unknown;
  /** All conditions of our types; one of them that is missing here is removed. */
  readonly wanted: readonly ConditionSpec[];
  /** `metadata.generation` that they are about. */
  readonly generation: number;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

const OWN_TYPES: ReadonlySet<unknown> = new Set(["Ready", "Progressing", "Stalled", "Live"]);

/** Sorted by type. `lastTransitionTime` is of the last change of `status`, nothing else. */
export function conditionsOf(input: ConditionsInput): readonly Fields[] {
  const { current, wanted, generation, nowMs } = input;
  const stored = Array.isArray(current) ? current.map(fieldsOf) : [];
  const others = stored.filter(({ type }) => textOf(type) !== null && !OWN_TYPES.has(type));
  const written = wanted.map((spec) => {
    const before = stored.find(({ type }) => type === spec.type);
    const since = before?.["status"] === spec.status ? textOf(before["lastTransitionTime"]) : null;
    const lastTransitionTime = since ?? timeText(nowMs);
    return { ...spec, observedGeneration: generation, lastTransitionTime };
  });
  return [...others, ...written].sort((a, b) => compareText(String(a.type), String(b.type)));
}

/** The stored condition of a type; null = none. */
export function conditionIn(status: Fields, type: ConditionType): Fields | null {
  const { conditions } = status;
  if (!Array.isArray(conditions)) return null;
  const found: unknown = conditions.find((one) => fieldsOf(one)["type"] === type);
  return found === undefined ? null : fieldsOf(found);
}
