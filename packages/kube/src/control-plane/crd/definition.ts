/**
 * Reads a CustomResourceDefinition (apiextensions.k8s.io/v1) as it is kept. Knows no rules: what is
 * read was checked before.
 */
import type { KubeObject } from "../../objects/kubernetes.ts";
import { isObject, listAt, textAt, valueAt } from "../json/json.ts";
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

/** One printer column. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: Column["type"];
  readonly jsonPath: string;
  readonly description?: string;
  /** 0 = always shown. */
  readonly priority?: number;
}

/** One version. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: Schema;
  readonly columns: readonly PrinterColumn[];
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

/**
 * The kind CustomResourceDefinition has the shape of schemas in its own schema: an object is one.
 */
function isSchema(value: unknown): value is Schema {
  return isObject(value);
}

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

function columnOf(value: unknown): PrinterColumn {
  const priority = valueAt(value, "priority");
  const description = textAt(value, "description");
  return {
    name: textAt(value, "name"),
    type: COLUMN_TYPES.find((type) => type === textAt(value, "type")) ?? "string",
    jsonPath: textAt(value, "jsonPath"),
    ...(description === "" ? {} : { description }),
    ...(typeof priority === "number" ? { priority } : {}),
  };
}
