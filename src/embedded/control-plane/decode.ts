/**
 * From a decoded body to an object of a kind: checks apiVersion and kind, walks the schemas of metadata and
 * kind, prunes and defaults, and reports fields that are not known as the caller asked.
 */
import { apiVersionOf } from "../../model/kubernetes.ts";
import { badRequest, type FieldError, invalid } from "./api-error.ts";
import { isObject, type JsonObject, textAt, without } from "./json.ts";
import { METADATA_SCHEMA, metaOf } from "./metadata.ts";
import { walkSchema } from "./schema-walk.ts";
import type { ServedKind, StoredObject } from "./served-kind.ts";

/** What happens to fields that the schema does not know. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

/** A decoded object and the warnings to send with the answer. */
export interface Decoded {
  readonly object: StoredObject;
  readonly warnings: readonly string[];
}

/** Throws ApiError 400 for what is no object of the kind, 422 for what breaks its schema. */
export function decodeObject(kind: ServedKind, body: unknown, rule: FieldValidation): Decoded {
  const input = checkedType(kind, body);
  const metadata = walkSchema(METADATA_SCHEMA, input["metadata"] ?? {}, {
    nulls: "native",
    path: "metadata",
  });
  if (metadata.errors.length > 0) throw badShape(kind, metadata.errors);
  const nulls = kind.custom ? "custom" : "native";
  const content = walkSchema(contentSchema(kind), without(input, ...TYPE_FIELDS), { nulls });
  throwShape(kind, textAt(metadata.value, "name"), content.errors);
  const unknown = [...metadata.unknown, ...content.unknown];
  if (rule === "Strict" && unknown.length > 0) throw strict(kind, unknown);
  const warnings = rule === "Warn" ? unknown.map((field) => `unknown field "${field}"`) : [];
  return { object: objectOf(kind, metadata.value, content.value), warnings };
}

function objectOf(kind: ServedKind, metadata: unknown, content: unknown): StoredObject {
  const meta = isObject(metadata) ? without(metadata, "managedFields", "selfLink") : {};
  return {
    ...(isObject(content) ? content : {}),
    apiVersion: apiVersionOf(kind.ref),
    kind: kind.ref.kind,
    metadata: metaOf({ metadata: meta }),
  };
}

/** Native kinds fail to decode (400), custom ones are invalid (422), as in Kubernetes. */
function throwShape(kind: ServedKind, name: string, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  throw kind.custom ? invalid(kind.ref, name, errors) : badShape(kind, errors);
}

const TYPE_FIELDS = ["apiVersion", "kind", "metadata"];

/** The schema without the fields that every kind has. */
function contentSchema(kind: ServedKind): ServedKind["schema"] {
  const { properties = {} } = kind.schema;
  if (properties["metadata"] === undefined) return kind.schema;
  const own = Object.entries(properties).filter(([key]) => !TYPE_FIELDS.includes(key));
  return { ...kind.schema, properties: Object.fromEntries(own) };
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

/** Custom objects have to say what they are, and are invalid when they are not that (apiextensions-apiserver). */
function checkCustomType(kind: ServedKind, body: JsonObject): void {
  const wanted = { kind: kind.ref.kind, apiVersion: apiVersionOf(kind.ref) };
  for (const field of ["kind", "apiVersion"] as const) {
    const value = textAt(body, field);
    if (value === "") throw badRequest(`Object '${field}' is missing in the body`);
    if (value === wanted[field]) continue;
    const subject = field === "kind" ? { ...kind.ref, kind: value } : { ...kind.ref, group: "" };
    const detail = `must be ${wanted[field]}`;
    throw invalid(subject, textAt(body, "metadata", "name"), [
      { field, reason: "FieldValueInvalid", value, detail },
    ]);
  }
}

function badShape(kind: ServedKind, errors: readonly FieldError[]): Error {
  const what = errors.map((error) => error.detail || `${error.field} is required`).join(", ");
  return badRequest(`${cannotHandle(kind)}: ${what}`);
}

function strict(kind: ServedKind, unknown: readonly string[]): Error {
  const what = unknown.map((field) => `unknown field "${field}"`).join(", ");
  return badRequest(`${cannotHandle(kind)}: strict decoding error: ${what}`);
}

function cannotHandle(kind: ServedKind): string {
  const { kind: name, version } = kind.ref;
  return `${name} in version "${version}" cannot be handled as a ${name}`;
}
