import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, TestApi } from "../../../../../test/support/clients/control-plane-api.ts";
import {
  DEFINITIONS,
  WIDGETS,
  widget,
  widgetDefinition,
  widgetVersion,
} from "../../../../../test/support/values/widget-definitions.ts";
import { type JsonObject, listAt, textAt, valueAt } from "../json/json.ts";

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});
const OPEN = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const define = (...versions: readonly JsonObject[]): Promise<JsonObject> =>
  api.made(api.post(DEFINITIONS, widgetDefinition(versions)));
const withField = (field: JsonObject): Promise<JsonObject> =>
  define(widgetVersion({ type: "object", properties: { a: field } }));
const strict = (spec: unknown): Promise<Answer> =>
  api.post(`${WIDGETS}?fieldValidation=Strict`, widget("one", spec));

describe("validation", () => {
  const map = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
  };
  const keyed = {
    ...map,
    items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
  };
  test.each<[string, JsonObject, unknown, string]>([
    [
      "type",
      { type: "integer" },
      "x",
      'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
    ],
    [
      "null in a list",
      { type: "array", items: { type: "string" } },
      [null],
      'spec.a[0]: Invalid value: "null": spec.a[0] in body must be of type string: "null"',
    ],
    ["a fraction", { type: "integer" }, 1.5, 'must be of type integer: "number"'],
    [
      "int or string",
      { "x-kubernetes-int-or-string": true },
      true,
      'must be of type integer,string: "boolean"',
    ],
    [
      "enum",
      { type: "string", enum: ["x", "y"] },
      "z",
      'spec.a: Unsupported value: "z": supported values: "x", "y"',
    ],
    [
      "enum of numbers",
      { type: "integer", enum: [1, 2] },
      3,
      "spec.a: Unsupported value: 3: supported values: 1, 2",
    ],
    [
      "pattern",
      { type: "string", pattern: "^[a-z]+$" },
      "A",
      "spec.a in body should match '^[a-z]+$'",
    ],
    [
      "minimum",
      { type: "integer", minimum: 2 },
      1,
      "spec.a: Invalid value: 1: spec.a in body should be greater than or equal to 2",
    ],
    [
      "exclusive minimum",
      { type: "integer", minimum: 2, exclusiveMinimum: true },
      2,
      "should be greater than 2",
    ],
    ["maximum", { type: "number", maximum: 2.5 }, 3, "should be less than or equal to 2.5"],
    [
      "exclusive maximum",
      { type: "integer", maximum: 2, exclusiveMaximum: true },
      2,
      "should be less than 2",
    ],
    ["multiple", { type: "integer", multipleOf: 5 }, 7, "should be a multiple of 5"],
    ["multiple of a fraction", { type: "number", multipleOf: 0.1 }, 0.35, "a multiple of 0.1"],
    [
      "longest",
      { type: "string", maxLength: 1 },
      "äö",
      "spec.a: Too long: may not be more than 1 bytes",
    ],
    [
      "shortest",
      { type: "string", minLength: 2 },
      "😀",
      "spec.a in body should be at least 2 chars long",
    ],
    [
      "most items",
      { type: "array", items: { type: "string" }, maxItems: 1 },
      ["a", "b"],
      "spec.a: Too many: 2: must have at most 1 items",
    ],
    [
      "fewest items",
      { type: "array", items: { type: "string" }, minItems: 1 },
      [],
      "spec.a in body should have at least 1 items",
    ],
    [
      "most properties",
      { type: "object", additionalProperties: { type: "string" }, maxProperties: 1 },
      { x: "", y: "" },
      "spec.a: Too many: 2: must have at most 1 items",
    ],
    [
      "fewest properties",
      { type: "object", additionalProperties: { type: "string" }, minProperties: 1 },
      {},
      "should have at least 1 properties",
    ],
    [
      "values of a map",
      { type: "object", additionalProperties: { type: "integer" } },
      { x: "1" },
      'spec.a.x: Invalid value: "string"',
    ],
    [
      "items",
      { type: "array", items: { type: "integer" } },
      [1, "2"],
      'spec.a[1]: Invalid value: "string"',
    ],
    [
      "required",
      { type: "object", required: ["b"], properties: { b: { type: "string" } } },
      {},
      "spec.a.b: Required value",
    ],
    [
      "anyOf",
      {
        type: "object",
        properties: { b: { type: "integer" } },
        anyOf: [{ required: ["b"] }, { properties: { b: { maximum: 0 } }, required: ["b"] }],
      },
      {},
      '"spec.a" must validate at least one schema (anyOf), spec.a.b: Required value',
    ],
    [
      "oneOf",
      { type: "string", oneOf: [{ maxLength: 3 }, { pattern: "x" }] },
      "x",
      '"spec.a" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
    [
      "allOf",
      { type: "string", allOf: [{ maxLength: 3 }] },
      "xxxx",
      '"spec.a" must validate all the schemas (allOf)',
    ],
    [
      "not",
      { type: "string", not: { pattern: "x" } },
      "x",
      '"spec.a" must not validate the schema (not)',
    ],
    [
      "a set",
      { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
      ["x", "x"],
      'spec.a[1]: Duplicate value: "x"',
    ],
    [
      "keys of a map list",
      keyed,
      [{ k: "x" }, { k: "x" }],
      'spec.a[1]: Duplicate value: {"k":"x"}',
    ],
    [
      "an embedded resource",
      {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
      { kind: "A" },
      "spec.a.apiVersion: Required value: must not be empty",
    ],
    [
      "ipv4",
      { type: "string", format: "ipv4" },
      "1.2.3",
      'spec.a in body must be of type ipv4: "1.2.3"',
    ],
    ["ipv6", { type: "string", format: "ipv6" }, "::g", "must be of type ipv6"],
    ["cidr", { type: "string", format: "cidr" }, "10.0.0.0/33", "must be of type cidr"],
    [
      "date-time",
      { type: "string", format: "date-time" },
      "2020-13-01T00:00:00Z",
      "must be of type date-time",
    ],
    ["duration", { type: "string", format: "duration" }, "1x", "must be of type duration"],
    ["uuid", { type: "string", format: "uuid" }, "1", "must be of type uuid"],
  ])("%s", async (_what, field, value, message) => {
    await withField(field);
    const answer = await strict({ a: value });
    expect(answer.status).toBe(422);
    expect(textAt(answer.body, "message")).toContain(message);
  });

  test("an empty list of alternatives demands nothing", async () => {
    await withField({ type: "string", allOf: [], anyOf: [], oneOf: [] });
    expect((await strict({ a: "x" })).status).toBe(201);
  });

  test("a format that nobody knows, null where it is allowed, and numbers without fraction pass", async () => {
    const properties = {
      a: { type: "string", format: "phone" },
      b: { type: "string", nullable: true },
      c: { type: "integer", format: "int32" },
      d: { type: "number", multipleOf: 0.1 },
    };
    await define(widgetVersion({ type: "object", properties }));
    expect((await strict({ a: "x", b: null, c: 2.0, d: 0.3 })).status).toBe(201);
  });

  test("an expression that would hang ECMAScript does not hang the server", async () => {
    await withField({ type: "string", pattern: "^(a+)+$" });
    expect((await strict({ a: `${"a".repeat(5000)}!` })).status).toBe(422);
  });

  test("names may be restricted", async () => {
    const schema = {
      type: "object",
      properties: {
        metadata: { type: "object", properties: { name: { type: "string", maxLength: 3 } } },
      },
    };
    await define(widgetVersion(undefined, { schema: { openAPIV3Schema: schema } }));
    const answer = await api.post(WIDGETS, widget("four", undefined));
    expect(textAt(answer.body, "message")).toContain("metadata.name: Too long");
  });
});

describe("shape", () => {
  test("unknown fields go, with a warning; Strict refuses them", async () => {
    await withField({ type: "object", properties: { b: { type: "string" } } });
    const refused = await strict({ a: { b: "x", c: 1 } });
    expect(textAt(refused.body, "message")).toContain('unknown field "spec.a.c"');
    const answer = await api.post(WIDGETS, widget("one", { a: { b: "x", c: 1 } }));
    expect(valueAt(answer.body, "spec")).toEqual({ a: { b: "x" } });
    expect(answer.headers["warning"]).toContain("spec.a.c");
  });

  test("defaults are filled in, also in defaults and in the place of null", async () => {
    const properties = {
      a: { type: "object", default: {}, properties: { b: { type: "integer", default: 1 } } },
      c: { type: "string", default: "x" },
      d: { type: "string", nullable: true, default: "x" },
      e: {
        type: "array",
        items: { type: "object", properties: { f: { type: "boolean", default: true } } },
      },
    };
    await define(widgetVersion({ type: "object", properties }));
    const made = await api.made(strict({ c: null, d: null, e: [{}] }));
    expect(valueAt(made, "spec")).toEqual({ a: { b: 1 }, c: "x", d: null, e: [{ f: true }] });
  });

  test("a creation drops its status and gets the default of one, with its defaults", async () => {
    const seen = { type: "integer", default: -1 };
    const status = { type: "object", default: {}, properties: { seen, note: { type: "string" } } };
    const openAPIV3Schema = { type: "object", properties: { status } };
    const more = { schema: { openAPIV3Schema }, subresources: { status: {} } };
    await define(widgetVersion(undefined, more));
    const made = await api.made(
      api.post(WIDGETS, { ...widget("one", undefined), status: { note: "mine" } }),
    );
    expect(valueAt(made, "status")).toEqual({ seen: -1 });
    expect(valueAt(made, "metadata", "generation")).toBe(1);
    const patched = api.patch(`${WIDGETS}/one/status`, { status: { note: "x" } });
    expect(valueAt(await api.made(patched), "status")).toEqual({ seen: -1, note: "x" });
  });

  test("nulls of fields and map values that are not nullable are taken out, as Go clients send them", async () => {
    const text = { type: "string" };
    const free = { "x-kubernetes-preserve-unknown-fields": true };
    const properties = {
      a: text,
      b: { type: "object", additionalProperties: text },
      c: { type: "array", items: { type: "object", properties: { d: text } } },
      e: { type: "object", additionalProperties: { ...text, nullable: true } },
      f: free,
      g: { type: "object", ...free },
    };
    await define(widgetVersion({ type: "object", properties }));
    const b = { x: null, y: "" };
    const sent = { a: null, b, c: [{ d: null }], e: { x: null }, f: null, g: { x: null } };
    const made = await api.made(strict(sent));
    const kept = { b: { y: "" }, c: [{}], e: { x: null }, g: { x: null } };
    expect(valueAt(made, "spec")).toEqual(kept);
    const removed = await api.made(api.patch(`${WIDGETS}/one`, { spec: { b: { y: null } } }));
    expect(valueAt(removed, "spec")).toEqual({ ...kept, b: {} });
  });

  test("where unknown fields are kept, known ones are still looked at", async () => {
    const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    await withField({ ...open, properties: { b: { type: "object", properties: {} } } });
    const made = await api.made(strict({ a: { x: { y: null }, b: {} } }));
    expect(valueAt(made, "spec", "a")).toEqual({ x: { y: null }, b: {} });
    expect(
      (await api.patch(`${WIDGETS}/one`, { spec: { a: { b: { z: 1 } } } })).headers["warning"],
    ).toContain("spec.a.b.z");
  });
});

describe("subresources", () => {
  const version = widgetVersion(
    { type: "object", properties: { replicas: { type: "integer" } } },
    {
      subresources: { status: {} },
    },
  );

  test("a new object has no status, and each part is written by its own path", async () => {
    await define(version);
    const made = await api.made(
      api.post(WIDGETS, widget("one", { replicas: 1 }, { status: { a: 1 } })),
    );
    expect(made["status"]).toBeUndefined();
    const body = { spec: { replicas: 2 }, status: { replicas: 1 } };
    const byStatus = await api.made(api.patch(`${WIDGETS}/one/status`, body));
    expect(byStatus).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 1 } });
    expect(valueAt(byStatus, "metadata", "generation")).toBe(1);
    const byMain = await api.made(
      api.patch(`${WIDGETS}/one`, { ...body, status: { replicas: 9 } }),
    );
    expect(byMain).toMatchObject({ spec: { replicas: 2 }, status: { replicas: 1 } });
    expect(valueAt(byMain, "metadata", "generation")).toBe(2);
  });

  test("without a subresource of its own the status is part of the object and counts", async () => {
    await define(widgetVersion());
    await api.made(api.post(WIDGETS, widget("one", {}, { status: { a: 1 } })));
    expect((await api.get(`${WIDGETS}/one/status`)).status).toBe(404);
    const changed = await api.made(api.patch(`${WIDGETS}/one`, { status: { a: 2 } }));
    expect(valueAt(changed, "metadata", "generation")).toBe(2);
  });
});

