import { describe, expect, test } from "vitest";
import { mergePatch } from "../../objects/object-fields.ts";
import { ApiError } from "../errors/api-error.ts";
import { equalJson } from "../json/json.ts";
import { SERVICE_KIND } from "../kinds/service.ts";
import { METADATA_SCHEMA } from "../objects/metadata.ts";
import type { Schema } from "../schema/schema.ts";
import { jsonPatch } from "./patches.ts";
import { strategicMerge } from "./strategic-merge.ts";

describe("merge patch", () => {
  // The examples of RFC 7396 appendix A.
  test.each([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [
      ["a", "b"],
      ["c", "d"],
      ["c", "d"],
    ],
    [{ a: "b" }, ["c"], ["c"]],
    [{ a: "foo" }, null, null],
    [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])("%j with %j is %j", (current, patch, result) => {
    expect(mergePatch(current, patch)).toEqual(result);
  });

  test("__proto__ is a key like any other and reaches no prototype", () => {
    const patch: unknown = JSON.parse('{"__proto__":{"polluted":true}}');
    const merged = mergePatch({}, patch);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
  });
});

describe("JSON patch", () => {
  const current = { spec: { list: ["a", "b"], x: 1 } };

  test("changes a copy", () => {
    const patch = [
      { op: "test", path: "/spec/x", value: 1 },
      { op: "replace", path: "/spec/x", value: 2 },
      { op: "add", path: "/spec/list/-", value: "c" },
      { op: "remove", path: "/spec/list/0" },
      { op: "copy", from: "/spec/x", path: "/spec/y" },
      { op: "move", from: "/spec/y", path: "/spec/z" },
    ];
    expect(jsonPatch(current, patch)).toEqual({ spec: { list: ["b", "c"], x: 2, z: 2 } });
    expect(current).toEqual({ spec: { list: ["a", "b"], x: 1 } });
  });

  const refusal = (patch: unknown): ApiError => {
    try {
      jsonPatch(current, patch);
    } catch (error) {
      if (error instanceof ApiError) return error;
    }
    throw new Error("was not refused");
  };

  test.each([
    ["a failing test", [{ op: "test", path: "/spec/x", value: 2 }], 422],
    ["a missing path", [{ op: "remove", path: "/spec/none" }], 422],
    ["a prototype", [{ op: "add", path: "/__proto__/x", value: 1 }], 400],
    ["no operation", [{ op: "frob", path: "/x" }], 422],
    ["no list", { op: "add" }, 400],
    ["no pointer", [{ op: "add", path: "spec", value: 1 }], 400],
    ["too many", Array.from({ length: 10_001 }, () => ({ op: "remove", path: "/x" })), 413],
  ])("%s is refused", (_name, patch, code) => {
    expect(refusal(patch).code).toBe(code);
  });

  // RFC 6901 §4; each of these was carried out, or taken for done, when a library walked by
  // JavaScript's own properties.
  test.each([
    ["the length of a list", [{ op: "replace", path: "/spec/list/length", value: 100_000_000 }]],
    ["the length of a list", [{ op: "test", path: "/spec/list/length", value: 2 }]],
    ["a way through a prototype", [{ op: "replace", path: "/spec/constructor/x", value: 2 }]],
    ["a way through a prototype", [{ op: "remove", path: "/spec/prototype/x" }]],
    ["a method", [{ op: "copy", from: "/spec/toString", path: "/spec/y" }]],
    ["an index with a zero before it", [{ op: "replace", path: "/spec/list/01", value: 1 }]],
    ["an index below 0", [{ op: "remove", path: "/spec/list/-1" }]],
    ["an index that the list does not have", [{ op: "add", path: "/spec/list/3", value: 1 }]],
    [
      "the end of a list, where nothing stands",
      [{ op: "replace", path: "/spec/list/-", value: 1 }],
    ],
    ["a field of a number", [{ op: "add", path: "/spec/x/y", value: 1 }]],
    ["a place inside of what is moved", [{ op: "move", from: "/spec", path: "/spec/z" }]],
    ["a field that is not there", [{ op: "test", path: "/spec/none", value: 1 }]],
  ])("%s is no place: %j", (_name, patch) => {
    expect(refusal(patch)).toMatchObject({ code: 422, reason: "Invalid" });
  });

  test("fields may be called as they like, and a field that is not there equals null", () => {
    const patch = [
      { op: "add", path: "/spec/constructor", value: { length: 1 } },
      { op: "replace", path: "/spec/constructor/length", value: 2 },
      { op: "copy", from: "/spec/constructor", path: "/spec/prototype" },
      { op: "test", path: "/spec/none", value: null },
      { op: "add", path: "/spec/list/2", value: "c" },
      { op: "add", path: "/spec/a~1b~01", value: 1 },
    ];
    const inner = { length: 2 };
    const spec = { list: ["a", "b", "c"], x: 1, "a/b~1": 1, prototype: inner };
    expect(jsonPatch(current, patch)).toEqual({ spec: { ...spec, constructor: inner } });
    expect(patch[0]).toEqual({ op: "add", path: "/spec/constructor", value: { length: 1 } });
  });

  test("copies cannot double an object for ever", () => {
    const grow = Array.from({ length: 60 }, (_, index) => ({
      op: "copy",
      from: "/spec",
      path: `/spec/in${index}`,
    }));
    expect(refusal(grow)).toMatchObject({ code: 422 });
  });

  test("a refusal shows no value", () => {
    const secret = { data: { password: "c2VjcmV0" } };
    try {
      jsonPatch(secret, [{ op: "test", path: "/data/password", value: "x" }]);
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain("c2VjcmV0");
    }
  });
});

test.each([
  ["add", { op: "add", path: "/a", value: JSON.parse("[".repeat(400) + "]".repeat(400)) }],
  ["copy", { op: "copy", from: "/d", path: `/d${"/x".repeat(199)}` }],
  ["move", { op: "move", from: "/d", path: `/e${"/x".repeat(199)}` }],
])("%s cannot make an object deeper than a body may be", (_op, operation) => {
  const deep = (): unknown => JSON.parse(`${'{"x":'.repeat(200)}1${"}".repeat(200)}`);
  const patch = (): unknown => jsonPatch({ d: deep(), e: deep() }, [operation]);
  expect(patch).toThrow("300 levels deep");
});

describe("strategic merge", () => {
  const schema: Schema = {
    ...SERVICE_KIND.schema,
    properties: { ...SERVICE_KIND.schema.properties, metadata: METADATA_SCHEMA },
  };
  const ports = (...list: object[]) => ({ spec: { ports: list } });

  test.each([
    [
      "an item with a known key is merged",
      ports({ port: 80, name: "http" }, { port: 443 }),
      ports({ port: 80, targetPort: 8080 }),
      ports({ port: 80, name: "http", targetPort: 8080 }, { port: 443 }),
    ],
    [
      "an item with a new key is added, and stands first",
      ports({ port: 80 }),
      ports({ port: 81 }),
      ports({ port: 81 }, { port: 80 }),
    ],
    [
      "$patch: delete removes an item",
      ports({ port: 80 }, { port: 81 }),
      ports({ port: 80, $patch: "delete" }),
      ports({ port: 81 }),
    ],
    [
      "$patch: replace replaces a list",
      ports({ port: 80 }, { port: 81 }),
      ports({ port: 82 }, { $patch: "replace" }),
      ports({ port: 82 }),
    ],
    [
      "$setElementOrder orders",
      ports({ port: 80 }, { port: 81 }),
      {
        spec: {
          "$setElementOrder/ports": [{ port: 82 }, { port: 81 }, { port: 80 }],
          ports: [{ port: 82 }],
        },
      },
      ports({ port: 82 }, { port: 81 }, { port: 80 }),
    ],
    [
      "null deletes",
      { spec: { type: "x", clusterIP: "y" } },
      { spec: { type: null } },
      { spec: { clusterIP: "y" } },
    ],
    [
      "$patch: replace replaces an object",
      { metadata: { labels: { a: "1" } } },
      { metadata: { labels: { $patch: "replace", b: "2" } } },
      { metadata: { labels: { b: "2" } } },
    ],
    [
      "finalizers are a set",
      { metadata: { finalizers: ["a", "b"] } },
      { metadata: { finalizers: ["b", "c"] } },
      { metadata: { finalizers: ["a", "b", "c"] } },
    ],
    [
      "of two items with one key the first is merged, and both stay (DNS on UDP and TCP)",
      ports({ port: 53, protocol: "UDP" }, { port: 53, protocol: "TCP" }),
      ports({ port: 53, name: "dns" }),
      ports({ port: 53, protocol: "UDP", name: "dns" }, { port: 53, protocol: "TCP" }),
    ],
    [
      "items that the patch names stand in its order, others where they stood",
      ports({ port: 80 }, { port: 81 }, { port: 82 }),
      ports({ port: 82 }, { port: 80 }),
      ports({ port: 81 }, { port: 82 }, { port: 80 }),
    ],
    [
      "$setElementOrder may stand alone, and need not name all",
      ports({ port: 80 }, { port: 81 }, { port: 82 }),
      { spec: { "$setElementOrder/ports": [{ port: 82 }, { port: 80 }] } },
      ports({ port: 81 }, { port: 82 }, { port: 80 }),
    ],
    [
      "$patch: delete and new items together, as kubectl writes a renamed port",
      ports({ port: 80, name: "http" }),
      {
        spec: {
          "$setElementOrder/ports": [{ port: 81 }],
          ports: [
            { port: 81, name: "http" },
            { port: 80, $patch: "delete" },
          ],
        },
      },
      ports({ port: 81, name: "http" }),
    ],
    [
      "$patch: delete empties an object",
      { metadata: { labels: { a: "1" } } },
      { metadata: { labels: { $patch: "delete" } } },
      { metadata: { labels: {} } },
    ],
    [
      "deleting from a list that is not there does nothing",
      { metadata: {} },
      { metadata: { "$deleteFromPrimitiveList/finalizers": ["a"] } },
      { metadata: {} },
    ],
    [
      "nulls and directives in new objects are not kept",
      { spec: {} },
      { spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: null } } } },
      { spec: { sessionAffinityConfig: { clientIP: {} } } },
    ],
    [
      "$deleteFromPrimitiveList takes out",
      { metadata: { finalizers: ["a", "b"] } },
      { metadata: { "$deleteFromPrimitiveList/finalizers": ["a"] } },
      { metadata: { finalizers: ["b"] } },
    ],
    [
      "owners are merged by uid",
      { metadata: { ownerReferences: [{ uid: "1", name: "a" }] } },
      { metadata: { ownerReferences: [{ uid: "1", name: "b" }, { uid: "2" }] } },
      { metadata: { ownerReferences: [{ uid: "1", name: "b" }, { uid: "2" }] } },
    ],
    [
      "a list without merge key is replaced",
      { spec: { externalIPs: ["192.0.2.1"] } },
      { spec: { externalIPs: ["192.0.2.2"] } },
      { spec: { externalIPs: ["192.0.2.2"] } },
    ],
  ])("%s", (_name, current, patch, result) => {
    const before = structuredClone(current);
    expect(strategicMerge(schema, current, patch)).toEqual(result);
    expect(equalJson(current, before)).toBe(true);
  });

  test.each([
    ["an unknown directive", { spec: { $patch: "merge" } }, 500, "unknown patch type"],
    ["a list cannot be merged", ports({ port: 80, $patch: "merge" }), 500, "unknown patch type"],
    ["an item without key", ports({ name: "x" }), 500, "declared merge key: port"],
    ["a deletion without key", ports({ $patch: "delete" }), 500, "declared merge key: port"],
    ["a list of lists", { metadata: { finalizers: [["a"]] } }, 422, "lists of lists"],
  ])("%s is refused", (_name, patch, code, message) => {
    try {
      strategicMerge(schema, ports({ port: 80 }), patch);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    }
  });
});
