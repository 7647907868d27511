/**
 * Shapes a value of a built-in kind along its schema and validates it. Custom kinds are shaped when
 * they are read and validated when the object is complete (`crd/custom-kind.ts`).
 */
import type { FieldError } from "../errors/api-error.ts";
import type { Schema } from "./schema.ts";
import { type Shaped, shapeOf } from "./schema-shape.ts";
import { SchemaValidator } from "./schema-validate.ts";

/** The outcome of a walk. */
export interface Walked extends Shaped {
  /** In document order; empty = valid. */
  readonly errors: readonly FieldError[];
}

/**
 * Walks `value` along `schema`; `path` is the prefix of reported fields, empty for a whole object.
 */
export function walkSchema(schema: Schema, value: unknown, path = ""): Walked {
  const shaped = shapeOf(schema, value, { nulls: "native", path });
  // kube-apiserver looks for duplicates in built-in kinds kind by kind, not by the type of a list.
  const validator = new SchemaValidator(schema, false);
  return { ...shaped, errors: validator.validate(shaped.value, path) };
}
