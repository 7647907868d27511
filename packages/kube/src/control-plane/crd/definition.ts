/**
 * Reads a CustomResourceDefinition (apiextensions.k8s.io/v1) as it is kept. Knows no rules: what is
 * read was checked before.
 */
import type { KubeObject } from "../../objects/kubernetes.ts";
import { isObject, listAt, textAt, valueAt } from "../json/json.ts";
import { ageOf } from "../objects/columns.ts";
import { cellAt } from "../objects/json-path.ts";
import type { Column, StoredObject } from "../objects/served-kind.ts";
import type { Schema } from "../schema/schema.ts";

/** Names of a kind. */
export interface DefinitionNames {
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** One version. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: Schema;
  readonly columns: readonly Column[];
  readonly isDeprecated: boolean;
  /** Empty = the usual words. */
  readonly deprecationWarning: string;
  readonly hasStatus: boolean;
  /** JSON paths, with their dots. */
  readonly selectableFields: readonly string[];
}

/** The content of a definition. */
export interface Definition {
  /** `plural.group`. */
  readonly name: string;
  readonly group: string;
  readonly namespaced: boolean;
  readonly names: DefinitionNames;
  readonly versions: readonly DefinitionVersion[];
}

/** The definition in an object. */
export function definitionOf(object: KubeObject): Definition {
  return {
    name: object.metadata.name,
    group: textAt(object, "spec", "group"),
    namespaced: textAt(object, "spec", "scope") === "Namespaced",
    names: namesOf(valueAt(object, "spec", "names")),
    versions: listAt(object, "spec", "versions").map(versionOf),
  };
}

/** Names as `spec.names` and `status.acceptedNames` hold them. */
export function namesOf(value: unknown): DefinitionNames {
  return {
    kind: textAt(value, "kind"),
    listKind: textAt(value, "listKind"),
    plural: textAt(value, "plural"),
    singular: textAt(value, "singular"),
    shortNames: listAt(value, "shortNames").map(String),
    categories: listAt(value, "categories").map(String),
  };
}

/** True once the names were accepted for the first time. */
export function isEstablished(object: StoredObject): boolean {
  return conditionStatus(object, "Established") === "True";
}

/** `True`, `False`, or empty when there is no such condition. */
export function conditionStatus(object: StoredObject, type: string): string {
  const found = listAt(object, "status", "conditions").find(
    (each) => textAt(each, "type") === type,
  );
  return textAt(found, "status");
}

/** The schema of a version; an empty one where there is none. */
export function schemaOf(version: unknown): Schema {
  const schema = valueAt(version, "schema", "openAPIV3Schema");
  return isSchema(schema) ? schema : {};
}

/** CustomResourceDefinitions are checked along their own schema: an object there is a schema. */
const isSchema = (value: unknown): value is Schema => isObject(value);

function versionOf(version: unknown): DefinitionVersion {
  return {
    name: textAt(version, "name"),
    served: valueAt(version, "served") === true,
    storage: valueAt(version, "storage") === true,
    schema: schemaOf(version),
    columns: listAt(version, "additionalPrinterColumns").map(columnOf),
    isDeprecated: valueAt(version, "deprecated") === true,
    deprecationWarning: textAt(version, "deprecationWarning"),
    hasStatus: valueAt(version, "subresources", "status") !== undefined,
    selectableFields: listAt(version, "selectableFields").map((each) => textAt(each, "jsonPath")),
  };
}

const COLUMN_TYPES = ["integer", "number", "string", "boolean", "date"] as const;

/** Dates are shown as ages, as kube-apiserver does. */
function columnOf(value: unknown): Column {
  const path = textAt(value, "jsonPath");
  const type = COLUMN_TYPES.find((each) => each === textAt(value, "type")) ?? "string";
  const description = `Custom resource definition column (in JSONPath format): ${path}`;
  return {
    name: textAt(value, "name"),
    type,
    description: textAt(value, "description") || description,
    priority: Number(valueAt(value, "priority") ?? 0),
    cell: (object, nowMs) => {
      const cell = cellAt(object, path);
      return type === "date" && cell !== null ? ageOf(cell, nowMs) : cell;
    },
  };
}
