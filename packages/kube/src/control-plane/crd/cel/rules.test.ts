import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, TestApi } from "../../../../../../test/support/clients/control-plane-api.ts";
import {
  DEFINITIONS,
  WIDGETS,
  widget,
  widgetDefinition,
  widgetVersion,
} from "../../../../../../test/support/values/widget-definitions.ts";
import { type JsonObject, textAt } from "../../json/json.ts";

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});
const object = (properties: JsonObject, rules: readonly unknown[] = []): JsonObject => ({
  type: "object",
  properties,
  ...(rules.length === 0 ? {} : { "x-kubernetes-validations": rules }),
});
const define = (schema: JsonObject): Promise<Answer> =>
  api.post(DEFINITIONS, widgetDefinition([widgetVersion(schema)]));
const create = (spec: unknown): Promise<Answer> => api.post(WIDGETS, widget("one", spec));
const integer = { type: "integer" };
const text = { type: "string" };
const texts = { type: "array", items: text };

/** A rule, the properties of `self`, one that holds to it, and one that does not. */
type Case = [rule: string, properties: JsonObject, valid: unknown, invalid: unknown];
/** Named formats: a text that has it, and one that has not. */
const FORMATS = [
  ["dns1123Label", "0-a", "a-"],
  ["dns1123Subdomain", "a.b", "a..b"],
  ["dns1035Label", "a-0", "0a"],
  ["dns1123LabelPrefix", "a-", "-a"],
  ["dns1123SubdomainPrefix", "a.b-", "a_b"],
  ["dns1035LabelPrefix", "a-", "0-"],
  ["qualifiedName", "example.org/Name_1", "example.org/a/b"],
  ["labelValue", "", "a b"],
  ["portName", "http-2", "80"],
  ["uri", "https://example.org/x", "example.org"],
  ["uuid", "123e4567-e89b-12d3-a456-426614174000", "123"],
  ["byte", "aGVsbG8=", "a"],
  ["date", "2026-02-28", "2026-02-30"],
  ["datetime", "2026-02-28T00:00:00Z", "2026-02-28"],
] as const;

describe("rules that hold and rules that do not", () => {
  test.each<Case>([
    [
      "self.min <= self.max",
      { min: integer, max: integer },
      { min: 1, max: 2 },
      { min: 2, max: 1 },
    ],
    ["!has(self.a) || self.a != ''", { a: text }, {}, { a: "" }],
    [
      "has(self.o[0].a) && !has( (self.o[1]) .a ) && self.o[0].a == 'x'",
      { o: { type: "array", items: { type: "object", properties: { a: text } } } },
      { o: [{ a: "x" }, {}] },
      { o: [{ a: "x" }, { a: "x" }] },
    ],
    [
      "self.o.all(x, x.l.size() == 0 || has(x.l.filter(y, has(x.l[0].a) && y.a.matches('^x'))[0].a))",
      {
        o: {
          type: "array",
          items: {
            type: "object",
            properties: {
              l: { type: "array", items: { type: "object", properties: { a: text } } },
            },
          },
        },
      },
      { o: [{ l: [{ a: "x" }] }, { l: [] }] },
      { o: [{ l: [{ a: "y" }] }] },
    ],
    [
      "has(self.map['k'].a)",
      {
        map: {
          type: "object",
          additionalProperties: { type: "object", properties: { a: text } },
        },
      },
      { map: { k: { a: "" } } },
      { map: { k: {} } },
    ],
    ["self.list.all(x, x.startsWith('a'))", { list: texts }, { list: ["ab"] }, { list: ["b"] }],
    ["self.list.exists_one(x, x == 'a')", { list: texts }, { list: ["a"] }, { list: ["a", "a"] }],
    [
      "self.list.filter(x, size(x) > 1).size() < 2",
      { list: texts },
      { list: ["a", "bb"] },
      { list: ["aa", "bb"] },
    ],
    [
      "self.map.all(k, k.matches('^[a-z]+$') && self.map[k] > 0)",
      { map: { type: "object", additionalProperties: integer } },
      { map: { a: 1, constructor: 1 } },
      { map: { a: 0 } },
    ],
    ["self.a.matches('^(a+)+$')", { a: text }, { a: "aa" }, { a: `${"a".repeat(2000)}b` }],
    [
      "isIP(self.a) && !isCIDR(self.a)",
      { a: text },
      { a: "2001:db8::1" },
      { a: "::ffff:192.0.2.1" },
    ],
    ["isCIDR(self.a)", { a: text }, { a: "10.0.0.0/32" }, { a: "10.0.0.0/33" }],
    ["isCIDR(self.a)", { a: text }, { a: "2001:db8::/0" }, { a: "2001:db8::/1/1" }],
    [
      "isURL(self.a) && url(self.a).getScheme() == 'https'",
      { a: text },
      { a: "https://example.org:8080/x?y=1" },
      { a: "example.org" },
    ],
    ["duration(self.a) > duration('1m')", { a: text }, { a: "1h" }, { a: "1s" }],
    [
      "self.at > timestamp('2020-01-01T00:00:00Z')",
      { at: { type: "string", format: "date-time" } },
      { at: "2021-01-01T00:00:00Z" },
      { at: "2019-01-01T00:00:00Z" },
    ],
    ["self.x > 1.5", { x: { type: "number" } }, { x: 2 }, { x: 1 }],
    [
      "self.__namespace__ == self.a__dash__b",
      { namespace: text, "a-b": text },
      { namespace: "x", "a-b": "x" },
      { namespace: "x", "a-b": "y" },
    ],
    [
      "self.namespace == 'x' && has(self.namespace) && self == self",
      { namespace: text },
      { namespace: "x" },
      { namespace: "y" },
    ],
    ...FORMATS.map(
      ([format, valid, invalid]): Case => [
        `!format.${format}().validate(self.a).hasValue()`,
        { a: text },
        { a: valid },
        { a: invalid },
      ],
    ),
    [
      "size(self.a) == 0 || format.dns1123Label().validate(self.a) == null || self.a != 'B'",
      { a: text },
      { a: "a" },
      { a: "B" },
    ],
    [
      "type(self.p) == string ? self.p.endsWith('%') : self.p > 0",
      { p: { "x-kubernetes-int-or-string": true } },
      { p: "5%" },
      { p: 0 },
    ],
    ["self.?a.orValue('x') == 'x'", { a: text }, {}, { a: "y" }],
  ])("%s", async (rule, properties, right, wrong) => {
    await api.made(define(object(properties, [{ rule, message: "broken" }])));
    const refused = await create(wrong);
    expect(textAt(refused.body, "message")).toContain("broken");
    expect(refused.status).toBe(422);
    const made = await create(right);
    expect(textAt(made.body, "message")).toBe("");
    expect(made.status).toBe(201);
  });
});

