/**
 * Below `allOf`, `anyOf`, `oneOf` and `not` a structural schema only narrows what is said outside
 * of them: no types, defaults or descriptions, and no fields that are not specified outside
 * (apiextensions-apiserver pkg/apiserver/schema). Pure.
 */
import type { FieldError } from "../errors/api-error.ts";
import { forbidden, required } from "../errors/field-faults.ts";
import { equalJson } from "../json/json.ts";
import type { Schema } from "../schema/schema.ts";

/** Keywords that must not stand below logic, and how that is said. */
const OUTSIDE_ONLY: readonly (readonly [keyof Schema, string])[] = [
  ["type", "must be empty to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];
/** The one way in which types may stand below logic. */
const INT_OR_STRING: readonly Schema[] = [{ type: "integer" }, { type: "string" }];

/**
 * Schemas below the logic of a node, with their paths; the exception for int-or-string is left out.
 */
function branches(schema: Schema, path: string): readonly (readonly [Schema, string])[] {
  const isIntOrString = schema["x-kubernetes-int-or-string"] === true;
  const listed = (["allOf", "anyOf", "oneOf"] as const).flatMap((key) =>
    (schema[key] ?? []).map((each, index) => [each, `${path}.${key}[${index}]`] as const),
  );
  const negated: readonly (readonly [Schema, string])[] =
    schema.not === undefined ? [] : [[schema.not, `${path}.not`]];
  const all = [...listed, ...negated];
  if (!isIntOrString) return all;
  if (equalJson(schema.anyOf, INT_OR_STRING))
    return all.filter(([, where]) => !where.startsWith(`${path}.anyOf`));
  const first = schema.allOf?.[0];
  return equalJson(first?.anyOf, INT_OR_STRING)
    ? all.filter(([, where]) => where !== `${path}.allOf[0]`)
    : all;
}

/** Field errors of everything below the logic of a node. */
export function nestedErrors(schema: Schema, path: string): readonly FieldError[] {
  return branches(schema, path).flatMap(([branch, where]) => branchErrors(branch, where));
}

function branchErrors(branch: Schema, path: string): readonly FieldError[] {
  const errors = OUTSIDE_ONLY.filter(([key]) => isSaid(branch[key])).map(([key, detail]) =>
    forbidden(`${path}.${key}`, detail),
  );
  if (branch.properties?.["metadata"] !== undefined)
    errors.push(
      forbidden(`${path}.properties[metadata]`, "must not be specified in a nested context"),
    );
  for (const [key, child] of Object.entries(branch.properties ?? {}))
    errors.push(...branchErrors(child, `${path}.properties[${key}]`));
  if (branch.items !== undefined) errors.push(...branchErrors(branch.items, `${path}.items`));
  return [...errors, ...nestedErrors(branch, path)];
}

/** False, empty text and empty lists say nothing. */
const isSaid = (value: unknown): boolean =>
  value !== undefined &&
  value !== false &&
  value !== "" &&
  !(Array.isArray(value) && value.length === 0);

/** Field errors of fields and items that stand below logic but not outside of it. */
export function completenessErrors(schema: Schema, path: string): readonly FieldError[] {
  const errors = branches(schema, path).flatMap(([branch, where]) =>
    missing({ outside: schema, path }, branch, where),
  );
  for (const [key, child] of Object.entries(schema.properties ?? {}))
    errors.push(...completenessErrors(child, `${path}.properties[${key}]`));
  const { items, additionalProperties } = schema;
  if (items !== undefined) errors.push(...completenessErrors(items, `${path}.items`));
  if (typeof additionalProperties === "object")
    errors.push(...completenessErrors(additionalProperties, `${path}.additionalProperties`));
  return errors;
}

function missing(
  at: { readonly outside: Schema; readonly path: string },
  branch: Schema,
  where: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, child] of Object.entries(branch.properties ?? {})) {
    const outside = at.outside.properties?.[key];
    const path = `${at.path}.properties[${key}]`;
    const source = `${where}.properties[${key}]`;
    if (outside === undefined) errors.push(required(path, `because it is defined in ${source}`));
    else errors.push(...missing({ outside, path }, child, source));
  }
  if (branch.items !== undefined) {
    const { items } = at.outside;
    if (items === undefined)
      errors.push(required(`${at.path}.items`, `because it is defined in ${where}.items`));
    else
      errors.push(
        ...missing({ outside: items, path: `${at.path}.items` }, branch.items, `${where}.items`),
      );
  }
  for (const [inner, source] of branches(branch, where)) errors.push(...missing(at, inner, source));
  return errors;
}
