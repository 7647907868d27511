/**
 * The schemas of metadata, options and built-in kinds (`built-in.txt`) by name; those of kinds are
 * called `apiVersion/kind`.
 */
import { invariant } from "@zonekeeper/base/invariant";
import text from "./built-in.txt" with { type: "text" };
import type { Schema } from "./schema.ts";
import { schemasIn } from "./schema-table.ts";

const OPEN = { "x-kubernetes-preserve-unknown-fields": true } as const;

/**
 * A schema contains itself (apiextensions.k8s.io/v1 JSONSchemaProps). Documents, which cannot
 * contain themselves, show an object of any fields.
 */
const RECURSIVE: Readonly<Record<string, Schema>> = {
  JsonSchema: { type: "object", ...OPEN, resolve: () => builtInSchema("JSONSchemaProps") },
  /** A schema, or true or false. */
  SchemaOrBoolean: { ...OPEN, resolve: () => UNTYPED_KEYWORDS },
};

const SCHEMAS = schemasIn(text, RECURSIVE);
const { type: _object, ...UNTYPED_KEYWORDS } = builtInSchema("JSONSchemaProps");

/** A schema of the file; it has to be there. */
export function builtInSchema(name: string): Schema {
  const schema = SCHEMAS[name];
  invariant(schema !== undefined, `there is no built-in schema ${name}`);
  return schema;
}
