/**
 * Rules that ConfigMap and Secret share: keys, sizes and `immutable`. Pure; values are never shown.
 */
import type { FieldError } from "../errors/api-error.ts";

/** What a key may be made of (apimachinery `IsConfigMapKey`). */
const KEY = /^[-._a-zA-Z0-9]+$/;
/** Characters of a key at most. */
const KEY_MAX = 253;
const ENCODER = new TextEncoder();

/** Field errors of one key of `field`; empty = valid. */
export function checkDataKey(field: string, key: string): readonly FieldError[] {
  const wrong = (detail: string): readonly FieldError[] => [
    { field: `${field}[${key}]`, reason: "FieldValueInvalid", value: key, detail },
  ];
  if (key.length > KEY_MAX) return wrong(`must be no more than ${KEY_MAX} characters`);
  if (key === ".") return wrong("must not be '.'");
  if (key.startsWith("..")) return wrong("must not start with '..'");
  if (KEY.test(key)) return [];
  return wrong(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  );
}

/** Bytes of text as UTF-8. */
export function byteLength(text: string): number {
  return ENCODER.encode(text).length;
}

/** A field that `immutable: true` keeps as it is. */
export function frozenField(field: string): FieldError {
  return {
    field,
    reason: "FieldValueForbidden",
    detail: "field is immutable when `immutable` is set",
  };
}
