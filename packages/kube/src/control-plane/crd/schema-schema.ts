/** The schema of schemas: apiextensions.k8s.io/v1 JSONSchemaProps, which contains itself. */
import type { Schema } from "../schema/schema.ts";
import { schemaOf } from "../schema/schema-table.ts";

/**
 * A schema inside of a schema. Documents show an object of any fields: they cannot contain
 * themselves.
 */
export const JSON_SCHEMA: Schema = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
  resolve: () => KEYWORDS,
};

/** A schema, or true or false. */
const SCHEMA_OR_BOOLEAN: Schema = {
  "x-kubernetes-preserve-unknown-fields": true,
  resolve: () => UNTYPED_KEYWORDS,
};

const KEYWORDS: Schema = schemaOf(
  "A schema.",
  `
  id                              | Not allowed.
  $schema                         | Ignored.
  $ref                            | Not allowed.
  description                     | For people.
  type                            | object, array, string, integer, number or boolean.
  format                          | Format of a text or number.
  title                           | For people.
  default any                     | Value of a field that is absent.
  maximum number                  | Largest number.
  exclusiveMaximum bool           | True = maximum itself is too large.
  minimum number                  | Smallest number.
  exclusiveMinimum bool           | True = minimum itself is too small.
  maxLength int64                 | Characters at most.
  minLength int64                 | Characters at least.
  pattern                         | RE2 expression that has to match somewhere.
  maxItems int64                  | Items at most.
  minItems int64                  | Items at least.
  uniqueItems bool                | Not allowed: use x-kubernetes-list-type: set.
  multipleOf number               | Number that the value is a multiple of.
  enum [any]                      | Values that are allowed.
  maxProperties int64             | Fields at most.
  minProperties int64             | Fields at least.
  required []                     | Fields that must be present.
  items SchemaOrBoolean           | Schema of the items of a list.
  allOf [JsonSchema]              | All have to hold.
  oneOf [JsonSchema]              | Exactly one has to hold.
  anyOf [JsonSchema]              | At least one has to hold.
  not JsonSchema                  | Must not hold.
  properties {JsonSchema}         | Schemas of the fields.
  additionalProperties SchemaOrBoolean | Schema of the values of a map.
  patternProperties {JsonSchema}  | Not allowed.
  dependencies {any}              | Not allowed.
  additionalItems SchemaOrBoolean | Not allowed.
  definitions {JsonSchema}        | Not allowed.
  externalDocs open               | More to read.
  example any                     | An example.
  nullable bool                   | True = null is allowed.
  x-kubernetes-preserve-unknown-fields bool | True = unknown fields are kept.
  x-kubernetes-embedded-resource bool | True = a whole object.
  x-kubernetes-int-or-string bool | True = a whole number or a text.
  x-kubernetes-list-map-keys []   | Keys of a list of type map.
  x-kubernetes-list-type          | atomic, set or map.
  x-kubernetes-map-type           | granular or atomic.
  x-kubernetes-validations [] list=map:rule key=rule | Rules in CEL.
    rule!                         | What has to hold; self is the value, oldSelf the value before.
    message                       | Text for objects that break the rule.
    messageExpression             | The same in CEL; comes before message.
    reason                        | FieldValueInvalid, -Forbidden, -Required or -Duplicate.
    fieldPath                     | The field that is wrong, below this one.
    optionalOldSelf bool          | True = also evaluated when there is no value before.
  `,
  { JsonSchema: JSON_SCHEMA, SchemaOrBoolean: SCHEMA_OR_BOOLEAN },
);

const { type: _object, ...UNTYPED_KEYWORDS } = KEYWORDS;
