/**
 * Server-side apply of one configuration to one object: checks its kind and name, merges it
 * with the present object and decodes the result. Knows neither storage nor HTTP.
 */
import { apiVersionOf } from "../../objects/kubernetes.ts";
import { badRequest, conflict } from "../errors/api-error.ts";
import { isObject, type JsonObject, textAt, valueAt } from "../json/json.ts";
import { type Decoded, decodeObject, type FieldValidation } from "../objects/decode.ts";
import { checkAddressOf } from "../objects/object-rules.ts";
import type { ServedKind, StoredObject } from "../objects/served-kind.ts";
import type { Schema } from "../schema/schema.ts";
import { notOfType } from "./apply-errors.ts";
import { applyConfiguration, type FieldAuthor } from "./field-manager.ts";
import { type PathElement, pathText } from "./field-set.ts";
import { withLastApplied } from "./last-applied.ts";
import { fieldSchema, itemElement, mergeRule, wholeSchema } from "./merge-rule.ts";

/** One apply. */
export interface ApplyCall {
  readonly kind: ServedKind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly author: FieldAuthor;
  readonly force: boolean;
  readonly validation: FieldValidation;
}

/**
 * The object after the apply with its record of owners; `current` null = it is created. Throws
 * ApiError.
 */
export function applied(call: ApplyCall, current: StoredObject | null, body: unknown): Decoded {
  const config = checkedConfiguration(call, body);
  const { kind, author, force } = call;
  const result = applyConfiguration(kind, { live: current, config, author, force });
  checkAddress(call, result, current);
  return decodeObject(kind, withLastApplied(result, config, author), call.validation);
}

/**
 * Throws 400 for what is no configuration of the kind, 500 for what does not fit its schema, as
 * Kubernetes does.
 */
function checkedConfiguration(call: ApplyCall, body: unknown): JsonObject {
  if (!isObject(body)) throw badRequest("error decoding YAML: the body must be one object");
  const { kind, namespace, name } = call;
  const [apiVersion, type] = [textAt(body, "apiVersion"), textAt(body, "kind")];
  if (apiVersion !== apiVersionOf(kind.ref) || type !== kind.ref.kind) {
    const given = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
    throw badRequest(`invalid object type: ${given}, Kind=${type}`);
  }
  const managedFields = valueAt(body, "metadata", "managedFields");
  if (managedFields !== undefined && managedFields !== null)
    throw badRequest("metadata.managedFields must be nil");
  const faults: string[] = [];
  check(wholeSchema(kind), body, [], faults);
  // The namespace of cluster-scoped kinds is empty.
  if (faults.length > 0)
    throw notOfType(kind.ref, `${namespace}/${name}`, faults.slice(0, FAULTS_MAX));
  return body;
}

/**
 * Name and namespace of the result are those of the path; an object that is not there has no uid to
 * be meant.
 */
function checkAddress(call: ApplyCall, result: JsonObject, current: StoredObject | null): void {
  const uid = textAt(result, "metadata", "uid");
  if (current === null && uid !== "")
    throw conflict(
      call.kind.ref,
      call.name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  checkAddressOf(result, call);
}

// Whether an applied configuration fits its schema, before it is merged: fields are declared,
// values have the type, no list item comes twice. Pure. structured-merge-diff typed/validate.go.

/** Faults that are listed at most. */
const FAULTS_MAX = 50;

/** Adds to `faults` what is wrong, in the order of the document. */
function check(
  schema: Schema,
  value: unknown,
  path: readonly PathElement[],
  faults: string[],
): void {
  if (faults.length >= FAULTS_MAX || value === null) return;
  const wanted = wantedForm(schema);
  if (wanted !== null && wanted !== formOf(value))
    faults.push(`${pathText(path)}: expected ${wanted}, got ${formOf(value)}`);
  else if (isObject(value)) checkFields(schema, value, path, faults);
  else if (Array.isArray(value)) checkItems(schema, value, path, faults);
}

function checkFields(
  schema: Schema,
  value: object,
  path: readonly PathElement[],
  faults: string[],
): void {
  for (const [name, child] of Object.entries(value)) {
    const at = [...path, `f:${name}`];
    const below = fieldSchema(schema, name);
    if (below === null) faults.push(`${pathText(at)}: field not declared in schema`);
    else check(below, child, at, faults);
  }
}

function checkItems(
  schema: Schema,
  value: readonly unknown[],
  path: readonly PathElement[],
  faults: string[],
): void {
  const rule = mergeRule(schema, value);
  const seen = new Set<PathElement>();
  for (const [index, child] of value.entries()) {
    const element = rule.as === "items" ? itemElement(rule, child) : `i:${index}`;
    if (seen.has(element))
      faults.push(`${pathText(path)}: duplicate entries for key ${pathText([element])}`);
    seen.add(element);
    check(schema.items ?? ANYTHING, child, [...path, element], faults);
  }
}

const ANYTHING: Schema = { "x-kubernetes-preserve-unknown-fields": true };

/** Null = anything goes. */
function wantedForm(schema: Schema): string | null {
  if (schema["x-kubernetes-int-or-string"] === true || schema.type === undefined) return null;
  if (schema.type === "object") return "map";
  if (schema.type === "array") return "list";
  return schema.type === "integer" || schema.type === "number" ? "numeric" : schema.type;
}

/** The form of a value as messages name it. */
function formOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  if (isObject(value)) return "map";
  return typeof value === "number" ? "numeric" : typeof value;
}
