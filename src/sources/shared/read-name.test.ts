import { describe, expect, test } from "vitest";
import { readName } from "./read-name.ts";

describe("readName", () => {
  test.each([
    ["www.example.org", "www.example.org"],
    ["ü.example.org", "xn--tda.example.org"],
    ["xn--tda.example.org", "xn--tda.example.org"],
  ])("%s", (text, name) => {
    expect(readName(text)).toEqual({ ok: true, value: name });
  });

  test.each([
    ["xn--bad-.example.org", "begins with xn-- is no A-label"],
    ["a.XN--bad-.example.org", "begins with xn-- is no A-label"],
    ["ü/x.example.org", "cannot be converted"],
  ])("%s is refused", (text, reason) => {
    const result = readName(text);
    expect(result.ok ? "" : result.error).toContain(reason);
  });
});
