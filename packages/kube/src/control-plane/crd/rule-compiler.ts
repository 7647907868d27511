/**
 * What the rest of the control plane knows of rules in CEL: they are compiled with a schema and
 * checked on objects.
 */
import type { FieldError } from "../errors/api-error.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import type { Schema } from "../schema/schema.ts";

/** The rules of one schema. */
export interface SchemaRules {
  /** Field errors of rules that do not hold; `previous` null = the object is new. Empty = valid. */
  check(object: StoredObject, previous: StoredObject | null): readonly FieldError[];
}

/** Compiles rules. */
export interface RuleCompiler {
  /** The rules of a schema that `errorsOf` finds nothing wrong with. */
  rulesOf(schema: Schema): SchemaRules;
  /**
   * Errors of the rules of a schema; `path` is the field of the schema. Empty = they
   * compile.
   */
  errorsOf(schema: Schema, path: string): readonly FieldError[];
}

/** Of a schema without rules. */
export const NO_RULES: SchemaRules = { check: () => [] };
