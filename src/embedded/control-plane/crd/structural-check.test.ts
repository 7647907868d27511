import { describe, expect, test } from "vitest";
import { fieldErrorText } from "../errors/api-error.ts";
import type { JsonObject } from "../json/json.ts";
import { defaultErrors } from "./default-check.ts";
import { schemaOf } from "./definition.ts";
import { structuralErrors } from "./structural-check.ts";

const P = "spec.validation.openAPIV3Schema";
const at = (field: JsonObject): readonly string[] => {
  const openAPIV3Schema = { type: "object", properties: { a: field } };
  const schema = schemaOf({ schema: { openAPIV3Schema } });
  return [...structuralErrors(schema, P), ...defaultErrors(schema, P)].map(fieldErrorText);
};
const A = `${P}.properties[a]`;

describe("schemas that are not structural", () => {
  test.each<[string, JsonObject, string]>([
    ["no type", {}, `${A}.type: Required value: must not be empty for specified object fields`],
    [
      "items without type",
      { type: "array", items: {} },
      `${A}.items.type: Required value: must not be empty for specified array items`,
    ],
    ["no items", { type: "array" }, `${A}.items: Required value: must be specified`],
    [
      "an unknown type",
      { type: "text" },
      `${A}.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
    ["a reference", { type: "object", $ref: "#/x" }, `${A}.$ref: Forbidden: $ref is not supported`],
    [
      "pattern properties",
      { type: "object", patternProperties: {} },
      `${A}.patternProperties: Forbidden: patternProperties is not supported`,
    ],
    [
      "unique items",
      { type: "array", items: { type: "string" }, uniqueItems: true },
      `${A}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
    ],
    [
      "properties and additionalProperties",
      { type: "object", properties: {}, additionalProperties: { type: "string" } },
      `${A}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
    ],
    [
      "no additional properties",
      { type: "object", additionalProperties: false },
      `${A}.additionalProperties: Forbidden: additionalProperties cannot be set to false`,
    ],
    [
      "preserve false",
      { type: "object", "x-kubernetes-preserve-unknown-fields": false },
      `${A}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
    ],
    [
      "int-or-string with a type",
      { type: "string", "x-kubernetes-int-or-string": true },
      `${A}.type: Invalid value: "string": must be empty if x-kubernetes-int-or-string is true`,
    ],
    [
      "a pattern that only ECMAScript knows",
      { type: "string", pattern: "^(?!x)" },
      `${A}.pattern: Invalid value: "^(?!x)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: \`(?!\``,
    ],
    [
      "a type below anyOf",
      { type: "object", anyOf: [{ type: "object" }] },
      `${A}.anyOf[0].type: Forbidden: must be empty to be structural`,
    ],
    [
      "a default below not",
      { type: "string", not: { default: "x" } },
      `${A}.not.default: Forbidden: must be undefined to be structural`,
    ],
    [
      "a field that is only below allOf",
      { type: "object", allOf: [{ properties: { b: { minLength: 1 } } }] },
      `${A}.properties[b]: Required value: because it is defined in ${A}.allOf[0].properties[b]`,
    ],
    [
      "an embedded resource without fields",
      { type: "object", "x-kubernetes-embedded-resource": true },
      `${A}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
    ],
    [
      "a list type of no list",
      { type: "string", "x-kubernetes-list-type": "set" },
      `${A}.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified`,
    ],
    [
      "a map list without keys",
      { type: "array", items: { type: "object" }, "x-kubernetes-list-type": "map" },
      `${A}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
    ],
    [
      "a key that is no field",
      {
        type: "array",
        items: { type: "object", properties: {} },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
      },
      `${A}.x-kubernetes-list-map-keys[0]: Invalid value: "k": entries must all be names of item properties`,
    ],
    [
      "a key that may be absent",
      {
        type: "array",
        items: { type: "object", properties: { k: { type: "string" } } },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
      },
      "so it must have a default or be a required property",
    ],
    [
      "a set of open objects",
      { type: "array", items: { type: "object", properties: {} }, "x-kubernetes-list-type": "set" },
      `${A}.items.x-kubernetes-map-type: Invalid value: ""`,
    ],
    [
      "a map type of no map",
      { type: "string", "x-kubernetes-map-type": "atomic" },
      `${A}.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified`,
    ],
    [
      "a default of another type",
      { type: "string", default: 5 },
      `${A}.default: Invalid value: "integer": ${A}.default in body must be of type string: "integer"`,
    ],
    [
      "a default with unknown fields",
      { type: "object", properties: {}, default: { b: 1 } },
      `${A}.default: Invalid value: {"b":1}: must not have unknown fields: b`,
    ],
  ])("%s", (_what, field, message) => {
    expect(at(field).join("\n")).toContain(message);
  });
});

describe("the root", () => {
  const errors = (schema: JsonObject): string =>
    structuralErrors(schemaOf({ schema: { openAPIV3Schema: schema } }), P)
      .map(fieldErrorText)
      .join("\n");
  test.each<[string, JsonObject, string]>([
    ["has a type", {}, `${P}.type: Required value: must not be empty at the root`],
    [
      "is an object",
      { type: "string" },
      `${P}.type: Invalid value: "string": must be object at the root`,
    ],
    [
      "has fields of its own",
      { type: "object", additionalProperties: { type: "string" } },
      "must not be used at the root",
    ],
    [
      "says no more of metadata than names",
      {
        type: "object",
        properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
      },
      "must not specify anything other than name and generateName",
    ],
    [
      "has kind as text",
      { type: "object", properties: { kind: { type: "integer" } } },
      `${P}.properties[kind].type: Invalid value: "integer": must be string`,
    ],
  ])("%s", (_what, schema, message) => {
    expect(errors(schema)).toContain(message);
  });
});

test.each<[string, JsonObject]>([
  [
    "the exception for int-or-string",
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
  ],
  [
    "the same below allOf",
    {
      "x-kubernetes-int-or-string": true,
      allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { pattern: "^1" }],
    },
  ],
  [
    "narrowing of what is specified",
    {
      type: "object",
      properties: { b: { type: "string" } },
      oneOf: [{ required: ["b"], properties: { b: { enum: ["x"] } } }],
    },
  ],
  [
    "a set of atomic objects",
    {
      type: "array",
      items: { type: "object", "x-kubernetes-map-type": "atomic" },
      "x-kubernetes-list-type": "set",
    },
  ],
  [
    "a nested default",
    { type: "object", properties: { b: { type: "integer", default: 1 } }, default: {} },
  ],
  ["any values", { "x-kubernetes-preserve-unknown-fields": true }],
])("%s is structural", (_what, field) => {
  expect(at(field)).toEqual([]);
});
