/**
 * Rules that ConfigMap and Secret share: keys, sizes and `immutable`. Pure; values are never shown.
 */
import { forbidden, wrong } from "../errors/field-errors.ts";
import { equalJson, objectAt, valueAt } from "../json/json.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import type { Rule } from "./rules.ts";

/** Bytes of all values together (core/validation `MaxSecretSize`, the same for ConfigMaps). */
const BYTES_MAX = 1024 * 1024;
/** What a key may be made of (apimachinery `IsConfigMapKey`). */
const KEY = /^(?!\.$|\.\.)[-._a-zA-Z0-9]{1,253}$/;
const KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const ENCODER = new TextEncoder();

/** The keys of a map of values. */
export const dataKeys =
  (field: string): Rule =>
  (object) =>
    Object.keys(objectAt(object, field))
      .filter((key) => !KEY.test(key))
      .map((key) => wrong(`${field}[${key}]`, key, KEY_TEXT));

/** Values are not too large together; the error, which shows none of them, is of `field`. */
export const limitedData =
  (field: string): Rule =>
  (object) => {
    const isText = object.kind === "ConfigMap";
    const texts = isText ? Object.values(objectAt(object, "data")) : [];
    const encoded = Object.values(objectAt(object, isText ? "binaryData" : "data"));
    let bytes = 0;
    for (const text of texts) bytes += ENCODER.encode(String(text)).length;
    for (const text of encoded) bytes += String(text).length * 0.75;
    const detail = `may not be more than ${BYTES_MAX} bytes`;
    return bytes > BYTES_MAX ? [{ field, reason: "FieldValueTooLong", detail }] : [];
  };

/** With `immutable: true` these maps, and that field itself, stay as they are. */
export const frozen =
  (...fields: readonly string[]): Rule =>
  (object, previous) => {
    if (valueAt(previous, "immutable") !== true) return [];
    return ["immutable", ...fields]
      .filter((field) => !equalJson(shown(object, field), shown(previous, field)))
      .map((field) => forbidden(field, "field is immutable when `immutable` is set"));
  };

/** An absent map is an empty one. */
const shown = (object: StoredObject | null, field: string): unknown =>
  field === "immutable" ? valueAt(object, field) : objectAt(object, field);
