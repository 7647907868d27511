/**
 * The rules of definitions beyond their schema (apiextensions-apiserver
 * pkg/apis/apiextensions/validation/validation.go). Pure but for the compiler of rules.
 */
import type { FieldError } from "../errors/api-error.ts";
import { forbidden, invalid, required, unsupported } from "../errors/field-faults.ts";
import { equalJson, isObject, listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { type DefinitionVersion, definitionOf, isEstablished } from "./definition.ts";
import type { RuleCompiler } from "./rule-compiler.ts";
import { structuralErrors } from "./structural-check.ts";

/** RFC 1035 label. */
const LABEL = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
/** RFC 1123 subdomain with at least one dot. */
const GROUP = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+$/;
const LABEL_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
/** All field errors of a definition; `previous` null = create. */
export function definitionErrors(
  object: StoredObject,
  previous: StoredObject | null,
  compiler: RuleCompiler,
): readonly FieldError[] {
  const errors = [
    ...nameErrors(object),
    ...groupErrors(object),
    ...scopeErrors(object),
    ...conversionErrors(object),
    ...versionsErrors(object, compiler),
  ];
  return previous === null ? errors : [...errors, ...changeErrors(object, previous)];
}

function nameErrors(object: StoredObject): readonly FieldError[] {
  const names = objectAt(object, "spec", "names");
  const group = textAt(object, "spec", "group");
  const plural = textAt(names, "plural");
  const errors: FieldError[] = [];
  if (object.metadata.name !== `${plural}.${group}`)
    errors.push(
      invalid("metadata.name", object.metadata.name, 'must be spec.names.plural+"."+spec.group'),
    );
  for (const key of ["plural", "singular"])
    errors.push(...labelErrors(textAt(names, key), `spec.names.${key}`, ""));
  for (const key of ["kind", "listKind"])
    errors.push(
      ...labelErrors(
        textAt(names, key),
        `spec.names.${key}`,
        "may have mixed case, but should otherwise match: ",
      ),
    );
  for (const list of ["shortNames", "categories"])
    for (const [index, name] of listAt(names, list).entries())
      errors.push(...labelErrors(String(name), `spec.names.${list}[${index}]`, ""));
  if (textAt(names, "kind") === textAt(names, "listKind"))
    errors.push(
      invalid("spec.names.listKind", names["listKind"], "kind and listKind may not be the same"),
    );
  return errors;
}

/** A prefix to the words means that capitals are allowed. */
function labelErrors(value: string, field: string, prefix: string): readonly FieldError[] {
  if (value === "") return [required(field, "")];
  const compared = prefix === "" ? value : value.toLowerCase();
  return LABEL.test(compared) ? [] : [invalid(field, value, prefix + LABEL_TEXT)];
}

function groupErrors(object: StoredObject): readonly FieldError[] {
  const group = textAt(object, "spec", "group");
  if (group === "") return [required("spec.group", "")];
  if (!GROUP.test(group))
    return [invalid("spec.group", group, "should be a domain with at least one dot")];
  return [];
}

function scopeErrors(object: StoredObject): readonly FieldError[] {
  const scope = textAt(object, "spec", "scope");
  if (scope === "") return [required("spec.scope", "")];
  if (scope === "Cluster" || scope === "Namespaced") return [];
  return [unsupported("spec.scope", scope, ["Cluster", "Namespaced"])];
}

function conversionErrors(object: StoredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const strategy = textAt(object, "spec", "conversion", "strategy");
  const field = "spec.conversion.strategy";
  if (strategy === "Webhook")
    errors.push(
      forbidden(
        field,
        "conversion by webhooks is not served by the embedded control plane; use None, or a real cluster",
      ),
    );
  else if (strategy !== "None") errors.push(unsupported(field, strategy, ["None", "Webhook"]));
  return errors;
}

function versionsErrors(object: StoredObject, compiler: RuleCompiler): readonly FieldError[] {
  const field = "spec.versions";
  const { versions } = definitionOf(object);
  const names = versions.map((version) => version.name);
  const errors: FieldError[] = [];
  for (const [index, name] of names.entries())
    if (!LABEL.test(name)) errors.push(invalid(`${field}[${index}].name`, name, LABEL_TEXT));
  if (new Set(names).size < names.length)
    errors.push(invalid(field, names, "must contain unique version names"));
  if (versions.filter((version) => version.storage).length !== 1)
    errors.push(invalid(field, names, "must have exactly one version marked as storage version"));
  return [...errors, ...schemasErrors(object, versions, compiler)];
}

/** kube-apiserver speaks of `spec.validation` where all versions have the same schema. */
function schemasErrors(
  object: StoredObject,
  versions: readonly DefinitionVersion[],
  compiler: RuleCompiler,
): readonly FieldError[] {
  const [first] = versions;
  const isShared = versions.every((version) => equalJson(version.schema, first?.schema));
  const given = listAt(object, "spec", "versions");
  return versions.flatMap((version, index) => {
    const place = `spec.versions[${index}].schema.openAPIV3Schema`;
    if (!isObject(valueAt(given[index], "schema", "openAPIV3Schema")))
      return [required(place, "schemas are required")];
    if (isShared && index > 0) return [];
    const path = isShared ? "spec.validation.openAPIV3Schema" : place;
    const structural = structuralErrors(version.schema, path);
    if (structural.length > 0) return structural;
    return compiler.errorsOf(version.schema, path);
  });
}

/** What objects are kept under never changes. */
function changeErrors(object: StoredObject, previous: StoredObject): readonly FieldError[] {
  const fixed = [["group"], ["names", "plural"]];
  const kept = isEstablished(previous) ? [...fixed, ["scope"], ["names", "kind"]] : fixed;
  const errors = kept
    .filter((path) => textAt(object, "spec", ...path) !== textAt(previous, "spec", ...path))
    .map((path) =>
      invalid(["spec", ...path].join("."), valueAt(object, "spec", ...path), "field is immutable"),
    );
  const names = listAt(object, "spec", "versions").map((version) => textAt(version, "name"));
  for (const [index, stored] of listAt(object, "status", "storedVersions").entries())
    if (!names.includes(String(stored)))
      errors.push(
        invalid(`status.storedVersions[${index}]`, stored, "must appear in spec.versions"),
      );
  return errors;
}
