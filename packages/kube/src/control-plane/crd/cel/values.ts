/**
 * JSON values as CEL sees them, along a schema: whole numbers as integers, times and durations as
 * such, fields by their escaped names, and only fields that the schema specifies (Kubernetes, "CRD
 * validation rules"). Objects become Maps, whose keys cannot be mistaken for anything.
 */
import { isObject, type JsonObject } from "../../json/json.ts";
import type { Schema } from "../../schema/schema.ts";
import { CEL } from "./library.ts";

/** Makes values and remembers how large the largest collection was. */
export class CelValues {
  #largest = 1;

  /** Items of the largest list or map that was made, or characters of the longest text. */
  get largest(): number {
    return this.#largest;
  }

  /** The value; null stays null. */
  of(schema: Schema, value: unknown): unknown {
    if (typeof value === "string") return textOf(schema, value);
    const isWhole = schema.type === "integer" || schema["x-kubernetes-int-or-string"] === true;
    if (typeof value === "number")
      return isWhole && Number.isInteger(value) ? BigInt(value) : value;
    if (Array.isArray(value)) {
      this.#largest = Math.max(this.#largest, value.length);
      return value.map((item: unknown) => this.of(schema.items ?? {}, item));
    }
    return isObject(value) ? this.#object(schema, value) : value;
  }

  #object(schema: Schema, value: JsonObject): unknown {
    const { additionalProperties } = schema;
    const properties = knownProperties(schema);
    const entries: [string, unknown][] = [];
    for (const [key, child] of Object.entries(value)) {
      const node = properties[key];
      if (typeof additionalProperties === "object")
        entries.push([key, this.of(additionalProperties, child)]);
      else if (additionalProperties === true) entries.push([key, child]);
      else if (node !== undefined) {
        const held = this.of(node, child);
        for (const name of celNames(key)) entries.push([name, held]);
      }
    }
    this.#largest = Math.max(this.#largest, entries.length);
    return new Map(entries);
  }
}

/** A text that is no time or duration stays a text: the schema checks the format. */
function textOf({ format }: Schema, value: string): unknown {
  if (format === "date-time" || format === "date") {
    const time = new Date(value);
    return Number.isNaN(time.getTime()) ? value : time;
  }
  if (format !== "duration") return value;
  try {
    return CEL.evaluate(`duration(${JSON.stringify(value)})`);
  } catch {
    return value;
  }
}

const TEXT: Schema = { type: "string" };
/** What rules may know of metadata. */
const METADATA: Schema = { type: "object", properties: { name: TEXT, generateName: TEXT } };

/** The fields of an object that rules may name; embedded resources say what they are. */
export function knownProperties(schema: Schema): Readonly<Record<string, Schema>> {
  const own = schema.properties ?? {};
  if (schema["x-kubernetes-embedded-resource"] !== true) return own;
  return { ...own, apiVersion: TEXT, kind: TEXT, metadata: METADATA };
}

/** Words of CEL that cannot name a variable (k8s.io/apiserver pkg/cel/escaping.go). */
const RESERVED = new Set(
  [
    "true false null in as break const continue else for function if import let loop package",
    "namespace return var void while",
  ].flatMap((line) => line.split(" ")),
);

/**
 * The names of a field in CEL: `a-b` is `a__dash__b`; `namespace` is `__namespace__`, and itself
 * behind a dot (CEL language definition, "Syntax": SELECTOR).
 */
export function celNames(name: string): readonly string[] {
  if (RESERVED.has(name)) return [`__${name}__`, name];
  return [
    name
      .replaceAll("__", "__underscores__")
      .replaceAll(".", "__dot__")
      .replaceAll("-", "__dash__")
      .replaceAll("/", "__slash__"),
  ];
}
