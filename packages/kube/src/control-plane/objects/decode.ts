/**
 * From a decoded body to an object of a kind: checks apiVersion and kind, walks the schemas of
 * metadata and kind, prunes and defaults, and reports fields that are not known as the caller
 * asked.
 */
import { apiVersionOf } from "../../objects/kubernetes.ts";
import { ApiError, badRequest, type FieldError, invalid } from "../errors/api-error.ts";
import { wrong } from "../errors/field-errors.ts";
import { isObject, type JsonObject, textAt, without } from "../json/json.ts";
import { contentSchema, type Shaped, shapeOf, TYPE_FIELDS } from "../schema/schema-shape.ts";
import { walkSchema } from "../schema/schema-walk.ts";
import { METADATA_SCHEMA, metaOf } from "./metadata.ts";
import type { ServedKind, StoredObject } from "./served-kind.ts";

/** What happens to fields that the schema does not know. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

/** How a body is read. */
export interface DecodeOptions {
  readonly rule: FieldValidation;
  /** True = the object came about by a patch; then Strict answers 422. */
  readonly isPatched: boolean;
}

/** Unknown fields that an answer names at most (the same limit as sigs.k8s.io/json). */
const FAULTS_MAX = 100;

/** A decoded object and the warnings to send with the answer. */
export interface Decoded {
  readonly object: StoredObject;
  readonly warnings: readonly string[];
}

/** Throws ApiError 400 for what is no object of the kind, 422 for what breaks its schema. */
export function decodeObject(
  kind: ServedKind,
  body: unknown,
  how: FieldValidation | DecodeOptions,
): Decoded {
  const options = typeof how === "string" ? { rule: how, isPatched: false } : how;
  const input = checkedType(kind, body);
  const metadata = walkSchema(METADATA_SCHEMA, input["metadata"] ?? {}, "metadata");
  if (metadata.errors.length > 0) throw badShape(kind, metadata.errors, options);
  const content = contentOf(kind, without(input, ...TYPE_FIELDS), options);
  const unknown = [...metadata.unknown, ...content.unknown];
  const object = objectOf(kind, metadata.value, content.value);
  return { object, warnings: warningsOf(kind, unknown, options) };
}

/** Throws for Strict; empty for Ignore. */
function warningsOf(
  kind: ServedKind,
  unknown: readonly string[],
  options: DecodeOptions,
): readonly string[] {
  if (options.rule === "Ignore") return [];
  const faults = unknown.map((field) => `unknown field "${field}"`);
  if (options.rule === "Strict" && faults.length > 0)
    throw badDecoding(kind, strictText(faults), options);
  return faults.slice(0, FAULTS_MAX);
}

/**
 * Go clients send `creationTimestamp: null` for a time that they do not have: in metadata null is
 * absent.
 */
function objectOf(kind: ServedKind, metadata: unknown, content: unknown): StoredObject {
  const given = isObject(metadata) ? without(metadata, "selfLink") : {};
  const meta = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  return {
    ...(isObject(content) ? content : {}),
    apiVersion: apiVersionOf(kind.ref),
    kind: kind.ref.kind,
    metadata: metaOf({ metadata: meta }),
  };
}

/**
 * Built-in kinds fail to decode (400, after a patch 422); custom ones are validated when they are
 * complete (422), as in Kubernetes.
 */
function contentOf(kind: ServedKind, input: JsonObject, options: DecodeOptions): Shaped {
  const schema = contentSchema(kind.schema);
  if (kind.custom) return shapeOf(schema, input, { nulls: "custom", metadata: METADATA_SCHEMA });
  const walked = walkSchema(schema, input);
  if (walked.errors.length > 0) throw badShape(kind, walked.errors, options);
  return walked;
}

function checkedType(kind: ServedKind, body: unknown): JsonObject {
  if (!isObject(body)) throw badRequest("the body must be one object");
  const apiVersion = apiVersionOf(kind.ref);
  const given = {
    apiVersion: body["apiVersion"] ?? apiVersion,
    kind: body["kind"] ?? kind.ref.kind,
  };
  if (kind.custom) checkCustomType(kind, body);
  if (given.apiVersion !== apiVersion)
    throw badRequest(
      `the API version in the data (${String(given.apiVersion)}) does not match the expected API version (${apiVersion})`,
    );
  if (given.kind !== kind.ref.kind)
    throw badRequest(
      `the kind in the data (${String(given.kind)}) does not match the expected kind (${kind.ref.kind})`,
    );
  return body;
}

/**
 * Custom objects have to say what they are, and are invalid when they are not that
 * (apiextensions-apiserver).
 */
function checkCustomType(kind: ServedKind, body: JsonObject): void {
  const wanted = { kind: kind.ref.kind, apiVersion: apiVersionOf(kind.ref) };
  for (const field of ["kind", "apiVersion"] as const) {
    const value = textAt(body, field);
    if (value === "") throw badRequest(`Object '${field}' is missing in the body`);
    if (value === wanted[field]) continue;
    const subject = field === "kind" ? { ...kind.ref, kind: value } : { ...kind.ref, group: "" };
    const detail = `must be ${wanted[field]}`;
    throw invalid(subject, textAt(body, "metadata", "name"), [wrong(field, value, detail)]);
  }
}

function badShape(kind: ServedKind, errors: readonly FieldError[], options: DecodeOptions): Error {
  const what = errors.map((error) => error.detail || `${error.field} is required`).join(", ");
  return badDecoding(kind, what, options);
}

function badDecoding(kind: ServedKind, what: string, { isPatched }: DecodeOptions): Error {
  if (isPatched) return badPatch(what);
  const { kind: name, version } = kind.ref;
  return badRequest(`${name} in version "${version}" cannot be handled as a ${name}: ${what}`);
}

/**
 * What a patch made is no object of the kind. Kubernetes shows all of it; it may be a Secret, so it
 * is omitted.
 */
function badPatch(what: string): Error {
  const message = `Invalid value: "<omitted>": ${what}`;
  return new ApiError("Invalid", ` "" is invalid: patch: ${message}`, {
    causes: [{ reason: "FieldValueInvalid", message, field: "patch" }],
  });
}

const strictText = (faults: readonly string[]): string =>
  `strict decoding error: ${faults.slice(0, FAULTS_MAX).join(", ")}`;
