import { domainToUnicode } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromPunycode } from "./punycode.ts";

describe("fromPunycode", () => {
  // RFC 3492 §7.1, in lower case.
  test.each([
    ["egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"],
    ["ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"],
    ["proprostnemluvesky-uyb24dma41a", "pročprostěnemluvíčesky"],
    ["3b-ww4c5e180e575a65lsy2b", "3年b組金八先生"],
    ["-> $1.00 <--", "-> $1.00 <-"],
    ["", ""],
    ["bcher-kva", "bücher"],
  ])("%s", (text, letters) => {
    expect(fromPunycode(text)).toBe(letters);
  });

  test.each([
    ["a letter that is no digit", "bcher-k!a"],
    ["a number without its end", "bcher-z"],
    ["a code beyond Unicode", "99999999"],
    ["a very long text", "a".repeat(300)],
  ])("%s is no Punycode", (_title, text) => {
    expect(fromPunycode(text)).toBeNull();
  });

  test("letters come back as the platform reads them", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."aböçжя漢例😀ا-"), minLength: 1 });
    fc.assert(
      fc.property(letters, (label) => {
        const url = `http://${label}.invalid`;
        if (!URL.canParse(url)) return;
        const ascii = new URL(url).hostname.replace(/\.invalid$/, "");
        if (!ascii.startsWith("xn--")) return;
        expect(fromPunycode(ascii.slice(4))).toBe(domainToUnicode(ascii));
      }),
    );
  });
});
