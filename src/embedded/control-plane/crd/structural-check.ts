/**
 * What makes a schema structural, and the keywords that definitions must not use, with the words of
 * kube-apiserver (apiextensions-apiserver pkg/apiserver/schema/validation.go,
 * pkg/apis/apiextensions/validation). Pure.
 */
import type { FieldError } from "../errors/api-error.ts";
import { forbidden, invalid, required, unsupported } from "../errors/field-faults.ts";
import { isObject } from "../json/json.ts";
import { Re2 } from "../schema/re2.ts";
import type { Schema } from "../schema/schema.ts";
import { completenessErrors, nestedErrors } from "./structural-logic.ts";
import { listErrors, mapErrors } from "./structural-types.ts";

/** Where a node stands. */
type Level = "root" | "items" | "field";

/** A node of a schema with its place. */
interface Place {
  readonly schema: Schema;
  readonly path: string;
  readonly level: Level;
}

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
/** Keywords of JSON Schema that definitions do not have. */
const UNSUPPORTED = [
  "id",
  "$ref",
  "additionalItems",
  "definitions",
  "dependencies",
  "patternProperties",
];
/** Schemas in schemas. */
const DEPTH_MAX = 100;

/** Field errors of a whole schema, sorted by their text; empty = structural. */
export function structuralErrors(schema: Schema, path: string): readonly FieldError[] {
  const errors = [
    ...nodeErrors({ schema, path, level: "root" }, 0),
    ...completenessErrors(schema, path),
  ];
  return errors.sort((a, b) => (a.field < b.field ? -1 : Number(a.field > b.field)));
}

function nodeErrors(place: Place, depth: number): readonly FieldError[] {
  const { schema, path } = place;
  if (depth > DEPTH_MAX) return [forbidden(path, `must not nest deeper than ${DEPTH_MAX}`)];
  return [
    ...keywordErrors(schema, path),
    ...typeErrors(place),
    ...extensionErrors(place),
    ...metadataErrors(place),
    ...listErrors(schema, path),
    ...mapErrors(schema, path),
    ...nestedErrors(schema, path),
    ...childErrors(place, depth),
  ];
}

/** The schemas of items, fields and values. */
function childErrors({ schema, path, level }: Place, depth: number): readonly FieldError[] {
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
  if (additionalProperties === undefined) return errors;
  const field = `${path}.additionalProperties`;
  if (level === "root") errors.push(forbidden(field, "must not be used at the root"));
  if (properties !== undefined)
    errors.push(forbidden(field, "additionalProperties and properties are mutual exclusive"));
  if (additionalProperties === false)
    errors.push(forbidden(field, "additionalProperties cannot be set to false"));
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
  if (schema.uniqueItems === true)
    errors.push(
      forbidden(
        `${path}.uniqueItems`,
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      ),
    );
  const { pattern } = schema;
  const wrong = pattern === undefined ? null : patternFault(pattern);
  if (wrong !== null)
    errors.push(
      invalid(
        `${path}.pattern`,
        pattern,
        `must be a valid regular expression, but isn't: ${wrong}`,
      ),
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

/** How a missing type is told at each place. */
const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  items: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function typeErrors(place: Place): readonly FieldError[] {
  const { schema, path, level } = place;
  const field = `${path}.type`;
  const type: string = schema.type ?? "";
  if (schema["x-kubernetes-embedded-resource"] === true && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    return [type === "" ? required(field, detail) : invalid(field, type, detail)];
  }
  if (type !== "") return saidTypeErrors(place, type);
  return mayBeUntyped(schema) ? [] : [required(field, MISSING_TYPE[level])];
}

function saidTypeErrors({ schema, path, level }: Place, type: string): readonly FieldError[] {
  const field = `${path}.type`;
  if (!TYPES.includes(type)) return [unsupported(field, type, TYPES)];
  if (level === "root" && type !== "object")
    return [invalid(field, type, "must be object at the root")];
  const isBare = type === "array" && schema.items === undefined;
  return isBare ? [required(`${path}.items`, "must be specified")] : [];
}

function mayBeUntyped(schema: Schema): boolean {
  return (
    schema["x-kubernetes-int-or-string"] === true ||
    schema["x-kubernetes-preserve-unknown-fields"] === true
  );
}

function extensionErrors({ schema, path }: Place): readonly FieldError[] {
  const errors: FieldError[] = [];
  const keeps = schema["x-kubernetes-preserve-unknown-fields"];
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  if (keeps === false)
    errors.push(
      invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"),
    );
  if (schema["x-kubernetes-int-or-string"] === true) {
    const detail = "must be false if x-kubernetes-int-or-string is true";
    if (keeps === true)
      errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, true, detail));
    if (isEmbedded) errors.push(invalid(`${path}.x-kubernetes-embedded-resource`, true, detail));
    if (schema.type !== undefined)
      errors.push(
        invalid(`${path}.type`, schema.type, "must be empty if x-kubernetes-int-or-string is true"),
      );
  }
  return isEmbedded ? [...errors, ...embeddedErrors(schema, path)] : errors;
}

function embeddedErrors(schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (schema.additionalProperties !== undefined)
    errors.push(
      forbidden(
        `${path}.additionalProperties`,
        "must not be used if x-kubernetes-embedded-resource is set",
      ),
    );
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  if (isEmpty && schema["x-kubernetes-preserve-unknown-fields"] !== true)
    errors.push(
      required(
        `${path}.properties`,
        "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
      ),
    );
  return errors;
}

/** Where a whole object stands, its type fields are texts and its metadata an object. */
function metadataErrors({ schema, path, level }: Place): readonly FieldError[] {
  const isWhole = level === "root" || schema["x-kubernetes-embedded-resource"] === true;
  if (!isWhole) return [];
  const { metadata, ...others } = schema.properties ?? {};
  const errors = ["apiVersion", "kind"].flatMap((key) =>
    typedErrors(others[key], "string", `${path}.properties[${key}]`),
  );
  const field = `${path}.properties[metadata]`;
  errors.push(...typedErrors(metadata, "object", field));
  // Of metadata, names alone may be restricted.
  if (level === "root" && metadata !== undefined && saysMore(metadata))
    errors.push(
      forbidden(
        field,
        "must not specify anything other than name and generateName, but metadata is implicitly specified",
      ),
    );
  return errors;
}

function typedErrors(node: Schema | undefined, type: string, path: string): readonly FieldError[] {
  if (node === undefined || node.type === type) return [];
  return [invalid(`${path}.type`, node.type ?? "", `must be ${type}`)];
}

const METADATA_KEYWORDS = ["type", "description", "properties", "required"];

function saysMore(metadata: Schema): boolean {
  const fields = Object.keys(metadata.properties ?? {});
  return (
    fields.some((key) => key !== "name" && key !== "generateName") ||
    Object.keys(metadata).some((key) => !METADATA_KEYWORDS.includes(key))
  );
}
