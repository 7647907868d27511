/** The schema of schemas: apiextensions.k8s.io/v1 JSONSchemaProps, which contains itself. */
import {
  boolean,
  integer,
  list,
  map,
  object,
  open,
  type Properties,
  type Schema,
  text,
} from "../schema/schema.ts";

/** Any JSON value. */
const anything = (description: string): Schema => ({
  description,
  "x-kubernetes-preserve-unknown-fields": true,
});

/**
 * A schema inside of a schema. Documents show an object of any fields: they cannot contain
 * themselves.
 */
const inner = (description: string): Schema => ({
  ...open(description),
  resolve: () => SCHEMA_OF_SCHEMAS,
});

/** A schema, or true or false. */
const innerOrBoolean = (description: string): Schema => ({
  ...anything(description),
  resolve: () => OPEN_SCHEMA,
});

const number = (description: string): Schema => ({ type: "number", description });
const count = (description: string): Schema => integer(description, { format: "int64" });

/** apiextensions/v1 ValidationRule. */
const rule = object(
  "A rule in CEL.",
  {
    rule: text("What has to hold; `self` is the value, `oldSelf` the value before."),
    message: text("What to say when it does not."),
    messageExpression: text("The same in CEL; comes before message."),
    reason: text(
      "FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate.",
    ),
    fieldPath: text("The field that is to blame, below this one."),
    optionalOldSelf: boolean("True = also looked at when there is no value before."),
  },
  { required: ["rule"] },
);

const keywords: Properties = {
  id: text("Not allowed."),
  $schema: text("Not looked at."),
  $ref: text("Not allowed."),
  description: text("For people."),
  type: text("object, array, string, integer, number or boolean."),
  format: text("Format of a text or number."),
  title: text("For people."),
  default: anything("Value of a field that is not there."),
  maximum: number("Largest number."),
  exclusiveMaximum: boolean("True = maximum itself is too large."),
  minimum: number("Smallest number."),
  exclusiveMinimum: boolean("True = minimum itself is too small."),
  maxLength: count("Characters at most."),
  minLength: count("Characters at least."),
  pattern: text("RE2 expression that has to match somewhere."),
  maxItems: count("Items at most."),
  minItems: count("Items at least."),
  uniqueItems: boolean("Not allowed: use x-kubernetes-list-type: set."),
  multipleOf: number("Number that the value is a multiple of."),
  enum: list("Values that are allowed.", anything("A value.")),
  maxProperties: count("Fields at most."),
  minProperties: count("Fields at least."),
  required: list("Fields that have to be there.", text("A name.")),
  items: innerOrBoolean("Schema of the items of a list."),
  allOf: list("All have to hold.", inner("A schema.")),
  oneOf: list("Exactly one has to hold.", inner("A schema.")),
  anyOf: list("At least one has to hold.", inner("A schema.")),
  not: inner("Must not hold."),
  properties: map("Schemas of the fields.", inner("A schema.")),
  additionalProperties: innerOrBoolean("Schema of the values of a map."),
  patternProperties: map("Not allowed.", inner("A schema.")),
  dependencies: map("Not allowed.", anything("A dependency.")),
  additionalItems: innerOrBoolean("Not allowed."),
  definitions: map("Not allowed.", inner("A schema.")),
  externalDocs: object("More to read.", {
    description: text("For people."),
    url: text("Where."),
  }),
  example: anything("An example."),
  nullable: boolean("True = null is allowed."),
  "x-kubernetes-preserve-unknown-fields": boolean("True = fields that are not known are kept."),
  "x-kubernetes-embedded-resource": boolean("True = a whole object."),
  "x-kubernetes-int-or-string": boolean("True = a whole number or a text."),
  "x-kubernetes-list-map-keys": list("Keys of a list of type map.", text("A name.")),
  "x-kubernetes-list-type": text("atomic, set or map."),
  "x-kubernetes-map-type": text("granular or atomic."),
  "x-kubernetes-validations": list("Rules.", rule, {
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["rule"],
    "x-kubernetes-patch-strategy": "merge",
    "x-kubernetes-patch-merge-key": "rule",
  }),
};

/** A schema. */
const SCHEMA_OF_SCHEMAS: Schema = object("A schema.", keywords);
/** The same without type. */
const OPEN_SCHEMA: Schema = { properties: keywords };

/** The schema of `openAPIV3Schema`. */
export const OPEN_API_SCHEMA: Schema = inner("Schema of the objects.");
