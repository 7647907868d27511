/**
 * Validates a value against a structural schema, with the messages of kube-apiserver
 * (k8s.io/kube-openapi pkg/validation). Changes nothing; what is pruned and defaulted is
 * `schema-shape.ts`'s matter.
 */
import { Re2 } from "../../objects/re2.ts";
import { type FieldError, type FieldReason, missing } from "../errors/api-error.ts";
import { equalJson, isObject, type JsonObject, textAt } from "../json/json.ts";
import { childSchema, type Schema } from "./schema.ts";
import { hasFormat } from "./schema-formats.ts";
import { join, type Shaped, shapeOf } from "./schema-shape.ts";

/** Errors after this many are dropped: bad input must not cost memory. */
const ERRORS_MAX = 50;

/** Validates along one schema again and again; patterns are compiled once. */
export class SchemaValidator {
  readonly #schema: Schema;
  readonly #checksDuplicates: boolean;
  readonly #patterns = new Map<string, Re2 | null>();

  /** `checksDuplicates` false = lists of type set and map are not checked. */
  constructor(schema: Schema, checksDuplicates = true) {
    this.#schema = schema;
    this.#checksDuplicates = checksDuplicates;
  }

  /**
   * In document order; empty = valid. `path` is the prefix of reported fields, empty for a whole
   * object.
   */
  validate(value: unknown, path = ""): readonly FieldError[] {
    return this.#node(this.#schema, value, path).slice(0, ERRORS_MAX);
  }

  #node(declared: Schema, value: unknown, path: string): readonly FieldError[] {
    const schema = declared.resolve?.() ?? declared;
    if (value === null && schema.nullable === true) return [];
    const wanted = wantedType(schema, value);
    if (wanted !== null) {
      const found = typeName(value);
      const detail = `${path} in body must be of type ${wanted}: "${found}"`;
      return [fault(path, found, "FieldValueTypeInvalid", detail)];
    }
    return [
      ...enumErrors(schema, value, path),
      ...this.#own(schema, value, path),
      ...combinationErrors(schema, path, (each) => this.#node(each, value, path)),
    ];
  }

  #own(schema: Schema, value: unknown, path: string): readonly FieldError[] {
    if (isObject(value)) return this.#object(schema, value, path);
    if (Array.isArray(value)) return this.#list(schema, value, path);
    if (typeof value === "string") return this.#text(schema, value, path);
    return typeof value === "number" ? numberErrors(schema, value, path) : [];
  }

  #object(schema: Schema, value: JsonObject, path: string): readonly FieldError[] {
    const { minProperties: least, maxProperties: most } = schema;
    const bounds = { least, most, things: "properties" };
    const errors = [...countErrors(Object.keys(value).length, bounds, path)];
    for (const [key, child] of Object.entries(value)) {
      if (errors.length > ERRORS_MAX) break;
      const node = childSchema(schema, key);
      if (node !== null) errors.push(...this.#node(node, child, join(path, key)));
    }
    for (const key of schema.required ?? [])
      if (!Object.hasOwn(value, key)) errors.push(missing(join(path, key)));
    // Embedded resources say what they are (apiextensions-apiserver
    // pkg/apiserver/schema/objectmeta).
    if (schema["x-kubernetes-embedded-resource"] === true)
      for (const key of ["apiVersion", "kind"])
        if (textAt(value, key) === "") errors.push(missing(join(path, key), "must not be empty"));
    return errors;
  }

  #list(schema: Schema, value: readonly unknown[], path: string): readonly FieldError[] {
    const { items, minItems: least, maxItems: most } = schema;
    const errors = [...countErrors(value.length, { least, most, things: "items" }, path)];
    for (const [index, item] of value.entries()) {
      if (items === undefined || errors.length > ERRORS_MAX) break;
      errors.push(...this.#node(items, item, `${path}[${index}]`));
    }
    return this.#checksDuplicates ? [...errors, ...duplicatesIn(schema, value, path)] : errors;
  }

  #text(schema: Schema, value: string, path: string): readonly FieldError[] {
    const errors: FieldError[] = [];
    const { format, maxLength, minLength, pattern } = schema;
    // Code points, counted only where a limit asks for it.
    const length = (maxLength ?? minLength) === undefined ? 0 : Array.from(value).length;
    if (maxLength !== undefined && length > maxLength)
      errors.push(
        fault(path, value, "FieldValueTooLong", `may not be more than ${maxLength} bytes`),
      );
    if (minLength !== undefined && length < minLength)
      errors.push(wrong(path, value, `should be at least ${minLength} chars long`));
    if (pattern !== undefined && this.#compiled(pattern)?.test(value) !== true)
      errors.push(wrong(path, value, `should match '${pattern}'`));
    if (format !== undefined && !hasFormat(format, value)) {
      // Bytes may be secret and are not repeated.
      const shown = format === "byte" ? "" : `: ${JSON.stringify(value)}`;
      errors.push(wrong(path, value, `must be of type ${format}${shown}`));
    }
    return errors;
  }

  /** Null = it is no pattern and matches nothing; definitions with one are refused. */
  #compiled(pattern: string): Re2 | null {
    const known = this.#patterns.get(pattern);
    const expression = known === undefined ? compiled(pattern) : known;
    this.#patterns.set(pattern, expression);
    return expression;
  }
}

