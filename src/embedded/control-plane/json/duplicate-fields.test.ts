import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { duplicateKeys, parseYamlBody } from "../http/yaml-body.ts";
import { duplicateFields } from "./duplicate-fields.ts";

describe("fields that come twice in JSON", () => {
  test.each([
    ['{"a":1,"b":{"a":2}}', []],
    ['{"a":1,"a":2}', ["a"]],
    ['{"a":1,"a":2,"a":3}', ["a", "a"]],
    ['{"spec":{"ttl":1,"x":[{"n":1},{"n":1,"m":2,"n":3}],"ttl":2}}', ["spec.x[1].n", "spec.ttl"]],
    ['[{"op":"a","op":"b"}]', ["[0].op"]],
    ['{"a":"{\\"a\\":1,\\"a\\":2}","b":"\\\\","c":"a"}', []],
    ['{"a":1,"\\u0061":2}', ["a"]],
    ['{"a":["a","a"],"b":[[{"c":1,"c":1}]]}', ["b[0][0].c"]],
    ['"a"', []],
    ["{}", []],
  ])("%s: %j", (text, fields) => {
    expect(duplicateFields(text)).toEqual(fields.map((field) => `duplicate field "${field}"`));
  });

  test("no value that JSON.stringify wrote has any", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(duplicateFields(JSON.stringify(value))).toEqual([]);
      }),
    );
  });

  test("a hundred are told", () => {
    expect(duplicateFields(`{${'"a":1,'.repeat(500)}"b":1}`)).toHaveLength(100);
  });
});

describe("YAML bodies", () => {
  test("the last of two equal keys counts, and both lines can be told", () => {
    const text = "spec:\n  ttl: 1\n  x: {a: 1, a: 2}\n  ttl: 2\n";
    expect(parseYamlBody(text)).toEqual({ spec: { ttl: 2, x: { a: 2 } } });
    expect(duplicateKeys(text)).toEqual([
      'yaml: unmarshal errors:\n  line 4: key "ttl" already set in map\n  line 3: key "a" already set in map',
    ]);
    expect(duplicateKeys("a: 1\nb: {a: 2}\n")).toEqual([]);
  });

  test.each([
    ["yes", true],
    ["Off", false],
    ["n", false],
    ["true", true],
    ['"yes"', "yes"],
    ["0x10", 16],
    ["0644", 420],
    ["-07", -7],
    ["08", 8],
    ["2001-12-14", "2001-12-14"],
    ["~", null],
  ])("%s is %j", (text, value) => {
    expect(parseYamlBody(`a: ${text}`)).toEqual({ a: value });
  });

  test("what is no YAML, and what grows without end, is refused", () => {
    expect(() => parseYamlBody("a: [")).toThrow();
    const bomb = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"];
    for (let level = 1; level < 9; level += 1)
      bomb.push(`a${level}: &a${level} [${`*a${level - 1},`.repeat(10)}]`);
    expect(() => parseYamlBody(bomb.join("\n"))).toThrow();
  });
});
