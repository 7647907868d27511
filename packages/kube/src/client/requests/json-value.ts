/** Typed access to parsed JSON and YAML without casts, for all data from servers and files. */

/** The value as a list; an empty one when it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a string, else null. The empty string stays. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