describe("what is said", () => {
  test.each<[string, JsonObject, string]>([
    [
      "the rule itself",
      { rule: "self.a > 5" },
      'spec: Invalid value: "object": failed rule: self.a > 5',
    ],
    [
      "its message",
      { rule: "self.a > 5", message: "too small" },
      'spec: Invalid value: "object": too small',
    ],
    [
      "its expression",
      { rule: "self.a > 5", messageExpression: "string(self.a) + ' is too small'" },
      'spec: Invalid value: "object": 1 is too small',
    ],
    [
      "what a format says",
      {
        rule: "!format.dns1035Label().validate(string(self.a)).hasValue()",
        messageExpression: "format.dns1035Label().validate(string(self.a)).orValue([]).join(' & ')",
      },
      'spec: Invalid value: "object": a DNS-1035 label must consist of lower case',
    ],
    [
      "its message when the expression fails",
      { rule: "self.a > 5", messageExpression: "self.b", message: "too small" },
      "too small",
    ],
    [
      "its field and reason",
      { rule: "self.a > 5", message: "no", fieldPath: ".a", reason: "FieldValueForbidden" },
      "spec.a: Forbidden: no",
    ],
    [
      "an error of evaluation",
      { rule: "self.b == 'x'" },
      "no such key: b evaluating rule: self.b == 'x'",
    ],
  ])("%s", async (_what, rule, message) => {
    await api.made(define(object({ a: integer, b: text }, [rule])));
    const answer = await create({ a: 1 });
    expect(textAt(answer.body, "message")).toContain(message);
  });

  test("rules wait until the schema is met", async () => {
    await api.made(define(object({ a: { ...integer, minimum: 3 } }, [{ rule: "self.a > 5" }])));
    const answer = await create({ a: 1 });
    expect(textAt(answer.body, "message")).not.toContain("failed rule");
  });

  test("the root knows names, and nothing else of metadata", async () => {
    const schema = object({ spec: object({}) }, [{ rule: "self.metadata.name.startsWith('a')" }]);
    const version = widgetVersion(undefined, { schema: { openAPIV3Schema: schema } });
    await api.made(api.post(DEFINITIONS, widgetDefinition([version])));
    const answer = await create({});
    expect(textAt(answer.body, "message")).toContain('<nil>: Invalid value: "object": failed rule');
    expect((await api.post(WIDGETS, widget("ab", {}))).status).toBe(201);
  });
});

