/**
 * What a schema must be so that objects can be pruned, defaulted and validated along it: types are
 * given, patterns compile, and no keyword is used that definitions do not have. Texts as in
 * apiextensions-apiserver pkg/apiserver/schema/validation.go. Other rules of structural schemas are
 * not checked. Pure.
 */

import { Re2 } from "../../objects/re2.ts";
import { type FieldError, forbidden, missing, unsupported, wrong } from "../errors/api-error.ts";
import { isObject } from "../json/json.ts";
import type { Schema } from "../schema/schema.ts";

/** The level of a node. */
type Level = "root" | "items" | "field";

/** A node of a schema with its place. */
interface SchemaPosition {
  readonly schema: Schema;
  readonly path: string;
  readonly level: Level;
}

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
/** Keywords of JSON Schema that definitions do not have. */
const UNSUPPORTED = "id $ref additionalItems definitions dependencies patternProperties".split(" ");
/** Schemas in schemas. */
const DEPTH_MAX = 100;

/** Field errors of a whole schema; empty = objects can be checked along it. */
export function structuralErrors(schema: Schema, path: string): readonly FieldError[] {
  return nodeErrors({ schema, path, level: "root" }, 0);
}

function nodeErrors(position: SchemaPosition, depth: number): readonly FieldError[] {
  const { schema, path } = position;
  if (depth > DEPTH_MAX) return [forbidden(path, `must not nest deeper than ${DEPTH_MAX}`)];
  return [...keywordErrors(schema, path), ...typeErrors(position), ...childErrors(position, depth)];
}

/** The schemas of items, fields and values. */
function childErrors({ schema, path }: SchemaPosition, depth: number): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(items))
    errors.push(forbidden(`${path}.items`, "items must be a schema object and not an array"));
  else if (items !== undefined)
    errors.push(...nodeErrors({ schema: items, path: `${path}.items`, level: "items" }, depth + 1));
  for (const [key, child] of Object.entries(properties ?? {})) {
    const where = { schema: child, path: `${path}.properties[${key}]`, level: "field" } as const;
    errors.push(...nodeErrors(where, depth + 1));
  }
  const field = `${path}.additionalProperties`;
  if (isObject(additionalProperties))
    errors.push(
      ...nodeErrors({ schema: additionalProperties, path: field, level: "field" }, depth + 1),
    );
  return errors;
}

function keywordErrors(schema: Schema, path: string): readonly FieldError[] {
  const errors = UNSUPPORTED.filter((key) => Object.hasOwn(schema, key)).map((key) =>
    forbidden(`${path}.${key}`, `${key} is not supported`),
  );
  const { pattern } = schema;
  const fault = pattern === undefined ? null : patternFault(pattern);
  if (fault !== null)
    errors.push(
      wrong(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${fault}`),
    );
  return errors;
}

/** Null = the pattern is one. */
function patternFault(pattern: string): string | null {
  try {
    new Re2(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The message for a missing type at each level. */
const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  items: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function typeErrors(position: SchemaPosition): readonly FieldError[] {
  const { schema, path, level } = position;
  const field = `${path}.type`;
  const type: string = schema.type ?? "";
  if (type !== "") return givenTypeErrors(position, type);
  const mayBeUntyped =
    schema["x-kubernetes-int-or-string"] === true ||
    schema["x-kubernetes-preserve-unknown-fields"] === true;
  return mayBeUntyped ? [] : [missing(field, MISSING_TYPE[level])];
}

function givenTypeErrors(
  { schema, path, level }: SchemaPosition,
  type: string,
): readonly FieldError[] {
  const field = `${path}.type`;
  if (!TYPES.includes(type)) return [unsupported(field, type, TYPES)];
  if (level === "root" && type !== "object")
    return [wrong(field, type, "must be object at the root")];
  const isBare = type === "array" && schema.items === undefined;
  return isBare ? [missing(`${path}.items`, "must be specified")] : [];
}
