import { describe, expect, test } from "vitest";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { readName } from "./read-name.ts";

const options = {
  dnsClasses: DEFAULT_CLASSES,
  targetNamespace: null,
  toAscii: (text: string) => (text.includes("bad") ? null : text.replace("ü", "xn--tda")),
};

describe("readName", () => {
  test.each([
    ["www.example.org", "www.example.org"],
    ["ü.example.org", "xn--tda.example.org"],
    ["xn--tda.example.org", "xn--tda.example.org"],
  ])("%s", (text, name) => {
    expect(readName(text, options)).toEqual({ ok: true, value: name });
  });

  test.each([
    ["xn--bad.example.org", "begins with xn-- is no A-label"],
    ["a.XN--bad.example.org", "begins with xn-- is no A-label"],
    ["bad-ü.example.org", "cannot be converted"],
  ])("%s is refused", (text, reason) => {
    const result = readName(text, options);
    expect(result.ok ? "" : result.error).toContain(reason);
  });

  test("without a converter A-labels are taken as they stand", () => {
    expect(readName("xn--bad.example.org", { ...options, toAscii: null }).ok).toBe(true);
  });
});
