/** Typed access to parsed JSON and YAML without casts, for all data from servers and files. */

/** A JSON object of unknown content. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** True for JSON objects; false for arrays and null. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one when it is something else. */
export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** The value as a list; an empty one when it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a string, else null. The empty string stays. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
