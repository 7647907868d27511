/**
 * From a decoded body to an object of a kind: checks apiVersion and kind, walks the schemas of
 * metadata and kind, prunes and defaults, and reports fields that are not known as the caller
 * asked.
 */
import { apiVersionOf } from "../../objects/kubernetes.ts";
import { ApiError, badRequest, invalid, wrong } from "../errors/api-error.ts";
import { isObject, type JsonObject, textAt, without } from "../json/json.ts";
import { contentSchema, shapeOf, TYPE_FIELDS } from "../schema/schema-shape.ts";
import { type Walked, walkSchema } from "../schema/schema-validate.ts";
import { METADATA_SCHEMA, metaOf } from "./metadata.ts";
import type { ServedKind, StoredObject } from "./served-kind.ts";

/** What happens to fields that the schema does not know. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

/** Unknown fields that an answer names at most (the same limit as sigs.k8s.io/json). */
const FAULTS_MAX = 100;

/** A decoded object and the warnings to send with the answer. */
export interface Decoded {
  readonly object: StoredObject;
  readonly warnings: readonly string[];
}

/**
 * Throws ApiError 400 for what is no object of the kind or breaks its schema, and, with `Strict`,
 * for fields that the schema does not know; 422 instead where a patch made the object.
 */
export function decodeObject(
  kind: ServedKind,
  body: unknown,
  rule: FieldValidation,
  isPatched = false,
): Decoded {
  const input = checkedType(kind, body);
  const metadata = walkSchema(METADATA_SCHEMA, input["metadata"] ?? {}, "metadata");
  const content = contentOf(kind, without(input, ...TYPE_FIELDS));
  const errors = metadata.errors.length > 0 ? metadata.errors : content.errors;
  if (errors.length > 0) {
    const what = errors.map((error) => error.detail || `${error.field} is required`);
    throw badDecoding(kind, what.join(", "), isPatched);
  }
  const unknown = rule === "Ignore" ? [] : [...metadata.unknown, ...content.unknown];
  const warnings = unknown.slice(0, FAULTS_MAX).map((field) => `unknown field "${field}"`);
  if (rule === "Strict" && warnings.length > 0)
    throw badDecoding(kind, `strict decoding error: ${warnings.join(", ")}`, isPatched);
  return { object: objectOf(kind, metadata.value, content.value), warnings };
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

/** Built-in kinds are validated here, custom ones when they are complete, as in Kubernetes. */
function contentOf(kind: ServedKind, input: JsonObject): Walked {
  const schema = contentSchema(kind.schema);
  if (!kind.custom) return walkSchema(schema, input);
  return { ...shapeOf(schema, input, { nulls: "custom", metadata: METADATA_SCHEMA }), errors: [] };
}

function checkedType(kind: ServedKind, body: unknown): JsonObject {
  if (!isObject(body)) throw badRequest("the body must be one object");
  if (kind.custom) checkCustomType(kind, body);
  const apiVersion = apiVersionOf(kind.ref);
  const version = body["apiVersion"] ?? apiVersion;
  if (version !== apiVersion)
    throw badRequest(
      `the API version in the data (${String(version)}) does not match the expected API version (${apiVersion})`,
    );
  const name = body["kind"] ?? kind.ref.kind;
  if (name !== kind.ref.kind)
    throw badRequest(
      `the kind in the data (${String(name)}) does not match the expected kind (${kind.ref.kind})`,
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

function badDecoding(kind: ServedKind, what: string, isPatched: boolean): Error {
  const { kind: name, version } = kind.ref;
  if (!isPatched)
    return badRequest(`${name} in version "${version}" cannot be handled as a ${name}: ${what}`);
  // Kubernetes shows all of what the patch made; it may be a Secret, so it is omitted.
  const message = `Invalid value: "<omitted>": ${what}`;
  return new ApiError("Invalid", ` "" is invalid: patch: ${message}`, {
    causes: [{ reason: "FieldValueInvalid", message, field: "patch" }],
  });
}
