/**
 * Objects that `kubectl apply` managed from the client: the first server-side apply by the manager
 * `kubectl` wins what the annotation shows to be its own, and keeps the annotation up to date for
 * older clients. apimachinery pkg/util/managedfields/internal/lastappliedmanager.go and
 * lastappliedupdater.go.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { isObject, type JsonObject, objectAt, textAt, without } from "../json/json.ts";
import type { Schema } from "../schema/schema.ts";
import type { Conflict } from "./apply-errors.ts";
import { differenceOf, intersectionOf, isEmptySet, setOf, unionOf } from "./field-set.ts";
import { compareFields, fieldsOf } from "./field-walk.ts";
import type { Manager } from "./managed-fields.ts";

/** What kubectl applied last, as JSON. */
export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
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
  const applied = jsonIn(textAt(live, "metadata", "annotations", LAST_APPLIED));
  if (author.name !== KUBECTL || !isObject(applied)) return conflicts;
  if (applied["apiVersion"] !== live["apiVersion"]) return conflicts;
  const change = compareFields(schema, applied, live);
  const differs = unionOf(change.changed, change.removed);
  const own = differenceOf(fieldsOf(schema, applied), differs);
  return conflicts.filter(({ path }) => isEmptySet(intersectionOf(setOf([path]), own)));
}

/**
 * The object with the annotation brought up to date, where kubectl applies and the object has one.
 */
export function withLastApplied(
  object: JsonObject,
  config: JsonObject,
  author: Manager,
): JsonObject {
  if (author.name !== KUBECTL || textAt(object, "metadata", "annotations", LAST_APPLIED) === "")
    return object;
  const text = `${JSON.stringify(withoutAnnotation(config))}\n`;
  const annotations = { ...objectAt(object, "metadata", "annotations"), [LAST_APPLIED]: text };
  return { ...object, metadata: { ...objectAt(object, "metadata"), annotations } };
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const annotations = without(objectAt(config, "metadata", "annotations"), LAST_APPLIED);
  const rest = without(objectAt(config, "metadata"), "annotations");
  const isEmpty = Object.keys(annotations).length === 0;
  return { ...config, metadata: isEmpty ? rest : { ...rest, annotations } };
}