describe("changes", () => {
  const change = async (before: unknown, after: unknown): Promise<number> => {
    await api.made(create(before));
    const current = await api.made(api.get(`${WIDGETS}/one`));
    return (await api.put(`${WIDGETS}/one`, { ...current, spec: after })).status;
  };

  test("a rule with oldSelf is about changes only", async () => {
    await api.made(
      define(
        object({ a: { ...integer, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] } }),
      ),
    );
    expect(await change({ a: 1 }, { a: 2 })).toBe(422);
  });

  test("a field that was not there before has nothing to compare with", async () => {
    await api.made(
      define(
        object({ a: { ...integer, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] } }),
      ),
    );
    expect(await change({}, { a: 2 })).toBe(200);
  });

  test("an optional oldSelf is looked at in new objects too", async () => {
    const rule = { rule: "oldSelf.hasValue() || self == 1", optionalOldSelf: true };
    await api.made(define(object({ a: { ...integer, "x-kubernetes-validations": [rule] } })));
    expect((await create({ a: 2 })).status).toBe(422);
    expect(await change({ a: 1 }, { a: 2 })).toBe(200);
  });

  test("items of a map list are compared by their keys", async () => {
    const item = {
      ...object({ k: text, v: integer }, [{ rule: "self.v >= oldSelf.v" }]),
      required: ["k"],
    };
    const list = {
      type: "array",
      items: item,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    };
    await api.made(define(object({ list })));
    const before = {
      list: [
        { k: "a", v: 1 },
        { k: "b", v: 5 },
      ],
    };
    expect(
      await change(before, {
        list: [
          { k: "b", v: 4 },
          { k: "a", v: 2 },
        ],
      }),
    ).toBe(422);
    const current = await api.made(api.get(`${WIDGETS}/one`));
    const moved = {
      list: [
        { k: "b", v: 5 },
        { k: "c", v: 0 },
        { k: "a", v: 2 },
      ],
    };
    expect((await api.put(`${WIDGETS}/one`, { ...current, spec: moved })).status).toBe(200);
  });
});

describe("rules that definitions must not have", () => {
  const list = {
    type: "array",
    items: { ...integer, "x-kubernetes-validations": [{ rule: "self >= oldSelf" }] },
  };
  test.each<[string, JsonObject, string]>([
    [
      "no CEL",
      object({}, [{ rule: "1 +" }]),
      'x-kubernetes-validations[0].rule: Invalid value: "1 +": compilation failed: ERROR: Unexpected token',
    ],
    [
      "an unknown field",
      object({ a: integer }, [{ rule: "self.b == 1" }]),
      "compilation failed: ERROR: undefined field 'b'",
    ],
    [
      "an unknown field of items",
      object({ l: { type: "array", items: object({ a: text }) } }, [
        { rule: "self.l.all(x, x.b == '')" },
      ]),
      "undefined field 'b'",
    ],
    [
      "an unknown function",
      object({ a: integer }, [{ rule: "frob(self.a)" }]),
      "found no matching overload for 'frob",
    ],
    [
      "another type",
      object({ a: { ...integer, "x-kubernetes-validations": [{ rule: "self == 'x'" }] } }),
      "no such overload: int == string",
    ],
    [
      "no answer of yes or no",
      object({ a: integer }, [{ rule: "'x'" }]),
      "must evaluate to a bool",
    ],
    [
      "a pattern that RE2 does not know",
      object({ a: text }, [{ rule: "self.a.matches('(?=a)')" }]),
      "invalid or unsupported Perl syntax",
    ],
    [
      "oldSelf where items have no partner",
      object({ list }),
      "oldSelf cannot be used on the uncorrelatable portion of the schema",
    ],
    [
      "loops without bound",
      object({ l: texts }, [
        { rule: "self.l.all(a, self.l.all(b, self.l.all(c, self.l.all(d, true))))" },
      ]),
      "loops nest deeper than 3",
    ],
  ])("%s", async (_what, schema, message) => {
    const answer = await define(schema);
    expect(answer.status).toBe(422);
    expect(textAt(answer.body, "message")).toContain(message);
  });
});

test("what a rule may cost is bounded, and the object is refused beyond", async () => {
  const rule = "self.l.all(a, self.l.all(b, a >= b || true))";
  await api.made(define(object({ l: texts }, [{ rule }])));
  const l = Array.from({ length: 1001 }, (_each, index) => String(index));
  expect((await create({ l: l.slice(0, 30) })).status).toBe(201);
  const answer = await api.post(WIDGETS, widget("two", { l }));
  expect(answer.status).toBe(422);
  expect(textAt(answer.body, "message")).toContain("running out of cost budget");
});
