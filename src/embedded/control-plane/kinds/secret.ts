/** core/v1 Secret. Its values are never shown in an error, a log line or a Table. */
import { SECRET } from "../../../model/kinds.ts";
import type { FieldError } from "../errors/api-error.ts";
import { equalJson, objectAt, textAt, valueAt, without } from "../json/json.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import { boolean, map, object, text } from "../schema/schema.ts";
import { checkDataKey, frozenField } from "./data-rules.ts";

/** Bytes of all values together (Kubernetes MaxSecretSize). */
const SECRET_BYTES_MAX = 1024 * 1024;

/** Credentials. */
export const SECRET_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: SECRET,
  singular: "secret",
  schema: object("Small secret values, such as credentials of DNS providers.", {
    type: text("What the values are for; Opaque = no rule."),
    immutable: boolean("True = data can no longer be changed."),
    data: map("Values, base64.", text("A value in base64.", { format: "byte" })),
    stringData: map("Values as plain text; written over data, never shown.", text("A value.")),
  }),
  columns: [
    NAME_COLUMN,
    column("Type", (secret) => textAt(secret, "type")),
    column("Data", (secret) => Object.keys(objectAt(secret, "data")).length),
    AGE_COLUMN,
  ],
  selectable: { type: (secret) => textAt(secret, "type") },
  // stringData becomes data when a Secret is read (core/v1 Convert_v1_Secret_To_core_Secret).
  defaults: (secret) => {
    const added = Object.entries(objectAt(secret, "stringData")).map(([key, value]) => [
      key,
      toBase64(String(value)),
    ]);
    const data = { ...objectAt(secret, "data"), ...Object.fromEntries(added) };
    const { apiVersion, kind, metadata } = secret;
    const rest = without(secret, "stringData", "data");
    const kept = Object.keys(data).length > 0 ? { data } : {};
    const type = textAt(secret, "type") === "" ? "Opaque" : textAt(secret, "type");
    return { ...rest, apiVersion, kind, metadata, ...kept, type };
  },
  check: checkSecret,
};

/** Keys, size, and what must not change. Values are not shown. */
function checkSecret(secret: StoredObject, previous: StoredObject | null): readonly FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(objectAt(secret, "data"))) {
    errors.push(...checkDataKey("data", key));
    size += String(value).length * 0.75;
  }
  if (size > SECRET_BYTES_MAX)
    errors.push({
      field: "data",
      reason: "FieldValueTooLong",
      value: "<values omitted>",
      detail: `may not be more than ${SECRET_BYTES_MAX} bytes`,
    });
  errors.push(...checkTls(secret));
  return previous === null ? errors : [...errors, ...checkChange(secret, previous)];
}

/** A certificate without its key is of no use (core/validation ValidateSecret). */
function checkTls(secret: StoredObject): readonly FieldError[] {
  if (textAt(secret, "type") !== "kubernetes.io/tls") return [];
  return ["tls.crt", "tls.key"]
    .filter((key) => valueAt(secret, "data", key) === undefined)
    .map((key) => ({ field: `data[${key}]`, reason: "FieldValueRequired", detail: "" }));
}

/** The type never changes; an immutable Secret changes its metadata only. */
function checkChange(secret: StoredObject, previous: StoredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = textAt(secret, "type");
  if (type !== textAt(previous, "type"))
    errors.push({
      field: "type",
      reason: "FieldValueInvalid",
      value: type,
      detail: "field is immutable",
    });
  if (valueAt(previous, "immutable") !== true) return errors;
  if (valueAt(secret, "immutable") !== true) errors.push(frozenField("immutable"));
  if (!equalJson(objectAt(secret, "data"), objectAt(previous, "data")))
    errors.push(frozenField("data"));
  return errors;
}

/** Text as UTF-8 in base64. */
function toBase64(value: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(value)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