function compiled(pattern: string): Re2 | null {
  try {
    return new Re2(pattern);
  } catch {
    return null;
  }
}

interface Bounds {
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** As the message names them: `items`. */
  readonly things: string;
}

function countErrors(count: number, bounds: Bounds, path: string): readonly FieldError[] {
  const { least, most, things } = bounds;
  if (most !== undefined && count > most)
    return [fault(path, count, "FieldValueTooMany", `must have at most ${most} items`)];
  if (least === undefined || count >= least) return [];
  return [wrong(path, count, `should have at least ${least} ${things}`)];
}

function enumErrors(schema: Schema, value: unknown, path: string): readonly FieldError[] {
  if (schema.enum === undefined || schema.enum.some((each) => equalJson(each, value))) return [];
  const supported = schema.enum.map((each) => JSON.stringify(each)).join(", ");
  return [fault(path, value, "FieldValueNotSupported", `supported values: ${supported}`)];
}

function numberErrors(schema: Schema, value: number, path: string): readonly FieldError[] {
  const { minimum, maximum, multipleOf } = schema;
  const isAbove = schema.exclusiveMinimum === true;
  const isBelow = schema.exclusiveMaximum === true;
  const errors: FieldError[] = [];
  if (minimum !== undefined && (isAbove ? value <= minimum : value < minimum))
    errors.push(wrong(path, value, `should be greater than ${orEqual(isAbove)}${minimum}`));
  if (maximum !== undefined && (isBelow ? value >= maximum : value > maximum))
    errors.push(wrong(path, value, `should be less than ${orEqual(isBelow)}${maximum}`));
  if (multipleOf !== undefined && !isMultiple(value, multipleOf))
    errors.push(wrong(path, value, `should be a multiple of ${multipleOf}`));
  return errors;
}

const orEqual = (isExclusive: boolean): string => (isExclusive ? "" : "or equal to ");

/**
 * So that 0.3 is a multiple of 0.1 although no double is either of them (kube-openapi
 * pkg/validation/validate MultipleOf).
 */
function isMultiple(value: number, factor: number): boolean {
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  const rest = Math.abs(times - Math.trunc(times));
  return rest === 0 || rest / (2 * Math.abs(times)) < ROUNDING;
}

/** Relative error that calculating with doubles may bring. */
const ROUNDING = 1e-9;

/** How kube-apiserver calls the whole object. */
const ROOT = "<nil>";

function wrong(path: string, value: unknown, what: string): FieldError {
  return fault(path, value, "FieldValueInvalid", `${path} in body ${what}`);
}

