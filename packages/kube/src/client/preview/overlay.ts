/** What a preview would have written to one object, over what the cluster has. Pure. */
import type { KubeObject, ObjectMeta } from "../../objects/kubernetes.ts";
import { type Fields, isFields } from "../../objects/object-fields.ts";

/** One object. */
export interface Overlay {
  /** As the cluster has it; null = it was made by the preview. */
  readonly base: KubeObject | null;
  /** All writes so far as one merge patch. */
  readonly patch: Fields;
  /** Base and patch together; null = the preview has removed it. */
  readonly shown: KubeObject | null;
}

/** RFC 7396. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const result: Record<string, unknown> = isFields(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

/** The object after a patch; what the API server alone may write stays. */
export function patched(object: KubeObject, patch: Fields): KubeObject {
  const merged = mergePatch(object, patch);
  const fields = isFields(merged) ? merged : {};
  const { apiVersion, kind } = object;
  const changed = isFields(fields["metadata"]) ? fields["metadata"] : {};
  const metadata = { ...object.metadata, ...changed, ...fixedOf(object.metadata) };
  return { ...fields, apiVersion, kind, metadata };
}

function fixedOf({ name, uid, resourceVersion }: ObjectMeta): Partial<ObjectMeta> {
  return {
    name,
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

/** Two patches as one: nulls are kept, for they remove fields of the base. */
export function joinPatches(first: Fields, second: Fields): Fields {
  const joined: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = joined[key];
    joined[key] = isFields(before) && isFields(value) ? joinPatches(before, value) : value;
  }
  return joined;
}

/** A deletion is over when no finalizer holds the object. */
export function isGone({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;
}
