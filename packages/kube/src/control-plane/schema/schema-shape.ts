/**
 * Brings a value into the shape of a structural schema: removes what the schema does not know, then
 * nulls that mean nothing there, then fills in defaults; in that order, as kube-apiserver does.
 * Does not validate and does not change its input.
 */
import { isObject, type JsonObject } from "../json/json.ts";
import { childSchema, type Schema } from "./schema.ts";

/**
 * `custom`: null means absent where a field is declared and not nullable (apiextensions-apiserver
 * pkg/apiserver/schema/defaulting/prunenulls.go). `native`: it means so everywhere, as in Go types.
 */
export type NullRule = "custom" | "native";

/** The outcome. */
export interface Shaped {
  /** Pruned and defaulted copy. */
  readonly value: unknown;
  /** Paths of fields that the schema does not know, in document order. */
  readonly unknown: readonly string[];
}

/** What a shape is made with. */
export interface ShapeOptions {
  readonly nulls: NullRule;
  /** Prefix of reported fields; empty for a whole object. */
  readonly path?: string;
  /** Schema of `metadata` in embedded resources; absent = it is kept as it is. */
  readonly metadata?: Schema;
}

/** The value along `schema`. A value of another type than the schema's stays as it is. */
export function shapeOf(schema: Schema, value: unknown, options: ShapeOptions): Shaped {
  const unknown: string[] = [];
  const shape = new Shape(options, unknown);
  return { value: shape.node(schema, value, options.path ?? ""), unknown };
}

/** Fields of every object, which embedded resources have too. */
export const TYPE_FIELDS: readonly string[] = ["apiVersion", "kind", "metadata"];

/** The schema of a whole object without the fields that every kind has. */
export function contentSchema(schema: Schema): Schema {
  const own = Object.entries(schema.properties ?? {}).filter(([key]) => !TYPE_FIELDS.includes(key));
  return { ...schema, properties: Object.fromEntries(own) };
}

class Shape {
  readonly #options: ShapeOptions;
  readonly #unknown: string[];

  constructor(options: ShapeOptions, unknown: string[]) {
    this.#options = options;
    this.#unknown = unknown;
  }

  node(declared: Schema, value: unknown, path: string): unknown {
    const schema = declared.resolve?.() ?? declared;
    if (isObject(value)) return this.#object(schema, value, path);
    if (typeof value === "string" && this.#options.nulls === "native")
      return keptTime(value, schema.format);
    const { items } = schema;
    if (Array.isArray(value) && items !== undefined)
      return value.map((item, index) => this.node(items, item, `${path}[${index}]`));
    return value;
  }

  /** Fields in their order, then the defaults of those that are not there. */
  #object(schema: Schema, value: JsonObject, path: string): JsonObject {
    if (schema.type !== undefined && schema.type !== "object") return value;
    const entries: [string, unknown][] = [];
    for (const [key, child] of Object.entries(value)) {
      const kept = this.#field(schema, { key, child }, join(path, key));
      if (kept !== undefined) entries.push([key, kept]);
    }
    const present = new Set(entries.map(([key]) => key));
    for (const [key, child] of Object.entries(schema.properties ?? {}))
      if (!present.has(key) && child.default !== undefined)
        entries.push([key, this.node(child, child.default, join(path, key))]);
    return Object.fromEntries(entries);
  }

  /** Undefined = the field is omitted: unknown, or null where that means absent. */
  #field(schema: Schema, field: { key: string; child: unknown }, path: string): unknown {
    const node = fieldSchema(schema, field.key, this.#options.metadata);
    if (node === undefined) {
      if (schema["x-kubernetes-preserve-unknown-fields"] === true) return field.child;
      this.#unknown.push(path);
      return undefined;
    }
    const isDeclared = this.#options.nulls === "native" || node !== ANYTHING;
    if (field.child === null && node.nullable !== true && isDeclared) return undefined;
    return this.node(node, field.child, path);
  }
}

/** Any values. */
const ANYTHING: Schema = { "x-kubernetes-preserve-unknown-fields": true };

/** The schema of one field; undefined = the schema does not know it. */
function fieldSchema(
  schema: Schema,
  key: string,
  metadata: Schema | undefined,
): Schema | undefined {
  const isOfResource =
    schema["x-kubernetes-embedded-resource"] === true && TYPE_FIELDS.includes(key);
  if (isOfResource && key === "metadata") return metadata ?? ANYTHING;
  const isOpen = isOfResource || schema.additionalProperties === true;
  return childSchema(schema, key) ?? (isOpen ? ANYTHING : undefined);
}

/** `spec.ttl`; the key alone at the root. */
export const join = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);

/** RFC 3339; fractions of any length. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

/**
 * The time as it is kept: metav1.Time in UTC with whole seconds, MicroTime with six decimals.
 * Clients send others (JavaScript's have milliseconds), and equal times must be equal texts.
 */
export function keptTime(text: string, format: string | undefined): string {
  const [, seconds, fraction = "", zone = ""] = TIME.exec(text) ?? [];
  if (seconds === undefined || (format !== "date-time" && format !== "micro-time")) return text;
  const timeMs = Date.parse(`${seconds}${zone}`);
  // There is no such day or hour; a time in UTC stays as it is.
  if (zone !== "Z" && Number.isNaN(timeMs)) return text;
  const inUtc = zone === "Z" ? seconds : new Date(timeMs).toISOString().slice(0, 19);
  return format === "date-time" ? `${inUtc}Z` : `${inUtc}.${fraction.slice(0, 6).padEnd(6, "0")}Z`;
}
