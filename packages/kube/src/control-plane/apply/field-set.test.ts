import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Schema } from "../schema/schema.ts";
import {
  differenceBelow,
  differenceOf,
  equalSets,
  type FieldSet,
  FieldSetBuilder,
  fromFieldsV1,
  intersectionOf,
  isEmptySet,
  pathsOf,
  pathText,
  toFieldsV1,
  unionOf,
} from "./field-set.ts";
import { fieldsOf } from "./field-walk.ts";
import { mergeConfiguration, withoutFields } from "./merge-values.ts";

const element = fc.constantFrom("f:a", "f:b", "f:c", 'k:{"port":80}', 'v:"x"', "i:0");
const paths = fc.array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 8 });

function setOf(list: readonly (readonly string[])[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of list) builder.insert(path);
  return builder.build();
}

/** The naive model: a set of texts. */
const texts = (set: FieldSet): readonly string[] =>
  pathsOf(set)
    .map((path) => path.join("/"))
    .sort();
const model = (list: readonly (readonly string[])[]): ReadonlySet<string> =>
  new Set(list.map((path) => path.join("/")));

describe("sets of fields", () => {
  test("are what sets are", () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [a, b] = [setOf(left), setOf(right)];
        const [ma, mb] = [model(left), model(right)];
        expect(texts(unionOf(a, b))).toEqual([...new Set([...ma, ...mb])].sort());
        expect(texts(differenceOf(a, b))).toEqual([...ma].filter((x) => !mb.has(x)).sort());
        expect(texts(intersectionOf(a, b))).toEqual([...ma].filter((x) => mb.has(x)).sort());
        const below = [...ma].filter((x) => ![...mb].some((y) => x === y || x.startsWith(`${y}/`)));
        expect(texts(differenceBelow(a, b))).toEqual(below.sort());
        expect(isEmptySet(differenceOf(a, a))).toBe(true);
      }),
    );
  });

  test("read what they write", () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = setOf(list);
        const read = fromFieldsV1(JSON.parse(JSON.stringify(toFieldsV1(set))));
        expect(read !== null && equalSets(read, set)).toBe(true);
      }),
    );
  });

  test.each([
    ["a list", []],
    ["an unknown element", { "x:a": {} }],
    ["no JSON behind k:", { "k:{": {} }],
    ["no object below", { "f:a": 1 }],
  ])("%s is no set", (_name, value) => {
    expect(fromFieldsV1(value)).toBeNull();
  });

  test("fields come first, then keys by number, then values", () => {
    const set = setOf([['v:"b"'], ['k:{"port":443}'], ['k:{"port":80}'], ["f:z"], ['v:"a"']]);
    expect(Object.keys(toFieldsV1(set))).toEqual([
      "f:z",
      'k:{"port":80}',
      'k:{"port":443}',
      'v:"a"',
      'v:"b"',
    ]);
  });

  test.each([
    [["f:spec", "f:ttl"], ".spec.ttl"],
    [["f:a", 'k:{"port":80,"protocol":"TCP"}', "f:name"], '.a[port=80,protocol="TCP"].name'],
    [["f:metadata", "f:finalizers", 'v:"x"'], '.metadata.finalizers[="x"]'],
    [["f:a", "i:3"], ".a[3]"],
  ])("%j reads %s", (path, text) => {
    expect(pathText(path)).toBe(text);
  });
});

describe("items of a list by key", () => {
  const schema: Schema = {
    type: "object",
    properties: {
      list: {
        type: "array",
        items: { type: "object", properties: { name: { type: "string" }, x: { type: "integer" } } },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      },
    },
  };
  const list = (names: string) => ({ list: [...names].map((name) => ({ name })) });

  // structured-merge-diff typed/merge.go: the order of the configuration wins among items of both.
  test.each([
    ["abc", "", "abc"],
    ["abc", "d", "abcd"],
    ["abc", "ca", "bca"],
    ["ab", "nb", "anb"],
    ["ax", "na", "nax"],
    ["xa", "na", "xna"],
    ["axb", "nba", "xnba"],
    ["", "ab", "ab"],
  ])("%s with %s is %s", (current, config, result) => {
    const merged = mergeConfiguration(schema, list(current), list(config));
    expect(merged).toEqual(list(result));
  });

  test("an item goes with its key, a container with its last item", () => {
    const value = { list: [{ name: "a", x: 1 }, { name: "b" }] };
    const without = (...removed: readonly (readonly string[])[]) =>
      withoutFields(schema, value, setOf(removed));
    const a = 'k:{"name":"a"}';
    expect(without(["f:list", a])).toEqual({ list: [{ name: "b" }] });
    expect(without(["f:list", a, "f:x"])).toEqual({ list: [{ name: "a" }, { name: "b" }] });
    expect(withoutFields(schema, value, fieldsOf(schema, value))).toBeUndefined();
  });
});
