/**
 * Objects that `kubectl apply` managed from the client: the first server-side apply by the manager
 * `kubectl` wins what the annotation shows to be its own, and keeps the annotation up to date for
 * older clients. apimachinery pkg/util/managedfields/internal/lastappliedmanager.go and
 * lastappliedupdater.go.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { isObject, type JsonObject, textAt, without } from "../json/json.ts";
import type { Schema } from "../schema/schema.ts";
import type { Conflict } from "./apply-errors.ts";
import { differenceOf, intersectionOf, isEmptySet, pathSet, unionOf } from "./field-set.ts";
import { compareFields, fieldsOf } from "./field-walk.ts";
import type { Manager } from "./managed-fields.ts";

const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
/** The one manager that this is for. */
const KUBECTL = "kubectl";

/**
 * The conflicts that stay: for kubectl not those about fields that it last applied and that are
 * still so.
 */
export function withAllowedConflicts(
  conflicts: readonly Conflict[],
  options: { readonly schema: Schema; readonly live: JsonObject; readonly author: Manager },
): readonly Conflict[] {
  const { schema, live, author } = options;
  const applied = author.name === KUBECTL ? lastApplied(live) : null;
  if (applied === null || applied["apiVersion"] !== live["apiVersion"]) return conflicts;
  const change = compareFields(schema, applied, live);
  const differs = unionOf(change.changed, change.removed);
  const own = differenceOf(fieldsOf(schema, applied), differs);
  return conflicts.filter(({ path }) => isEmptySet(intersectionOf(pathSet(path), own)));
}

/**
 * The object with the annotation brought up to date, where kubectl applies and the object has one.
 */
export function withLastApplied(
  object: JsonObject,
  config: JsonObject,
  author: Manager,
): JsonObject {
  if (author.name !== KUBECTL || textAt(object, "metadata", "annotations", ANNOTATION) === "")
    return object;
  const { metadata } = object;
  if (!isObject(metadata)) return object;
  const known = isObject(metadata["annotations"]) ? metadata["annotations"] : {};
  const annotations = { ...known, [ANNOTATION]: `${JSON.stringify(withoutAnnotation(config))}\n` };
  return { ...object, metadata: { ...metadata, annotations } };
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const { metadata } = config;
  if (!isObject(metadata) || !isObject(metadata["annotations"])) return config;
  const annotations = without(metadata["annotations"], ANNOTATION);
  const rest = without(metadata, "annotations");
  const isEmpty = Object.keys(annotations).length === 0;
  return { ...config, metadata: isEmpty ? rest : { ...rest, annotations } };
}

/** Null = there is none, or it cannot be read. */
function lastApplied(live: JsonObject): JsonObject | null {
  const value = jsonIn(textAt(live, "metadata", "annotations", ANNOTATION));
  return isObject(value) ? value : null;
}
