/** The judge of the conversation must not be lenient: what it lets through nobody looks at. */
import { expect, test } from "vitest";
import { differencesOf } from "./compare.ts";
import { type Explained, judge } from "./judge.ts";
import { Normal } from "./normal.ts";
import { describedBy, describedDifferences } from "./openapi.ts";
import type { Answer, Json, JsonRecord } from "./step.ts";

const answer = (body: Json, status = 200): Answer => ({
  status,
  contentType: "application/json",
  headers: {},
  body,
});
const paths = (own: Json, other: Json): readonly string[] =>
  differencesOf("s", answer(own), answer(other)).map(({ path }) => path);

test.each<[string, Json, Json, readonly string[]]>([
  ["nothing", { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
  ["a value", { a: { b: 1 } }, { a: { b: 2 } }, ["body.a.b"]],
  ["a field that is missing", { a: 1 }, {}, ["body.a"]],
  ["a field that is null instead of missing", { a: null }, {}, ["body.a"]],
  ["a number as text", { a: 1 }, { a: "1" }, ["body.a"]],
  ["a list that is longer", { a: [1] }, { a: [1, 2] }, ["body.a[1]"]],
  ["the order of plain items", { a: [1, 2] }, { a: [2, 1] }, ["body.a[0]", "body.a[1]"]],
  [
    "named items by name",
    { a: [{ name: "x", v: 1 }] },
    { a: [{ name: "x", v: 2 }] },
    ["body.a[x].v"],
  ],
])("differences: %s", (_, own, other, found) => {
  expect(paths(own, other)).toEqual(found);
});

test("another status is one difference", () => {
  const found = differencesOf("s", answer({ a: 1 }), answer({ b: 1 }, 404));
  expect(found.map(({ path }) => path)).toEqual(["status"]);
});

test("a difference needs a reason, and a reason a difference", () => {
  const differences = differencesOf("a-get", answer({ x: 1, y: 1 }), answer({ x: 2, y: 2 }));
  const entry = (steps: string, path: string): Explained => ({
    steps,
    paths: path,
    reason: "left open",
    why: "a test",
  });
  const known = entry("a-*", "body.x");
  const gone = entry("b-*", "body.x");
  const { unexplained, idle, equal } = judge(3, differences, [known, gone]);
  expect(unexplained.map(({ path }) => path)).toEqual(["body.y"]);
  expect(idle).toEqual([gone]);
  expect(equal).toBe(2);
});

test("a status code is explained only by its codes", () => {
  const [found] = differencesOf("a-get", answer({}), answer({}, 404));
  const entry: Explained = { steps: "a-*", paths: "*", reason: "deliberate", why: "a test" };
  const left = (codes?: string): number =>
    judge(1, found === undefined ? [] : [found], [
      codes === undefined ? entry : { ...entry, codes },
    ]).unexplained.length;
  expect([left(), left("200/403"), left("404/200"), left("410/404 200/404")]).toEqual([1, 1, 1, 0]);
});

test("versions and uids stay apart and equal as they were", () => {
  const uid = "11111111-2222-3333-4444-555555555555";
  const object = (resourceVersion: string): Answer =>
    answer({
      metadata: { name: "a", uid, resourceVersion, creationTimestamp: "2026-01-01T00:00:00Z" },
    });
  const normal = new Normal();
  const first = normal.of("one", object("7"));
  const same = normal.of("two", object("7"));
  const later = normal.of("three", object("8"));
  expect(same.body).toEqual(first.body);
  expect(later.body).toMatchObject({
    metadata: {
      uid: "<uid of one>",
      resourceVersion: "<version of three>",
      creationTimestamp: "<time>",
    },
  });
});

test("OpenAPI: references are followed, and each field and operation is compared", () => {
  const document = (port: Json, more: JsonRecord = {}): Json => ({
    paths: {
      "/things": { post: { "x-kubernetes-action": "post", parameters: [{ name: "dryRun" }] } },
    },
    components: {
      schemas: {
        Thing: {
          type: "object",
          "x-kubernetes-group-version-kind": [{ group: "", version: "v1", kind: "Thing" }],
          properties: { spec: { allOf: [{ $ref: "#/components/schemas/Spec" }], default: {} } },
        },
        Spec: {
          type: "object",
          required: ["port"],
          properties: { port, self: { $ref: "#/components/schemas/Spec" }, ...more },
        },
      },
    },
  });
  const number = { type: "integer", format: "int32" };
  const own = describedBy([document(number)]);
  expect(own["core/v1/Thing"]).toEqual({
    "": "object",
    ".spec": "object",
    ".spec.port": "integer int32 required",
    ".spec.self": "object",
  });
  expect(describedDifferences(own, describedBy([document(number)]))).toEqual([]);
  const other = describedBy([document({ type: "string" }, { more: { type: "string" } })]);
  const step = "core/v1/Thing";
  expect(describedDifferences(own, { ...other, operations: {} })).toEqual([
    { step, path: ".spec.port", own: "integer int32 required", other: "string required" },
    { step, path: ".spec.more", own: undefined, other: "string" },
    { step: "operations", path: "post:/things", own: "post", other: undefined },
    { step: "operations", path: "post:/things?dryRun", own: "query", other: undefined },
  ]);
});
