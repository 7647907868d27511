/**
 * Validates a value against a structural schema, prunes what the schema does not know and fills in
 * defaults, in one pass and without changing its input. Errors are worded as the Kubernetes API does.
 */
import type { FieldError, FieldReason } from "./api-error.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { Schema, SchemaType } from "./schema.ts";
import { keptTime } from "./times.ts";

/** `custom`: null is a type error, as in custom resources. `native`: null means absent, as in Go types. */
export type NullRule = "custom" | "native";

/** The outcome of a walk. */
export interface Walked {
  /** Pruned and defaulted copy. */
  readonly value: unknown;
  /** Paths of fields that the schema does not know, in document order. */
  readonly unknown: readonly string[];
  /** In document order; empty = valid. */
  readonly errors: readonly FieldError[];
}

/** Errors after this many are dropped: nobody reads more, and bad input must not cost memory. */
const ERRORS_MAX = 50;

/** Walks `value` along `schema`; `path` is the prefix of reported fields, empty for a whole object. */
export function walkSchema(schema: Schema, value: unknown, options: WalkOptions): Walked {
  const walk = new Walk(options.nulls);
  const result = walk.node(schema, value, options.path ?? "");
  return { value: result, unknown: walk.unknown, errors: walk.errors };
}

/** Options of `walkSchema`. */
export interface WalkOptions {
  readonly nulls: NullRule;
  readonly path?: string;
}

class Walk {
  readonly unknown: string[] = [];
  readonly errors: FieldError[] = [];
  readonly #nulls: NullRule;

  constructor(nulls: NullRule) {
    this.#nulls = nulls;
  }

  node(schema: Schema, value: unknown, path: string): unknown {
    if (value === null && schema.nullable === true) return null;
    const wanted = wantedType(schema, value);
    if (wanted !== null) {
      this.#typeError(path, value, wanted);
      return value;
    }
    if (isObject(value)) return this.#object(schema, value, path);
    if (Array.isArray(value)) return this.#list(schema, value, path);
    if (typeof value === "string") {
      this.#text(schema, value, path);
      return this.#nulls === "native" ? keptTime(value, schema.format) : value;
    }
    if (typeof value === "number") this.#number(schema, value, path);
    return value;
  }