function fault(path: string, value: unknown, reason: FieldReason, detail: string): FieldError {
  return { field: path === "" ? ROOT : path, reason, value, detail };
}

/** Null = the value has the type of the schema; else the type that it should have. */
function wantedType(schema: Schema, value: unknown): string | null {
  if (schema["x-kubernetes-int-or-string"] === true)
    return typeof value === "string" || Number.isInteger(value) ? null : "integer,string";
  const { type } = schema;
  const found = typeName(value);
  // JSON has no integers: a number without fraction is one.
  const isNumber = type === "number" && found === "integer";
  return type === undefined || type === found || isNumber ? null : type;
}

/** The type as error messages name it. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

// `allOf`, `anyOf`, `oneOf` and `not` of a schema node, with the messages of k8s.io/kube-openapi
// pkg/validation/errors. Pure.

/** Validates the same value against another node. */
type Check = (schema: Schema) => readonly FieldError[];

/**
 * Field errors of all combinations of a node; where none of several fits, those of the nearest one
 * are listed too.
 */
function combinationErrors(schema: Schema, path: string, check: Check): readonly FieldError[] {
  const errors: FieldError[] = [];
  const add = (what: string, below: readonly FieldError[] = []): void => {
    const detail = `"${path}" must ${what}`;
    errors.push(fault(path, "", "FieldValueInvalid", detail), ...below);
  };
  const all = (schema.allOf ?? []).flatMap(check);
  if (all.length > 0) add("validate all the schemas (allOf)", all);
  // An empty list demands nothing, as in kube-openapi.
  const any = (schema.anyOf ?? []).map(check);
  if (any.length > 0 && any.every(isWrong))
    add("validate at least one schema (anyOf)", fewest(any));
  const one = schema.oneOf?.length ? schema.oneOf.map(check) : [[]];
  const valid = one.filter((each) => each.length === 0).length;
  const only = "validate one and only one schema (oneOf).";
  if (valid === 0) add(`${only} Found none valid`, fewest(one));
  if (valid > 1) add(`${only} Found ${valid} valid alternatives`);
  if (schema.not !== undefined && check(schema.not).length === 0)
    add("not validate the schema (not)");
  return errors;
}

const isWrong = (errors: readonly FieldError[]): boolean => errors.length > 0;

function fewest(results: readonly (readonly FieldError[])[]): readonly FieldError[] {
  return results.reduce((best, errors) => (errors.length < best.length ? errors : best));
}

/** The outcome of a walk. */
export interface Walked extends Shaped {
  /** In document order; empty = valid. */
  readonly errors: readonly FieldError[];
}

/**
 * Walks `value` along `schema`; `path` is the prefix of reported fields, empty for a whole object.
 */
export function walkSchema(schema: Schema, value: unknown, path = ""): Walked {
  const shaped = shapeOf(schema, value, { nulls: "native", path });
  // kube-apiserver looks for duplicates in built-in kinds kind by kind, not by the type of a list.
  const validator = new SchemaValidator(schema, false);
  return { ...shaped, errors: validator.validate(shaped.value, path) };
}

/**
 * Field errors of items that occur earlier in the list. Empty = none, or the list has no such type.
 */
export function duplicatesIn(
  schema: Schema,
  value: readonly unknown[],
  path: string,
): readonly FieldError[] {
  const type = schema["x-kubernetes-list-type"];
  if (type !== "set" && type !== "map") return [];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const seen = new Set<string>();
  return value.flatMap((item, index): readonly FieldError[] => {
    const shown = type === "set" || !isObject(item) ? item : keysOf(item, keys);
    const id = canonicalJson(shown);
    const field = `${path}[${index}]`;
    if (seen.has(id)) return [{ field, reason: "FieldValueDuplicate", value: shown, detail: "" }];
    seen.add(id);
    return [];
  });
}

/** The keys that make an item of a map list unique; absent ones are omitted. */
export function keysOf(item: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]),
  );
}

/** JSON with sorted keys: equal for values that are equal. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) => {
    if (!isObject(child)) return child;
    return Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
