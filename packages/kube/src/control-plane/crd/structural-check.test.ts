import { describe, expect, test } from "vitest";
import { fieldErrorText } from "../errors/api-error.ts";
import type { JsonObject } from "../json/json.ts";
import { schemaOf } from "./definition.ts";
import { structuralErrors } from "./structural-check.ts";

const P = "spec.validation.openAPIV3Schema";
const at = (field: JsonObject): readonly string[] => {
  const openAPIV3Schema = { type: "object", properties: { a: field } };
  const schema = schemaOf({ schema: { openAPIV3Schema } });
  return structuralErrors(schema, P).map(fieldErrorText);
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
      "a pattern that only ECMAScript knows",
      { type: "string", pattern: "^(?!x)" },
      `${A}.pattern: Invalid value: "^(?!x)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: \`(?!\``,
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
