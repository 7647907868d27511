/** Short ways to write field errors. */
import type { FieldError } from "./api-error.ts";

/** A value that is absent. */
export const missing = (field: string, detail = ""): FieldError => ({
  field,
  reason: "FieldValueRequired",
  detail,
});

/** A value that must be absent. */
export const forbidden = (field: string, detail: string): FieldError => ({
  field,
  reason: "FieldValueForbidden",
  detail,
});

/** A wrong value. */
export const wrong = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  reason: "FieldValueInvalid",
  value,
  detail,
});

/** A value that is none of `supported`. */
export const unsupported = (
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError => ({
  field,
  reason: "FieldValueNotSupported",
  value,
  detail: `supported values: ${supported.map((each) => JSON.stringify(each)).join(", ")}`,
});
