/** core/v1 ConfigMap: settings as text or bytes. */

import { CONFIG_MAP } from "../../objects/kinds.ts";
import { wrong } from "../errors/field-errors.ts";
import { objectAt } from "../json/json.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "../objects/columns.ts";
import { builtInKind } from "./built-in-kind.ts";
import { dataKeys, frozen, limitedData } from "./data-rules.ts";
import { all, type Rule } from "./rules.ts";

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
