import { describe, expect, test } from "vitest";
import { parseDnsName } from "./dns-name.ts";
import { toAscii, toUnicode, withUnicodeLabels } from "./idna.ts";

describe("toAscii", () => {
  test.each([
    ["www.example.org", "www.example.org"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["BÜCHER.example", "xn--bcher-kva.example"],
    // Non-transitional: ß, the final sigma and joiners are letters of their own.
    ["faß.example", "xn--fa-hia.example"],
    ["ς.example", "xn--3xa.example"],
    ["क्\u200dष.example", "xn--11b2ezcw70k.example"],
    ["אב.example", "xn--4dbc.example"],
    ["例え.テスト", "xn--r8jz45g.xn--zckzah"],
    ["☃.example", "xn--n3h.example"],
    // Dots of other scripts, fullwidth letters, soft hyphens.
    ["bücher。example", "xn--bcher-kva.example"],
    ["ｗｗｗ．example", "www.example"],
    ["ü\u00adb.example", "xn--b-dha.example"],
    // What DNS needs beyond host names stays.
    ["*.bücher.example", "*.xn--bcher-kva.example"],
    ["_tcp.bücher.example", "_tcp.xn--bcher-kva.example"],
    ["0/25.bücher.example", "0/25.xn--bcher-kva.example"],
    ["a\\.b.bücher.example", "a\\.b.xn--bcher-kva.example"],
    ["bücher.example.", "xn--bcher-kva.example."],
    // A URL would read these as addresses, or undo the percent sign.
    ["0x7f.1", "0x7f.1"],
    ["１２７.１", "127.1"],
    ["a%62.bücher", "a%62.xn--bcher-kva"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
    ["ab--c.example", "ab--c.example"],
  ])("%s", (text, ascii) => {
    expect(toAscii(text)).toBe(ascii);
    expect(toAscii(ascii)).toBe(ascii);
  });

  test.each([
    ["a joiner in a wrong place", "a\u200db.example"],
    ["letters of two directions", "אבa.example"],
    ["a digit before letters from right to left", "0אב.example"],
    ["an A-label that is plain ASCII", "xn--abc-.example"],
    ["an A-label of nothing", "xn--.example"],
    ["no punycode", "xn--a.example"],
    ["an A-label that is not in its normal form", "xn--bcher-KVA9999.example"],
    ["an A-label of a capital letter", "xn--bcher-2pa.example"],
    ["letters beyond ASCII behind xn--", "xn--bücher.example"],
    ["a hyphen before", "-ü.example"],
    ["a hyphen behind", "ü-.example"],
    ["hyphens in the third and fourth place", "ab--cü.example"],
    ["a combining mark first", "\u0301ü.example"],
    ["a space", "a ü.example"],
    ["a port", "ü:80"],
    ["a path", "ü/x"],
    ["a percent sign", "%ü.example"],
    ["an asterisk inside", "*ü.example"],
    ["an ellipsis, which stands for dots", "ü….example"],
    ["a lone surrogate", "\ud800.example"],
    ["more labels than a name can have", "ü.".repeat(128)],
  ])("%s has no A-label", (_title, text) => {
    expect(toAscii(text)).toBeNull();
  });

  test("lengths are those of the A-labels", () => {
    const label = (count: number) => parseDnsName(`${toAscii("ü".repeat(count))}.example`);
    expect(label(50)).toMatchObject({ ok: true });
    expect(label(70)).toMatchObject({ ok: false, error: expect.stringContaining("at most 63") });
    const long = Array(20).fill("bücher").join(".");
    expect(parseDnsName(toAscii(long) ?? "")).toMatchObject({ ok: false });
  });
});

describe("toUnicode", () => {
  test.each([
    ["xn--bcher-kva.example", "bücher.example"],
    ["*.xn--bcher-kva.example", "*.bücher.example"],
    ["xn--r8jz45g.xn--zckzah", "例え.テスト"],
    ["www.example.org", null],
    // The first letter is Cyrillic; the word looks like "apple".
    ["xn--pple-43d.example", null],
    ["xn--abc-.example", null],
    ["xn--n3h.example", null],
  ])("%s is shown as %s", (name, shown) => {
    expect(toUnicode(name)).toBe(shown);
  });
});

test("patterns match letters that are not shown to people", () => {
  expect(withUnicodeLabels("*.xn--r28h.xn--pple-43d.x")).toBe("*.😍.аpple.x");
});
