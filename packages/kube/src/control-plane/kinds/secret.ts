/** core/v1 Secret. Its values are never shown in an error, a log line or a Table. */
import { base64Text } from "@zonekeeper/base/byte-text";
import { SECRET } from "../../objects/kinds.ts";
import { missing } from "../errors/field-errors.ts";
import { objectAt, textAt, without } from "../json/json.ts";
import { AGE_COLUMN, column, columnAt, NAME_COLUMN } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { builtInKind, selectableAt } from "./built-in-kind.ts";
import { dataKeys, frozen, limitedData } from "./data-rules.ts";
import { all, immutable, type Rule } from "./rules.ts";

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
