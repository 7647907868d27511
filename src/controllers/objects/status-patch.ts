/**
 * Status patches with the changed fields only: a patch without a change would be an event for every
 * watcher, ourselves included. Pure.
 */
import type { Fields } from "../../model/object-fields.ts";

/**
 * A merge patch (RFC 7396) from `current` to `wanted`, null when they agree. A null in `wanted`
 * removes the field. `lastUpdateTime` is stamped only when something else changes.
 */
export function statusPatch(current: Fields, wanted: Fields, nowMs: number): Fields | null {
  const changed = Object.entries(wanted).filter(
    ([key, value]) => canonical(current[key]) !== canonical(value),
  );
  if (changed.length === 0) return null;
  const lastUpdateTime = timestampOf(nowMs);
  return { status: { ...Object.fromEntries(changed), lastUpdateTime } };
}

/** RFC 3339 in UTC with second precision, as Kubernetes writes times. */
export function timestampOf(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Text that is equal for equal values; absent and null are the same. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
