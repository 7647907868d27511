/** Short ways to write field errors of definitions. */
import type { FieldError } from "./api-error.ts";

/** Something that has to be there is not. */
export const required = (field: string, detail: string): FieldError => ({
  field,
  reason: "FieldValueRequired",
  detail,
});

/** Something that must not be there is. */
export const forbidden = (field: string, detail: string): FieldError => ({
  field,
  reason: "FieldValueForbidden",
  detail,
});

/** A wrong value. */
export const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  reason: "FieldValueInvalid",
  value,
  detail,
});

/** A value that is none of those that are supported. */
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
