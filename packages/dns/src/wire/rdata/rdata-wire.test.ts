import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runsOf } from "../../../../../test/support/values/law-runs.ts";
import { trustedDnsName } from "../../names/dns-name.ts";
import { parseRdata } from "../../rdata/index.ts";
import { formatText } from "../../rdata/tokens.ts";
import { WireReader } from "../bytes/wire-reader.ts";
import { WireWriter } from "../bytes/wire-writer.ts";
import { decodeRdata } from "./decode-rdata.ts";
import { encodeRdata } from "./encode-rdata.ts";
import { RDATA_WIRE_FORMATS } from "./wire-format.ts";

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function encoded(type: string, text: string): Uint8Array {
  const writer = new WireWriter();
  if (!encodeRdata(writer, type, text)) throw new Error(`${type} ${text} cannot be encoded`);
  return writer.finish();
}

function decoded(type: string, bytes: Uint8Array): string {
  const reader = new WireReader(bytes);
  const text = decodeRdata(reader, type, bytes.length);
  return reader.trouble ?? text;
}

describe("the bytes are those of the RFCs", () => {
  test.each([
    ["CAA", '0 issue "ca.example"', "0005697373756563612e6578616d706c65"],
    ["URI", '10 1 "ftp://x"', "000a00016674703a2f2f78"],
    ["DNAME", "a.example", "0161076578616d706c6500"],
    [
      "DS",
      "60485 5 1 2bb183af5f22588179a53b0a98631fad1a292118",
      "ec4505012bb183af5f22588179a53b0a98631fad1a292118",
    ],
    ["DNSKEY", "256 3 5 AQPS", "010003050103d2"],
    ["SSHFP", "2 9 ab", "0209ab"],
    ["TLSA", "3 1 0 abcd", "030100abcd"],
    ["NAPTR", '100 10 "u" "s" "" a.b', "0064000a0175017300016101620" + "0"],
    // RFC 9460 Appendix D.2.
    ["SVCB", "0 foo.example.com", "000003666f6f076578616d706c6503636f6d00"],
    ["SVCB", "1 .", "000100"],
    ["SVCB", "16 foo.example.com port=53", "001003666f6f076578616d706c6503636f6d00000300020035"],
    [
      "SVCB",
      '1 foo.example.com key667="hello\\210qoo"',
      "000103666f6f076578616d706c6503636f6d00029b000968656c6c6fd2716f6f",
    ],
    [
      "SVCB",
      "1 foo.example.com ipv6hint=2001:db8::1,2001:db8::53:1",
      "000103666f6f076578616d706c6503636f6d0000060020" +
        "20010db800000000000000000000000120010db8000000000000000000530001",
    ],
    [
      "HTTPS",
      '16 foo.example.org mandatory=alpn,ipv4hint alpn="h2,h3-19" ipv4hint=192.0.2.1',
      "001003666f6f076578616d706c65036f726700" +
        "0000000400010004" +
        "00010009026832056833" +
        "2d3139" +
        "00040004c0000201",
    ],
    [
      "SVCB",
      '16 foo.example.org alpn="f\\\\\\\\oo\\\\,bar,h2"',
      "001003666f6f076578616d706c65036f7267000001000c08665c6f6f2c626172026832",
    ],
  ])("%s %s", (type, text, bytes) => {
    expect(hex(encoded(type, text))).toBe(bytes);
    expect(decoded(type, encoded(type, text))).toBe(text);
  });
});

describe("odd rdata of the newer types is kept as it is, not refused", () => {
  test.each([
    ["CAA with an empty tag", "CAA", "000061"],
    ["CAA whose tag runs over the end", "CAA", "0009697373"],
    ["CAA with a hyphen in its tag", "CAA", "0003612d6278"],
    ["a DS digest of a wrong length", "DS", "00010801abcd"],
    ["a DNSKEY of another protocol", "DNSKEY", "0100040501"],
    ["SVCB parameters out of order", "SVCB", "000100000300020035000100030268" + "32"],
    ["SVCB parameters twice", "SVCB", "000100000300020035000300020035"],
    ["SVCB with a compressed target", "SVCB", "0001c000"],
    ["SVCB cut off", "SVCB", "0001000003000200"],
    ["an alias with parameters", "SVCB", "000000000300020035"],
    ["the reserved key 65535", "HTTPS", "000100ffff0000"],
    ["a mandatory key that is missing", "HTTPS", "0001000000000200" + "03"],
    ["an empty URI", "URI", "00010001"],
    ["NAPTR flags with a space", "NAPTR", "0001000101200000" + "00"],
  ])("%s", (_title, type, bytes) => {
    const text = `\\# ${bytes.length / 2} ${bytes}`;
    expect(decoded(type, Buffer.from(bytes, "hex"))).toBe(text);
    expect(hex(encoded(type, text))).toBe(bytes);
  });

  test.each([
    ["A", "c00002"],
    ["AAAA", "00"],
    ["TXT", "0261"],
    ["DNAME", "0161"],
    ["NAPTR", "000100010161"],
    ["MX", "0001"],
  ])("%s that is cut off is refused", (type, bytes) => {
    expect(decoded(type, Buffer.from(bytes, "hex"))).toMatch(/early|wrong form|runs over/);
  });
});

