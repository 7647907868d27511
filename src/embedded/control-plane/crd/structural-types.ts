/**
 * Rules of `x-kubernetes-list-type`, `-list-map-keys` and `-map-type` in definitions
 * (apiextensions-apiserver pkg/apis/apiextensions/validation). Pure.
 */
import type { FieldError } from "../errors/api-error.ts";
import { forbidden, invalid, required, unsupported } from "../errors/field-faults.ts";
import type { Schema } from "../schema/schema.ts";

const LIST_TYPE = "x-kubernetes-list-type";
const LIST_KEYS = "x-kubernetes-list-map-keys";
const MAP_TYPE = "x-kubernetes-map-type";

/** Field errors of the list type of a node. */
export function listErrors(schema: Schema, path: string): readonly FieldError[] {
  const listType: string | undefined = schema[LIST_TYPE];
  const keys = schema[LIST_KEYS] ?? [];
  if (listType === undefined)
    return keys.length === 0
      ? []
      : [required(`${path}.${LIST_TYPE}`, `must be map if ${LIST_KEYS} is non-empty`)];
  const errors = [...wholeTypeErrors(schema, path, { type: "array", keyword: LIST_TYPE })];
  if (!["atomic", "map", "set"].includes(listType))
    errors.push(unsupported(`${path}.${LIST_TYPE}`, listType, ["atomic", "map", "set"]));
  if (listType !== "map" && keys.length > 0)
    errors.push(
      invalid(`${path}.${LIST_TYPE}`, listType, `must be map if ${LIST_KEYS} is non-empty`),
    );
  if (listType === "map") errors.push(...keyErrors(schema, path));
  if (listType === "set" && schema.items !== undefined)
    errors.push(...setErrors(schema.items, path));
  return errors;
}

/** Each keyword goes with one type. */
function wholeTypeErrors(
  schema: Schema,
  path: string,
  rule: { readonly type: string; readonly keyword: string },
): readonly FieldError[] {
  if (schema.type === rule.type) return [];
  const detail = `must be ${rule.type} if ${rule.keyword} is specified`;
  return [invalid(`${path}.type`, schema.type ?? "", detail)];
}

/** Field errors of the map type of a node. */
export function mapErrors(schema: Schema, path: string): readonly FieldError[] {
  const mapType: string | undefined = schema[MAP_TYPE];
  if (mapType === undefined) return [];
  const errors = [...wholeTypeErrors(schema, path, { type: "object", keyword: MAP_TYPE })];
  if (mapType !== "atomic" && mapType !== "granular")
    errors.push(unsupported(`${path}.${MAP_TYPE}`, mapType, ["atomic", "granular"]));
  return errors;
}

/** Items of a map list are objects, and their keys are there and simple. */
function keyErrors(schema: Schema, path: string): readonly FieldError[] {
  const keys = schema[LIST_KEYS] ?? [];
  const { items } = schema;
  if (keys.length === 0)
    return [required(`${path}.${LIST_KEYS}`, `must not be empty if ${LIST_TYPE} is map`)];
  if (items === undefined)
    return [required(`${path}.items`, `must have a schema if ${LIST_TYPE} is map`)];
  if (items.type !== "object")
    return [
      invalid(
        `${path}.items.type`,
        items.type ?? "",
        `must be object if parent array's ${LIST_TYPE} is map`,
      ),
    ];
  return keys.flatMap((key, index) => [
    ...(keys.indexOf(key) === index
      ? []
      : [
          {
            field: `${path}.${LIST_KEYS}[${index}]`,
            reason: "FieldValueDuplicate" as const,
            value: key,
            detail: "",
          },
        ]),
    ...oneKeyErrors(items, key, { path, index }),
  ]);
}

function oneKeyErrors(
  items: Schema,
  key: string,
  where: { readonly path: string; readonly index: number },
): readonly FieldError[] {
  const node = items.properties?.[key];
  if (node === undefined)
    return [
      invalid(
        `${where.path}.${LIST_KEYS}[${where.index}]`,
        key,
        "entries must all be names of item properties",
      ),
    ];
  const field = `${where.path}.items.properties[${key}]`;
  const errors: FieldError[] = [];
  if (node.type === "array" || node.type === "object")
    errors.push(
      invalid(
        `${field}.type`,
        node.type,
        `must be a scalar type if parent array's ${LIST_TYPE} is map`,
      ),
    );
  if (node.nullable === true)
    errors.push(
      forbidden(`${field}.nullable`, `this property is in ${LIST_KEYS}, so it cannot be nullable`),
    );
  if (node.default === undefined && !(items.required ?? []).includes(key))
    errors.push(
      required(
        `${field}.default`,
        `this property is in ${LIST_KEYS}, so it must have a default or be a required property`,
      ),
    );
  return errors;
}

/** Items of a set are compared as a whole. */
function setErrors(items: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (items.nullable === true)
    errors.push(forbidden(`${path}.items.nullable`, `cannot be nullable when ${LIST_TYPE} is set`));
  if (items.type === "object" && items[MAP_TYPE] !== "atomic")
    errors.push(
      invalid(
        `${path}.items.${MAP_TYPE}`,
        items[MAP_TYPE] ?? "",
        `must be atomic as item of a list with ${LIST_TYPE}=set`,
      ),
    );
  if (items.type === "array" && items[LIST_TYPE] !== undefined && items[LIST_TYPE] !== "atomic")
    errors.push(
      invalid(
        `${path}.items.${LIST_TYPE}`,
        items[LIST_TYPE],
        `must be atomic as item of a list with ${LIST_TYPE}=set`,
      ),
    );
  return errors;
}