  /** Walks fields, adds defaults, then looks for what is required. */
  #object(schema: Schema, value: JsonObject, path: string): JsonObject {
    const entries: [string, unknown][] = [];
    for (const [key, child] of Object.entries(value)) {
      const kept = this.#field(schema, { key, child }, join(path, key));
      if (kept !== undefined) entries.push([key, kept]);
    }
    const present = new Set(entries.map(([key]) => key));
    for (const [key, child] of Object.entries(schema.properties ?? {}))
      if (!present.has(key) && child.default !== undefined) entries.push([key, child.default]);
    for (const key of schema.required ?? [])
      if (!entries.some(([present]) => present === key))
        this.#error({ field: join(path, key), reason: "FieldValueRequired", detail: "" });
    return Object.fromEntries(entries);
  }

  /** Undefined = the field is left out: unknown, or null where that means absent. */
  #field(schema: Schema, field: { key: string; child: unknown }, path: string): unknown {
    const known = schema.properties !== undefined && Object.hasOwn(schema.properties, field.key);
    const node = known ? schema.properties[field.key] : schema.additionalProperties;
    if (node === undefined) {
      if (schema["x-kubernetes-preserve-unknown-fields"] === true) return field.child;
      this.unknown.push(path);
      return undefined;
    }
    const absent = this.#nulls === "native" || node.default !== undefined;
    if (field.child === null && node.nullable !== true && absent) return undefined;
    return this.node(node, field.child, path);
  }

  #list(schema: Schema, value: readonly unknown[], path: string): unknown {
    if (schema.maxItems !== undefined && value.length > schema.maxItems)
      this.#fault(
        { field: path, value: value.length },
        "FieldValueTooMany",
        `must have at most ${schema.maxItems} items`,
      );
    if (schema.minItems !== undefined && value.length < schema.minItems)
      this.#fault(
        { field: path, value: value.length },
        "FieldValueInvalid",
        `${path} in body should have at least ${schema.minItems} items`,
      );
    const items = schema.items;
    const walked =
      items === undefined
        ? value
        : value.map((item, index) => this.node(items, item, `${path}[${index}]`));
    this.#duplicates(schema, walked, path);
    return walked;
  }

  /** Lists of type set and map hold each item or key once. Built-in kinds have checks of their own. */
  #duplicates(schema: Schema, value: readonly unknown[], path: string): void {
    if (this.#nulls === "native") return;
    const type = schema["x-kubernetes-list-type"];
    if (type !== "set" && type !== "map") return;
    const keys = schema["x-kubernetes-list-map-keys"] ?? [];
    const seen = new Set<string>();
    for (const [index, item] of value.entries()) {
      const shown = type === "set" || !isObject(item) ? item : pick(item, keys);
      const id = JSON.stringify(shown);
      if (seen.has(id))
        this.#fault({ field: `${path}[${index}]`, value: shown }, "FieldValueDuplicate", "");
      seen.add(id);
    }
  }

  #text(schema: Schema, value: string, path: string): void {
    if (schema.enum !== undefined && !schema.enum.includes(value)) {
      const supported = schema.enum.map((each) => JSON.stringify(each)).join(", ");
      this.#fault(
        { field: path, value },
        "FieldValueNotSupported",
        `supported values: ${supported}`,
      );
    }
    if (schema.maxLength !== undefined && value.length > schema.maxLength)
      this.#fault(
        { field: path, value },
        "FieldValueTooLong",
        `may not be more than ${schema.maxLength} bytes`,
      );
    if (schema.minLength !== undefined && value.length < schema.minLength)
      this.#fault(
        { field: path, value },
        "FieldValueInvalid",
        `${path} in body should be at least ${schema.minLength} chars long`,
      );
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value))
      this.#fault(
        { field: path, value },
        "FieldValueInvalid",
        `${path} in body should match '${schema.pattern}'`,
      );
    this.#format(schema.format, value, path);
  }

  #format(format: string | undefined, value: string, path: string): void {
    if (format !== "date-time" && format !== "micro-time" && format !== "byte") return;
    const right = format === "byte" ? BASE64.test(value) : isTime(value);
    if (!right)
      this.#fault(
        { field: path, value },
        "FieldValueInvalid",
        `${path} in body must be of type ${format}`,
      );
  }

  #number(schema: Schema, value: number, path: string): void {
    if (schema.minimum !== undefined && value < schema.minimum)
      this.#fault(
        { field: path, value },
        "FieldValueInvalid",
        `${path} in body should be greater than or equal to ${schema.minimum}`,
      );
    if (schema.maximum !== undefined && value > schema.maximum)
      this.#fault(
        { field: path, value },
        "FieldValueInvalid",
        `${path} in body should be less than or equal to ${schema.maximum}`,
      );
  }

  #typeError(path: string, value: unknown, wanted: string): void {
    const found = typeName(value);
    const detail = `${path} in body must be of type ${wanted}: "${found}"`;
    this.#error({ field: path, reason: "FieldValueTypeInvalid", value: found, detail });
  }

  #fault(at: { field: string; value: unknown }, reason: FieldReason, detail: string): void {
    this.#error({ ...at, reason, detail });
  }

  #error(error: FieldError): void {
    if (this.errors.length < ERRORS_MAX) this.errors.push(error);
  }
}

/** RFC 4648 §4 with padding; white space between groups is tolerated. */
const BASE64 = /^(?:[A-Za-z0-9+/\s]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\s*$/;

/** RFC 3339 with an offset; fractions of any length. */
function isTime(value: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** Null = the value has the type of the schema; else the type that it should have. */
function wantedType(schema: Schema, value: unknown): string | null {
  if (schema["x-kubernetes-int-or-string"] === true)
    return typeof value === "string" || Number.isInteger(value) ? null : "integer or string";
  return schema.type === undefined || hasType(schema.type, value) ? null : schema.type;
}

/** JSON has no integers: a number without fraction is one. */
function hasType(type: SchemaType, value: unknown): boolean {
  if (type === "object") return isObject(value);
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

/** The type as error messages name it. */
function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

const join = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);

/** The keys that make an item of a map list unique. */
function pick(item: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, item[key]]));
}
