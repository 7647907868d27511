/**
 * Reading and comparing plain JSON values without casts. Knows nothing of Kubernetes.
 * Results are built with spreads and `Object.fromEntries` only, which cannot set a prototype.
 */

/** A JSON object whose fields are not known yet. */
export interface JsonObject {
  readonly [key: string]: unknown;
}

/** Objects and lists in one another, in request bodies and in what patches make of them. */
export const DEPTH_MAX = 300;

/** True for objects that are neither null nor arrays. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The value at a path of keys; undefined where a step is no object. Own properties only.
 */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let here: unknown = value;
  for (const key of path) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here;
}

/** The object at a path; an empty one when there is none. */
export function objectAt(value: unknown, ...path: readonly string[]): JsonObject {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : {};
}

/** The text at a path; the empty string when there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : "";
}

/** The list at a path; an empty one when there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Deep equality of JSON values; the order of keys does not count, `undefined` counts as absent. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => equalJson(a[key], b[key]));
}

/**
 * True when objects and lists nest more than `max` deep. Does not recurse: the
 * value may be hostile.
 */
export function isDeeperThan(value: unknown, max: number): boolean {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: here, depth } = next;
    if (typeof here !== "object" || here === null) continue;
    if (depth > max) return true;
    for (const child of Object.values(here))
      if (typeof child === "object") waiting.push({ value: child, depth: depth + 1 });
  }
  return false;
}

/**
 * True when the value holds a number that JSON cannot express: `1e400` and the `.inf` of YAML would
 * be null when they are kept.
 */
export function hasEndlessNumber(value: unknown): boolean {
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "number" && !Number.isFinite(next)) return true;
    if (typeof next !== "object" || next === null) continue;
    for (const child of Object.values(next))
      if (typeof child === "number" || typeof child === "object") waiting.push(child ?? 0);
  }
  return false;
}

/** A copy without the fields named; the same object when it has none of them. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  if (!keys.some((key) => Object.hasOwn(object, key))) return object;
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** A copy without fields whose value is `undefined`. */
export function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
