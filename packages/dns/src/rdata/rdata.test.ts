import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runsOf } from "../../../../test/support/values/law-runs.ts";
import { ipv6Text } from "./addresses.ts";
import { formatUnknown, parseRdata, RDATA_FORMATS, unknownBytes } from "./index.ts";
import { isSerialNewer, nextSerial } from "./soa.ts";
import { formatTxt, parseTxtStrings, txtFromText, txtToText } from "./txt.ts";
import { isMetaType, numberOfType, parseRecordType, typeOfNumber } from "./type-numbers.ts";

describe("parseRdata gives the canonical form", () => {
  test.each([
    ["A", " 192.0.2.1 ", "192.0.2.1"],
    ["AAAA", "2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["AAAA", "2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["AAAA", "2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["AAAA", "::", "::"],
    ["AAAA", "::1", "::1"],
    ["AAAA", "1::", "1::"],
    ["AAAA", "::ffff:192.0.2.1", "::ffff:192.0.2.1"],
    ["AAAA", "::ffff:c000:201", "::ffff:192.0.2.1"],
    ["AAAA", "64:ff9b::192.0.2.1", "64:ff9b::c000:201"],
    ["CNAME", "WWW.Example.ORG.", "www.example.org"],
    ["CNAME", "a\\.b.example.org", "a\\.b.example.org"],
    ["CNAME", "\\097.example.org.", "a.example.org"],
    ["CNAME", "a\\032b.example.org.", "a\\032b.example.org"],
    ["NS", "ns1.example.org", "ns1.example.org"],
    ["PTR", "host.example.org.", "host.example.org"],
    ["MX", "10   Mail.example.org.", "10 mail.example.org"],
    ["MX", "0 .", "0 ."],
    ["SRV", "0 5 5060 sip.example.org.", "0 5 5060 sip.example.org"],
    ["SRV", "0 0 0 .", "0 0 0 ."],
    ["SOA", "ns1.e. h.e. 1 3600 600 86400 60", "ns1.e h.e 1 3600 600 86400 60"],
    ["TXT", "hello world", '"hello" "world"'],
    ["TXT", '"hello  world"', '"hello  world"'],
    ["TXT", '"a\\"b\\\\c\\007"', '"a\\"b\\\\c\\007"'],
    ["TXT", '"\\097;="', '"a;="'],
    ["TXT", '"é"', '"\\195\\169"'],
    ["TXT", '""', '""'],
    ["TXT", '"a""b"', '"a" "b"'],
    ["OPENPGPKEY", "\\# 2 AB CD", "\\# 2 abcd"],
    ["TYPE65280", "\\# 0", "\\# 0"],
  ])("%s %s", (type, text, canonical) => {
    expect(parseRdata(type, text)).toEqual({ ok: true, value: canonical });
    expect(parseRdata(type, canonical)).toEqual({ ok: true, value: canonical });
  });
});

describe("parseRdata refuses what is impossible and says what would be right", () => {
  test.each([
    ["A", "", "such as 192.0.2.1"],
    ["A", "192.0.2", "such as 192.0.2.1"],
    ["A", "192.0.2.256", "such as 192.0.2.1"],
    ["A", "192.0.2.01", "such as 192.0.2.1"],
    ["A", "2001:db8::1", "such as 192.0.2.1"],
    ["AAAA", "192.0.2.1", "such as 2001:db8::1"],
    ["AAAA", "1:2:3:4:5:6:7", "such as 2001:db8::1"],
    ["AAAA", "1::2::3", "such as 2001:db8::1"],
    ["AAAA", "1:2:3:4:5:6:7::8", "such as 2001:db8::1"],
    ["AAAA", "192.0.2.1::", "such as 2001:db8::1"],
    ["AAAA", "fe80::1%eth0", "such as 2001:db8::1"],
    ["CNAME", "", "empty"],
    ["CNAME", "a..b", "empty label"],
    ["CNAME", "a b", "\\DDD"],
    ["CNAME", "bücher.example", "A-labels"],
    ["CNAME", `${"x".repeat(64)}.org`, "at most 63"],
    ["CNAME", Array(128).fill("ab").join("."), "at most 255"],
    ["CNAME", "a\\256.org", "000 to 255"],
    ["CNAME", "a\\", "backslash"],
    ["MX", "mail.example.org", "preference exchange"],
    ["MX", "65536 mail.example.org", "0 to 65535"],
    ["SRV", "1 2 -3 a.org", "port"],
    ["SOA", "a b 1 2 3 4", "minimum"],
    ["SOA", "a b 4294967296 2 3 4 5", "the serial"],
    ["TXT", "", "at least one string"],
    ["TXT", `"${"x".repeat(256)}"`, "256 bytes; at most 255"],
    ["TXT", '"open', "not closed"],
    ["TXT", 'a"b', '\\"'],
    [
      "TXT",
      Array(300)
        .fill(`"${"x".repeat(255)}"`)
        .join(" "),
      "at most 65535",
    ],
    ["OPENPGPKEY", "AAAA", "\\# <number"],
    ["OPENPGPKEY", "\\# 2 abc", "4 hex digits"],
    ["CAA", "\\# 2 abcd", "as text"],
  ])("%s %.20s", (type, text, reason) => {
    const result = parseRdata(type, text);
    expect(result.ok ? "" : result.error).toContain(reason);
  });
});

describe("laws", () => {
  test("parse(format(x)) = x for TXT strings", () => {
    const strings = fc.array(fc.uint8Array({ maxLength: 255 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(strings, (value) => {
        expect(parseTxtStrings(formatTxt(value))).toEqual({ ok: true, value });
      }),
    );
  });

  test("parse(format(x)) = x for unknown rdata", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (value) => {
        expect(unknownBytes(formatUnknown(value))).toEqual({ ok: true, value });
      }),
    );
  });

  test("free text survives TXT, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 600 }), (text) => {
        expect(txtToText(txtFromText(text))).toBe(text);
        expect(parseRdata("TXT", txtFromText(text))).toEqual({
          ok: true,
          value: txtFromText(text),
        });
      }),
    );
  });

  test("every IPv6 address has one text, which reads back", () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16, max: 1 });
    fc.assert(
      fc.property(bytes, (address) => {
        const text = ipv6Text(address);
        expect(parseRdata("AAAA", text)).toEqual({ ok: true, value: text });
        expect(new URL(`http://[${text}]/`).hostname.length).toBeGreaterThan(3);
      }),
    );
  });

  test("parsing any text never throws, and what it gives is canonical", () => {
    const types = fc.constantFrom("CAA", ...RDATA_FORMATS.map((format) => format.type));
    fc.assert(
      fc.property(types, fc.string({ maxLength: 80 }), (type, text) => {
        const result = parseRdata(type, text);
        if (result.ok) expect(parseRdata(type, result.value)).toEqual(result);
      }),
      { numRuns: runsOf(5000) },
    );
  });
});

test("serials compare as RFC 1982 §3.2 says", () => {
  expect(isSerialNewer(2, 1)).toBe(true);
  expect(isSerialNewer(1, 2)).toBe(false);
  expect(isSerialNewer(5, 5)).toBe(false);
  expect(isSerialNewer(0, 0xffff_ffff)).toBe(true);
  expect(isSerialNewer(0x8000_0000, 0)).toBe(false);
  expect(nextSerial(0xffff_ffff)).toBe(1);
});

test("types have names, numbers and TYPE<n>", () => {
  expect(parseRecordType(" aaaa ")).toEqual({ ok: true, value: "AAAA" });
  expect(parseRecordType("TYPE1")).toEqual({ ok: true, value: "A" });
  expect(parseRecordType("type65280")).toEqual({ ok: true, value: "TYPE65280" });
  expect(parseRecordType("TYPE70000").ok).toBe(false);
  expect(parseRecordType("bogus").ok).toBe(false);
  expect(typeOfNumber(64_000)).toBe("TYPE64000");
  expect(numberOfType("CAA")).toBe(257);
  expect(isMetaType("ANY") && isMetaType("TSIG") && isMetaType("OPT")).toBe(true);
  expect(isMetaType("A") || isMetaType("CAA")).toBe(false);
});