test("columns and fields for selectors follow the definition", async () => {
  const version = widgetVersion(
    { type: "object", properties: { size: { type: "string" }, due: { type: "string" } } },
    {
      selectableFields: [{ jsonPath: ".spec.size" }],
      additionalPrinterColumns: [
        { name: "Size", type: "string", jsonPath: ".spec.size" },
        { name: "Born", type: "date", jsonPath: ".metadata.creationTimestamp", priority: 1 },
      ],
    },
  );
  await define(version);
  for (const size of ["small", "large"]) await api.made(api.post(WIDGETS, widget(size, { size })));
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const { body } = await api.get(`${WIDGETS}?fieldSelector=spec.size=large`, { accept });
  const names = listAt(body, "columnDefinitions").map((each) => textAt(each, "name"));
  expect(names).toEqual(["Name", "Size", "Born"]);
  expect(listAt(body, "rows").map((each) => listAt(each, "cells"))).toEqual([
    ["large", "large", "0s"],
  ]);
  expect((await api.get(`${WIDGETS}?fieldSelector=spec.due=x`)).status).toBe(400);
});

test("routes as the Gateway API defines them: a column of a condition, a rule over the first match", async () => {
  const matches = { type: "array", items: { type: "object", properties: { path: OPEN } } };
  const rule = {
    type: "object",
    properties: { matches },
    "x-kubernetes-validations": [
      { rule: "size(self.matches) == 1 && has(self.matches[0].path)", message: "needs a path" },
    ],
  };
  const rules = { type: "array", items: rule };
  const column = {
    name: "Accepted",
    type: "string",
    jsonPath: '.status.conditions[?(@.type=="Accepted")].status',
  };
  await define(
    widgetVersion(
      { type: "object", properties: { rules } },
      { additionalPrinterColumns: [column], subresources: { status: {} } },
    ),
  );
  const refused = await api.post(WIDGETS, widget("one", { rules: [{ matches: [{}] }] }));
  expect(textAt(refused.body, "message")).toContain("needs a path");
  await api.made(api.post(WIDGETS, widget("one", { rules: [{ matches: [{ path: {} }] }] })));
  const conditions = [
    { type: "Resolved", status: "False" },
    { type: "Accepted", status: "True" },
  ];
  await api.made(api.patch(`${WIDGETS}/one/status`, { status: { conditions } }));
  const { body } = await api.get(WIDGETS, {
    accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
  });
  expect(valueAt(listAt(body, "rows")[0], "cells")).toEqual(["one", "True"]);
});

