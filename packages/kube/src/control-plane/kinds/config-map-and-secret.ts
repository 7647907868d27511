/**
 * core/v1 ConfigMap and Secret: settings and credentials as maps of texts or bytes, with the rules
 * of keys, sizes and `immutable`. Values are never shown.
 */
import { base64Text } from "@zonekeeper/base/bytes";
import { CONFIG_MAP, SECRET } from "../../objects/kinds.ts";
import { forbidden, missing, wrong } from "../errors/api-error.ts";
import { equalJson, objectAt, textAt, valueAt, without } from "../json/json.ts";
import { AGE_COLUMN, column, columnAt, NAME_COLUMN } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { builtInKind, selectableAt } from "./built-in-kind.ts";
import { all, immutable, type Rule } from "./rules.ts";

/** Bytes of all values together (core/validation `MaxSecretSize`, the same for ConfigMaps). */
const BYTES_MAX = 1024 * 1024;
/** What a key may be made of (apimachinery `IsConfigMapKey`). */
const KEY = /^(?!\.$|\.\.)[-._a-zA-Z0-9]{1,253}$/;
const KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const ENCODER = new TextEncoder();

/** The keys of a map of values. */
const dataKeys =
  (field: string): Rule =>
  (object) =>
    Object.keys(objectAt(object, field))
      .filter((key) => !KEY.test(key))
      .map((key) => wrong(`${field}[${key}]`, key, KEY_TEXT));

/** Values are not too large together; the error, which shows none of them, is of `field`. */
const limitedData =
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
const frozen =
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

const sizeOf = (map: unknown, field: string): number => Object.keys(objectAt(map, field)).length;

/** A key is in one of the two maps. */
const inOneMap: Rule = (map) =>
  Object.keys(objectAt(map, "data"))
    .filter((key) => Object.hasOwn(objectAt(map, "binaryData"), key))
    .map((key) => wrong(`data[${key}]`, key, "duplicate of key present in binaryData"));

/** Settings; columns as `printConfigMap` of kubernetes pkg/printers/internalversion. */
export const CONFIG_MAP_KIND = builtInKind(CONFIG_MAP, {
  shortNames: ["cm"],
  columns: [
    NAME_COLUMN,
    column("Data", (map) => sizeOf(map, "data") + sizeOf(map, "binaryData")),
    AGE_COLUMN,
  ],
  // core/validation `ValidateConfigMap`.
  check: all(
    dataKeys("data"),
    dataKeys("binaryData"),
    inOneMap,
    limitedData("[]"),
    frozen("data", "binaryData"),
  ),
});

/** A certificate without its key is of no use (core/validation ValidateSecret). */
const hasBothTlsKeys: Rule = (secret) =>
  ["tls.crt", "tls.key"]
    .filter(
      (key) => textAt(secret, "type") === TLS && !Object.hasOwn(objectAt(secret, "data"), key),
    )
    .map((key) => missing(`data[${key}]`));

const TLS = "kubernetes.io/tls";

/** Credentials. */
export const SECRET_KIND = builtInKind(SECRET, {
  columns: [
    NAME_COLUMN,
    columnAt("Type", ".type"),
    column("Data", (secret) => Object.keys(objectAt(secret, "data")).length),
    AGE_COLUMN,
  ],
  selectable: selectableAt("type"),
  defaults: withData,
  check: all(
    dataKeys("data"),
    limitedData("data"),
    hasBothTlsKeys,
    immutable("type"),
    frozen("data"),
  ),
});

/**
 * stringData becomes data when a Secret is read (core/v1 Convert_v1_Secret_To_core_Secret).
 */
function withData(secret: StoredObject): StoredObject {
  const added = Object.entries(objectAt(secret, "stringData")).map(([key, value]) => [
    key,
    base64Text(String(value)),
  ]);
  const data = { ...objectAt(secret, "data"), ...Object.fromEntries(added) };
  const { apiVersion, kind, metadata } = secret;
  const rest = without(secret, "stringData", "data");
  const kept = Object.keys(data).length > 0 ? { data } : {};
  return { ...rest, apiVersion, kind, metadata, ...kept, type: textAt(secret, "type") || "Opaque" };
}