describe("compression (RFC 1035 §4.1.4, RFC 3597 §4)", () => {
  const target = "target.example.org";
  const size = (type: string, text: string): number => {
    const writer = new WireWriter();
    writer.name(trustedDnsName(target), true);
    const start = writer.length;
    expect(encodeRdata(writer, type, text)).toBe(true);
    return writer.length - start;
  };
  const WHOLE = target.length + 2;

  test.each([
    ["NS", target, 2],
    ["CNAME", target, 2],
    ["PTR", target, 2],
    ["MX", `1 ${target}`, 4],
    ["SOA", `${target} ${target} 1 2 3 4 5`, 24],
    ["SRV", `1 2 3 ${target}`, 6 + WHOLE],
    ["DNAME", target, WHOLE],
    ["NAPTR", `1 2 "" "" "" ${target}`, 7 + WHOLE],
    ["SVCB", `1 ${target}`, 2 + WHOLE],
    ["HTTPS", `1 ${target}`, 2 + WHOLE],
  ])("%s writes its name in the bytes that its RFC allows", (type, text, bytes) => {
    expect(size(type, text)).toBe(bytes);
  });

  test.each([
    ["DNAME", "c000", target],
    ["SRV", "000100020003c000", `1 2 3 ${target}`],
    ["NAPTR", "00010002000000c000", `1 2 "" "" "" ${target}`],
  ])("%s is read though somebody compressed it", (type, rdata, text) => {
    const writer = new WireWriter();
    writer.name(trustedDnsName(target), true);
    const bytes = Buffer.concat([writer.finish(), Buffer.from(rdata, "hex")]);
    const reader = new WireReader(bytes);
    reader.name();
    expect(decodeRdata(reader, type, rdata.length / 2)).toBe(text);
    expect(reader.trouble).toBeNull();
  });
});

const TYPES = [...RDATA_WIRE_FORMATS.keys(), "TYPE65280", "RP"];
const bytesOf = (maxLength: number) => fc.uint8Array({ minLength: 1, maxLength });
const shortText = fc.uint8Array({ maxLength: 20 }).map(formatText);
const byte = fc.nat(255);
const u16 = fc.nat(65_535);
const label = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => [...bytes].map((value) => `\\${String(value).padStart(3, "0")}`).join(""));
const name = fc.array(label, { maxLength: 4 }).map((labels) => labels.join(".") || ".");
const hexOf = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => hex(bytes).toUpperCase());
const joined = (...fields: readonly fc.Arbitrary<unknown>[]) =>
  fc.tuple(...fields).map((tokens) => tokens.join(" "));
const base64 = bytesOf(40).map((bytes) => Buffer.from(bytes).toString("base64"));
const parameters = fc
  .record(
    {
      alpn: fc.array(fc.stringMatching(/^[a-z0-9.-]{1,9}$/), { minLength: 1, maxLength: 3 }),
      port: u16,
      ipv4hint: fc.array(fc.ipV4(), { minLength: 1, maxLength: 3 }),
      ipv6hint: fc.array(fc.ipV6(), { minLength: 1, maxLength: 3 }),
      ech: base64,
      dohpath: fc.constant("/q{?dns}"),
      key667: shortText,
    },
    { requiredKeys: [] },
  )
  .chain((params) =>
    fc.shuffledSubarray(Object.entries(params).map(([key, value]) => `${key}=${value}`)),
  )
  .map((tokens) => tokens.join(" "));

/** Texts in many spellings. */
const TEXTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  CAA: joined(byte, fc.stringMatching(/^[A-Za-z0-9]{1,9}$/), shortText),
  URI: joined(u16, u16, bytesOf(300).map(formatText)),
  DNAME: name,
  NAPTR: joined(u16, u16, fc.constantFrom("S", '""', '"u"'), shortText, fc.constant('""'), name),
  TLSA: joined(byte, byte, fc.constant(1), hexOf(32)),
  SSHFP: joined(byte, fc.constant(2), hexOf(32)),
  DS: joined(u16, fc.constantFrom("8", "ed25519"), fc.constant(1), hexOf(20)),
  DNSKEY: joined(u16, fc.constant(3), byte, base64),
  SVCB: joined(fc.integer({ min: 1, max: 65_535 }), name, parameters),
  HTTPS: joined(fc.integer({ min: 1, max: 65_535 }), name, parameters),
};

describe("laws", () => {
  test.each(Object.entries(TEXTS))("%s: parse and encode come back", (type, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const canonical = parseRdata(type, text.trim());
        expect(canonical, text).toMatchObject({ ok: true });
        if (!canonical.ok) return;
        expect(parseRdata(type, canonical.value)).toEqual(canonical);
        const bytes = encoded(type, canonical.value);
        expect(decoded(type, bytes)).toBe(canonical.value);
        expect(bytes.length).toBeLessThan(65_536);
      }),
      { numRuns: runsOf(300) },
    );
  });

  test("any bytes: what is decoded encodes to the same bytes, and only canonical text comes out", () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), bytesOf(60), (type, bytes) => {
        const reader = new WireReader(bytes);
        const text = decodeRdata(reader, type, bytes.length);
        if (reader.trouble !== null) return;
        const again = encoded(type, text);
        expect(decoded(type, again)).toBe(text);
        const hasNames = RDATA_WIRE_FORMATS.get(type)?.fields.some((field) =>
          field.endsWith("name"),
        );
        if (hasNames !== true) expect(hex(again)).toBe(hex(bytes));
        if (!text.startsWith("\\#"))
          expect(parseRdata(type, text)).toEqual({ ok: true, value: text });
      }),
      { numRuns: runsOf(20_000) },
    );
  });
});
