/** Merge patches, RFC 7396. */
import { isFields } from "./object-fields.ts";

/** The result of a merge patch: null removes, objects merge, everything else replaces. */
export function mergePatch(current: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const base = isFields(current) ? current : {};
  const kept = Object.entries(base).filter(([key]) => !Object.hasOwn(patch, key));
  const changed = Object.entries(patch)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => [key, mergePatch(base[key], value)] as const);
  return Object.fromEntries([...kept, ...changed]);
}
