/**
 * `metadata`: what clients may say in it, how it is checked, and what the server alone decides.
 * Kubernetes API conventions, "Metadata".
 */
import {
  isLabelValue,
  isQualifiedName,
  LABEL_VALUE_DETAIL,
  NAME_RULES,
  QUALIFIED_NAME_DETAIL,
} from "../../objects/name-rules.ts";
import { type FieldError, missing, wrong } from "../errors/api-error.ts";
import { equalJson, isObject, type JsonObject, textAt, without } from "../json/json.ts";
import { builtInSchema } from "../schema/schema-table.ts";
import type { Meta, NameRule } from "./served-kind.ts";

/** The schema of `metadata`. */
export const METADATA_SCHEMA = builtInSchema("ObjectMeta");

/** Characters of all annotations together. */
const ANNOTATIONS_MAX = 256 * 1024;

/** Field errors of names, labels, annotations, finalizers and owners. Empty = valid. */
export function checkMetadata(meta: Meta, rule: NameRule): readonly FieldError[] {
  return [
    ...checkGenerateName(meta, rule),
    ...checkName(meta, rule),
    ...Object.entries(meta.labels ?? {}).flatMap(([key, value]) => [
      ...checkKey(key, "metadata.labels"),
      ...(isLabelValue(value) ? [] : [wrong("metadata.labels", value, LABEL_VALUE_DETAIL)]),
    ]),
    ...checkAnnotations(meta),
    ...checkOwners(meta),
    ...(meta.finalizers ?? []).flatMap((each) => checkKey(each, "metadata.finalizers")),
  ];
}

/**
 * The beginning of a name is checked as if more followed (apimachinery
 * pkg/api/validation/objectmeta.go).
 */
function checkGenerateName(meta: Meta, ruleName: NameRule): readonly FieldError[] {
  const prefix = meta["generateName"];
  if (typeof prefix !== "string" || prefix === "") return [];
  const { pattern, detail } = NAME_RULES[ruleName];
  const completed = prefix.replace(/-$/, "a");
  return pattern.test(completed) ? [] : [wrong("metadata.generateName", prefix, detail)];
}

/** Length before syntax: a long name gets the shorter message. */
function checkName(meta: Meta, ruleName: NameRule): readonly FieldError[] {
  const rule = NAME_RULES[ruleName];
  if (meta.name === "") return [missing("metadata.name", "name or generateName is required")];
  if (meta.name.length > rule.max)
    return [wrong("metadata.name", meta.name, `must be no more than ${rule.max} characters`)];
  return rule.pattern.test(meta.name) ? [] : [wrong("metadata.name", meta.name, rule.detail)];
}

/** Values are free; keys are qualified names whatever their case, and the whole is bounded. */
function checkAnnotations(meta: Meta): readonly FieldError[] {
  const entries = Object.entries(meta.annotations ?? {});
  const size = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  const errors = entries.flatMap(([key]) =>
    checkKey(key, "metadata.annotations", key.toLowerCase()),
  );
  if (size <= ANNOTATIONS_MAX) return errors;
  const detail = `may not be more than ${ANNOTATIONS_MAX} bytes`;
  return [
    ...errors,
    { field: "metadata.annotations", reason: "FieldValueTooLong", value: "", detail },
  ];
}

function checkKey(key: string, field: string, compared = key): readonly FieldError[] {
  if (isQualifiedName(compared)) return [];
  return [wrong(field, key, QUALIFIED_NAME_DETAIL)];
}

/** Empty references would make the collector believe that an owner is gone. */
function checkOwners(meta: Meta): readonly FieldError[] {
  const owners = meta.ownerReferences ?? [];
  const errors: FieldError[] = [];
  for (const [index, owner] of owners.entries())
    for (const field of ["apiVersion", "kind", "name", "uid"] as const)
      if (owner[field] === "")
        errors.push(missing(`metadata.ownerReferences[${index}].${field}`, "must not be empty"));
  if (owners.filter((owner) => owner.controller === true).length > 1)
    errors.push(
      wrong("metadata.ownerReferences", null, "Only one reference can have Controller set to true"),
    );
  return errors;
}

/** True when nothing but the server's own fields differs. */
export function sameContent(a: JsonObject, b: JsonObject): boolean {
  return equalJson(contentOf(a), contentOf(b));
}

/** The object without what every write changes. */
function contentOf(object: JsonObject): JsonObject {
  const meta = isObject(object["metadata"]) ? object["metadata"] : {};
  const metadata = { ...meta, resourceVersion: undefined, generation: undefined };
  return { ...object, metadata };
}

/** Characters that generated name ends are made of: no vowels, so no words. */
const SUFFIX_CHARACTERS = "bcdfghjklmnpqrstvwxz2456789";

/** `prefix` and five random characters; `next` is uniform in [0, 1). */
export function generatedName(prefix: string, next: () => number): string {
  let name = prefix.slice(0, 58);
  for (let index = 0; index < 5; index += 1)
    name += SUFFIX_CHARACTERS[Math.floor(next() * SUFFIX_CHARACTERS.length)] ?? "b";
  return name;
}

/** Fields that are not shown when they are empty (meta/v1 ObjectMeta: `omitempty`). */
const OMITTED = ["labels", "annotations", "finalizers", "ownerReferences"];

/**
 * `metadata` of anything as typed metadata: what is not there is an empty name; empty lists and
 * maps are omitted.
 */
export function metaOf(object: JsonObject): Meta {
  const meta = isObject(object["metadata"]) ? object["metadata"] : {};
  const empty = OMITTED.filter((key) => Object.keys(Object(meta[key])).length === 0);
  return { ...without(meta, ...empty), name: textAt(meta, "name") };
}
