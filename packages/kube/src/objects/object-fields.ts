/**
 * Reading fields of unknown shape: Kubernetes objects are parsed where they are read, never cast.
 * Nothing here knows a kind, and nothing throws: what has the wrong shape reads as absent.
 */
import type { KubeObject } from "./kubernetes.ts";

/** An object of unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for a JSON object; false for null, lists and scalars. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object of fields; an empty one when it is anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** A string that is not empty, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** A finite number, else null. */
export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The list, an empty one when the field is absent or null; null when it is something else. */
export function listOf(value: unknown): readonly unknown[] | null {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : null;
}

/**
 * A list of strings, empty when the field is absent; null when it is not a list or holds anything
 * else.
 */
export function textsOf(value: unknown): readonly string[] | null {
  const list = listOf(value);
  if (list === null) return null;
  return list.every((item): item is string => typeof item === "string") ? list : null;
}

/** What is at a path such as `spec.rules.host`: of a list, what each of its elements has there. */
export function valuesAt(object: unknown, path: string): readonly unknown[] {
  const [field = "", ...below] = path.split(".");
  const value = fieldsOf(object)[field];
  if (below.length === 0) return [value];
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((one) => valuesAt(one, below.join(".")));
}

/** `namespace/name`, as queues and logs name it; a cluster-scoped one has an empty namespace. */
export function namespacedName({ metadata: { namespace = "", name } }: KubeObject): string {
  return `${namespace}/${name}`;
}

/** Namespace and name of a `namespacedName`. */
export function splitName(key: string): readonly [namespace: string, name: string] {
  const slash = key.indexOf("/");
  return [key.slice(0, slash), key.slice(slash + 1)];
}

/** The API group of an `apiVersion`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/**
 * Unix milliseconds of the object's creation; `Number.MAX_SAFE_INTEGER` (last in conflicts) when it
 * has none.
 */
export function createdAtMs(object: KubeObject): number {
  const parsed = Date.parse(object.metadata.creationTimestamp ?? "");
  return Number.isNaN(parsed) ? Number.MAX_SAFE_INTEGER : parsed;
}

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
