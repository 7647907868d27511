/**
 * Structural schemas (apiextensions.k8s.io/v1, "Specifying a structural schema"). Data only;
 * `schema-walk.ts` applies them.
 */

/** JSON types of a schema node. */
export type SchemaType = "object" | "array" | "string" | "integer" | "number" | "boolean";

/** One rule of `x-kubernetes-validations` (CEL). */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** One node. A node without type is only right with int-or-string or preserve-unknown-fields. */
export interface Schema {
  readonly type?: SchemaType;
  readonly description?: string;
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Schema of the values of a map; excludes `properties`. True = any values. */
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** True = `minimum` itself is too small (OpenAPI 3.0). */
  readonly exclusiveMinimum?: boolean;
  /** True = `maximum` itself is too large. */
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** RE2 pattern, searched (not anchored). */
  readonly pattern?: string;
  /** `int32`, `int64`, and those of `schema-formats.ts`; texts of other formats are not checked. */
  readonly format?: string;
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  /** True = a whole object: apiVersion, kind and metadata are there. */
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
  /** Strategic merge patch: how lists and objects are merged. */
  readonly "x-kubernetes-patch-strategy"?: "merge" | "retainKeys";
  /** Strategic merge patch: the key of list items. */
  readonly "x-kubernetes-patch-merge-key"?: string;
  /**
   * The node that is meant, for schemas that contain themselves. Never part of a
   * document.
   */
  readonly resolve?: () => Schema;
}

/** All keywords of a node except its type and description. */
export type Extra = Omit<Schema, "type" | "description">;

/** Strategic merge: list items are found by `key`. */
export const mergedBy = (key: string): Extra => ({
  "x-kubernetes-patch-strategy": "merge",
  "x-kubernetes-patch-merge-key": key,
});

/**
 * The schema of one field: declared, or of all values of a map. Null = the schema says nothing of
 * it.
 */
export function childSchema(schema: Schema, key: string): Schema | null {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key] ?? null;
  return typeof additionalProperties === "object" ? additionalProperties : null;
}
