/** core/v1 ConfigMap: settings as text or bytes. */
import { CONFIG_MAP } from "../../../model/kinds.ts";
import type { FieldError } from "../errors/api-error.ts";
import { equalJson, objectAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import { boolean, map, object, text } from "../schema/schema.ts";
import { byteLength, checkDataKey, frozenField } from "./data-rules.ts";

/**
 * Bytes of all values together (Kubernetes core/validation `MaxSecretSize`, the same for
 * ConfigMaps).
 */
const CONFIG_MAP_BYTES_MAX = 1024 * 1024;

/** Settings; columns as `printConfigMap` of kubernetes pkg/printers/internalversion. */
export const CONFIG_MAP_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: CONFIG_MAP,
  singular: "configmap",
  shortNames: ["cm"],
  schema: object("Settings that are no secret.", {
    immutable: boolean("True = data can no longer be changed."),
    data: map("Values as text.", text("A value.")),
    binaryData: map("Values as bytes, base64.", text("A value in base64.", { format: "byte" })),
  }),
  columns: [NAME_COLUMN, column("Data", valueCount), AGE_COLUMN],
  check: (map, previous) =>
    previous === null ? checkData(map) : [...checkData(map), ...checkChange(map, previous)],
};

function valueCount(map: StoredObject): number {
  return (
    Object.keys(objectAt(map, "data")).length + Object.keys(objectAt(map, "binaryData")).length
  );
}

/** Keys, keys in both maps, and the size of all values (core/validation `ValidateConfigMap`). */
function checkData(map: StoredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const data = objectAt(map, "data");
  let bytes = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...checkDataKey("data", key));
    if (Object.hasOwn(objectAt(map, "binaryData"), key))
      errors.push({
        field: `data[${key}]`,
        reason: "FieldValueInvalid",
        value: key,
        detail: "duplicate of key present in binaryData",
      });
    bytes += byteLength(String(value));
  }
  for (const [key, value] of Object.entries(objectAt(map, "binaryData"))) {
    errors.push(...checkDataKey("binaryData", key));
    bytes += String(value).length * 0.75;
  }
  if (bytes > CONFIG_MAP_BYTES_MAX)
    errors.push({
      field: "[]",
      reason: "FieldValueTooLong",
      value: "",
      detail: `may not be more than ${CONFIG_MAP_BYTES_MAX} bytes`,
    });
  return errors;
}

/** An immutable ConfigMap changes its metadata only, and stays immutable. */
function checkChange(map: StoredObject, previous: StoredObject): readonly FieldError[] {
  if (valueAt(previous, "immutable") !== true) return [];
  const errors: FieldError[] = [];
  if (valueAt(map, "immutable") !== true) errors.push(frozenField("immutable"));
  for (const field of ["data", "binaryData"])
    if (!equalJson(objectAt(map, field), objectAt(previous, field)))
      errors.push(frozenField(field));
  return errors;
}
