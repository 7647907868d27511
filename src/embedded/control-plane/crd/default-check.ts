/**
 * Defaults of a schema have to be what the schema itself accepts (apiextensions-apiserver
 * pkg/apiserver/schema/defaulting).
 */
import type { FieldError } from "../errors/api-error.ts";
import { fieldErrorText } from "../errors/api-error.ts";
import { invalid } from "../errors/field-faults.ts";
import type { Schema } from "../schema/schema.ts";
import { shapeOf } from "../schema/schema-shape.ts";
import { SchemaValidator } from "../schema/schema-validate.ts";

/** Field errors of all defaults of a structural schema. */
export function defaultErrors(schema: Schema, path: string): readonly FieldError[] {
  const errors = [...ownErrors(schema, path)];
  for (const [key, child] of Object.entries(schema.properties ?? {}))
    errors.push(...defaultErrors(child, `${path}.properties[${key}]`));
  const { items, additionalProperties } = schema;
  if (items !== undefined) errors.push(...defaultErrors(items, `${path}.items`));
  if (typeof additionalProperties === "object")
    errors.push(...defaultErrors(additionalProperties, `${path}.additionalProperties`));
  return errors;
}

function ownErrors(schema: Schema, path: string): readonly FieldError[] {
  const value = schema.default;
  if (value === undefined) return [];
  const field = `${path}.default`;
  const shaped = shapeOf(schema, value, { nulls: "custom" });
  if (shaped.unknown.length > 0)
    return [invalid(field, value, `must not have unknown fields: ${shaped.unknown.join(", ")}`)];
  const errors = new SchemaValidator(schema).validate(shaped.value, field);
  return errors.map((error) => ({ ...error, detail: error.detail || fieldErrorText(error) }));
}