describe("several versions", () => {
  const old = widgetVersion(
    { type: "object", properties: { a: { type: "string" } } },
    { name: "v1beta1", storage: false },
  );
  const current = widgetVersion({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string", default: "x" } },
  });
  const OLD = WIDGETS.replace("/v1/", "/v1beta1/");
  const OLD_TYPE = { apiVersion: "example.org/v1beta1", kind: "Widget" };

  test("show the same objects, each in its shape", async () => {
    await define(old, current);
    await api.made(api.post(OLD, { ...OLD_TYPE, metadata: { name: "one" }, spec: { a: "1" } }));
    expect((await api.get(`${WIDGETS}/one`)).body).toMatchObject({
      apiVersion: "example.org/v1",
      spec: { a: "1" },
    });
    await api.made(api.patch(`${WIDGETS}/one`, { spec: { b: "2" } }));
    const shown = await api.made(api.get(`${OLD}/one`));
    expect(shown["apiVersion"]).toBe("example.org/v1beta1");
    expect(shown["spec"]).toEqual({ a: "1" });
    const watch = await api.watch(`${OLD}?watch=1&resourceVersion=0`);
    expect((await watch.next())?.object["apiVersion"]).toBe("example.org/v1beta1");
    const unchanged = await api.made(
      api.put(`${WIDGETS}/one`, (await api.get(`${WIDGETS}/one`)).body),
    );
    expect(unchanged["metadata"]).toEqual((await api.get(`${WIDGETS}/one`)).body["metadata"]);
  });

  test("a deprecated one is warned of", async () => {
    await define({ ...old, deprecated: true }, current);
    const answer = await api.get(OLD);
    expect(answer.headers["warning"]).toBe(
      '299 - "example.org/v1beta1 Widget is deprecated; use example.org/v1 Widget"',
    );
    expect((await api.get(WIDGETS)).headers["warning"]).toBeUndefined();
  });

  test("the stable one is preferred", async () => {
    await define(old, current);
    const group = await api.made(api.get("/apis/example.org"));
    expect(valueAt(group, "preferredVersion", "version")).toBe("v1");
  });

  test("a new default is seen in objects that were kept before", async () => {
    await define(widgetVersion({ type: "object", properties: { a: { type: "string" } } }));
    await api.made(api.post(WIDGETS, widget("one", { a: "1" })));
    await api.made(
      api.patch(`${DEFINITIONS}/widgets.example.org`, { spec: { versions: [current] } }),
    );
    expect(valueAt((await api.get(`${WIDGETS}/one`)).body, "spec")).toEqual({ a: "1", b: "x" });
  });
});
