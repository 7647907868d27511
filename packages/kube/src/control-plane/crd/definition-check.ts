/**
 * The rules of definitions beyond their schema (apiextensions-apiserver
 * pkg/apis/apiextensions/validation/validation.go). Pure.
 */
import { type FieldError, forbidden, missing, wrong } from "../errors/api-error.ts";
import { equalJson, isObject, listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import { all, immutable, matches, oneOf, type Rule, required, valuesAt } from "../kinds/rules.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { ruleTree } from "./cel/rule-tree.ts";
import { definitionOf, isEstablished } from "./definition.ts";
import { structuralErrors } from "./structural-check.ts";

/** RFC 1035 label. */
const LABEL = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const MIXED_LABEL = new RegExp(LABEL, "i");
/** RFC 1123 subdomain with at least one dot. */
const GROUP = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+$/;
const LABEL_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const MIXED_CASE = `may have mixed case, but should otherwise match: ${LABEL_TEXT}`;
const NO_WEBHOOKS =
  "conversion by webhooks is not served by the embedded control plane; use None, or a real cluster";

const hasItsName: Rule = (object) => {
  const group = textAt(object, "spec", "group");
  const { name } = object.metadata;
  return name === `${textAt(object, "spec", "names", "plural")}.${group}`
    ? []
    : [wrong("metadata.name", name, 'must be spec.names.plural+"."+spec.group')];
};

const hasTwoKinds: Rule = (object) => {
  const { kind, listKind } = objectAt(object, "spec", "names");
  const detail = "kind and listKind may not be the same";
  return kind === listKind ? [wrong("spec.names.listKind", listKind, detail)] : [];
};

const noWebhooks: Rule = (object) =>
  textAt(object, "spec", "conversion", "strategy") === "Webhook"
    ? [forbidden("spec.conversion.strategy", NO_WEBHOOKS)]
    : [];

const versionNames: Rule = (object) => {
  const { versions } = definitionOf(object);
  const names = versions.map((version) => version.name);
  const errors: FieldError[] = [];
  if (new Set(names).size < names.length)
    errors.push(wrong("spec.versions", names, "must contain unique version names"));
  if (versions.filter((version) => version.storage).length !== 1)
    errors.push(
      wrong("spec.versions", names, "must have exactly one version marked as storage version"),
    );
  return errors;
};

/** What objects are kept under never changes. */
const keepsIdentity: Rule = (object, previous) => {
  const fixed = all(immutable("spec.group"), immutable("spec.names.plural"));
  const kept = all(fixed, immutable("spec.scope"), immutable("spec.names.kind"));
  if (previous === null) return [];
  return isEstablished(previous) ? kept(object, previous) : fixed(object, previous);
};

const keepsStoredVersions: Rule = (object) => {
  const names = definitionOf(object).versions.map((version) => version.name);
  return valuesAt(object, "status.storedVersions[]")
    .filter(({ value }) => !names.includes(String(value)))
    .map(({ field, value }) => wrong(field, value, "must appear in spec.versions"));
};

const RULES = all(
  hasItsName,
  required("spec.names.plural"),
  matches("spec.names.plural", LABEL, LABEL_TEXT),
  matches("spec.names.singular", LABEL, LABEL_TEXT),
  matches("spec.names.kind", MIXED_LABEL, MIXED_CASE),
  matches("spec.names.listKind", MIXED_LABEL, MIXED_CASE),
  matches("spec.names.shortNames[]", LABEL, LABEL_TEXT),
  matches("spec.names.categories[]", LABEL, LABEL_TEXT),
  hasTwoKinds,
  required("spec.group"),
  matches("spec.group", GROUP, "should be a domain with at least one dot"),
  required("spec.scope"),
  oneOf("spec.scope", ["Cluster", "Namespaced"]),
  noWebhooks,
  oneOf("spec.conversion.strategy", ["None", "Webhook"]),
  required("spec.versions[].name"),
  matches("spec.versions[].name", LABEL, LABEL_TEXT),
  versionNames,
);

/** All field errors of a definition; `previous` null = create. */
export function definitionErrors(
  object: StoredObject,
  previous: StoredObject | null,
): readonly FieldError[] {
  const errors = [...RULES(object, previous), ...schemasErrors(object)];
  if (previous === null) return errors;
  return [...errors, ...keepsIdentity(object, previous), ...keepsStoredVersions(object, previous)];
}

/** kube-apiserver names `spec.validation` where all versions have the same schema. */
function schemasErrors(object: StoredObject): readonly FieldError[] {
  const { versions } = definitionOf(object);
  const [first] = versions;
  const isShared = versions.every((version) => equalJson(version.schema, first?.schema));
  const given = listAt(object, "spec", "versions");
  return versions.flatMap((version, index) => {
    const schemaField = `spec.versions[${index}].schema.openAPIV3Schema`;
    if (!isObject(valueAt(given[index], "schema", "openAPIV3Schema")))
      return [missing(schemaField, "schemas are required")];
    if (isShared && index > 0) return [];
    const path = isShared ? "spec.validation.openAPIV3Schema" : schemaField;
    const structural = structuralErrors(version.schema, path);
    return structural.length > 0 ? structural : ruleTree(version.schema, path).errors;
  });
}
