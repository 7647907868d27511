import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import {
  LABEL,
  labelledBy,
  markerName,
  markerNames,
  type NameTemplate,
  TYPED,
} from "./name-template.ts";

const templateOf = (prefix: string, suffix = "", wildcard = ""): NameTemplate => ({
  prefix,
  suffix,
  wildcard,
});
const ROOT = trustedDnsName("");

/** The worked examples of external-dns §3.2 that name a place in the zone. */
const EXAMPLES: readonly [string, NameTemplate, string][] = [
  ["CNAME foo.test-zone.example.org", TYPED, "cname-foo.test-zone.example.org"],
  ["A foo.example.com", TYPED, "a-foo.example.com"],
  ["AAAA foo.example.com", TYPED, "aaaa-foo.example.com"],
  ["DNAME foo.example.com", TYPED, "dname-foo.example.com"],
  ["PTR 2.49.168.192.in-addr.arpa", TYPED, "ptr-2.49.168.192.in-addr.arpa"],
  ["CNAME new-record-1.z", templateOf("txt."), "txt.cname-new-record-1.z"],
  ["CNAME example", templateOf("txt."), "txt.cname-example"],
  ["CNAME tar.z", templateOf("", "-txt"), "cname-tar-txt.z"],
  ["CNAME *.wildcard.z", templateOf("", "-txt", "wildcard"), "cname-wildcard-txt.wildcard.z"],
  ["A *.example.com", templateOf("txt-", "", "wild"), "txt-a-wild.example.com"],
  ["CNAME new-record-1.z", templateOf("prefix%{record_type}."), "prefixcname.new-record-1.z"],
  ["CNAME new-record-1.z", templateOf("", "-%{record_type}suffix"), "new-record-1-cnamesuffix.z"],
  ["A example.com", templateOf("foo-"), "foo-a-example.com"],
  ["CNAME example.com", templateOf("", ".foo.bar.test"), "cname-example.foo.bar.test.com"],
  ["CNAME example.com", templateOf("bar.%{record_type}.foo."), "bar.cname.foo.example.com"],
  ["A example.com", templateOf("", ".foo%{record_type}.bar"), "example.fooa.bar.com"],
  ["A foo.example.org", LABEL, "_owner.a.foo.example.org"],
  ["A *.example.org", LABEL, "_owner.a._wildcard.example.org"],
  ["CAA example.org", LABEL, "_owner.caa.example.org"],
];

describe("marker names, both ways", () => {
  test.each(EXAMPLES)("%s with %o is marked at %s", (record, form, expectedName) => {
    const [type = "", text = ""] = record.split(" ");
    const name = trustedDnsName(text);
    const marker = markerName(form, { name, type }, { apex: ROOT });
    expect(marker).toBe(expectedName);
    expect(labelledBy(form, marker ?? ROOT, ROOT)[0]).toEqual({ name, type });
    expect(markerNames(form, name, ROOT)).toContain(expectedName);
  });
});

describe("types", () => {
  const EXTERNAL_DNS = ["A", "AAAA", "CNAME", "NS", "MX", "PTR", "SRV", "NAPTR", "TXT", "DNAME"];
  const name = trustedDnsName("foo.example.org");

  test.each(EXTERNAL_DNS)("external-dns's %s has a place in both forms", (type) => {
    const typeText = type.toLowerCase();
    expect(markerName(TYPED, { name, type }, { apex: ROOT })).toBe(`${typeText}-foo.example.org`);
    expect(markerName(LABEL, { name, type }, { apex: ROOT })).toBe(
      `_owner.${typeText}.foo.example.org`,
    );
  });

  test.each(["CAA", "SVCB", "HTTPS", "TLSA", "DS", "ALIAS"])("%s has one in a template", (type) => {
    expect(markerName(TYPED, { name, type }, { apex: ROOT })).toBeNull();
    expect(markerName(LABEL, { name, type }, { apex: ROOT })).toBe(
      `_owner.${type.toLowerCase()}.foo.example.org`,
    );
  });
});

describe("every name at which anybody may have marked", () => {
  const apex = trustedDnsName("example.org");
  const names = (form: NameTemplate, text: string) => markerNames(form, trustedDnsName(text), apex);

  test("a wildcard: replaced, and as it is", () => {
    const found = names(templateOf("t-", "", "any"), "*.example.org");
    for (const one of ["t-a-any", "t-a-*", "t-any", "t-*"])
      expect(found).toContain(`${one}.example.org`);
    expect(found).toHaveLength(2 * 11);
    expect(names(templateOf("t-", "", "any"), "www.example.org")).toHaveLength(11);
  });

  test("a template: each type, and none", () => {
    const found = names(templateOf("p%{record_type}."), "www.example.org");
    for (const one of ["p.www", "pa.www", "pcaa.www"])
      expect(found).toContain(`${one}.example.org`);
  });

  test("none outside the zone", () => {
    expect(names(TYPED, "example.org")).toEqual(["example.org"]);
  });

  test("none of what is no name", () => {
    expect(names(TYPED, "www..example.org")).toEqual([]);
    expect(names(TYPED, `www.${"x".repeat(64)}.example.org`)).toEqual([]);
  });
});

describe("names that a layout cannot say", () => {
  const apex = trustedDnsName("example.org");
  const markerNameOf = (text: string, form = TYPED, type = "A") =>
    markerName(form, { name: trustedDnsName(text), type }, { apex });

  test("typed: apex, wildcard, a label over 63 bytes with its type, unknown types", () => {
    expect(markerNameOf("example.org")).toBeNull();
    expect(markerNameOf("*.example.org")).toBeNull();
    expect(markerNameOf(`${"x".repeat(62)}.example.org`)).toBeNull();
    expect(markerNameOf(`${"x".repeat(61)}.example.org`)).toBe(`a-${"x".repeat(61)}.example.org`);
    expect(markerNameOf("www.example.org", TYPED, "CAA")).toBeNull();
  });

  test("label: a name over 253 bytes, and the wildcard's own replacement", () => {
    const long = `${"x".repeat(60)}.`.repeat(4);
    expect(markerNameOf(`${long}example.org`, LABEL)).toBeNull();
    expect(markerNameOf("_wildcard.example.org", LABEL)).toBeNull();
    expect(markerNameOf(`${"x".repeat(63)}.example.org`, LABEL)).toBe(
      `_owner.a.${"x".repeat(63)}.example.org`,
    );
  });

  test("253 bytes are a name, one more is none, and so are two dots", () => {
    const name = (bytes: number) => `${`${"x".repeat(60)}.`.repeat(3)}${"y".repeat(bytes)}`;
    const room = 253 - "_owner.a.".length - 3 * 61 - ".example.org".length;
    expect(markerNameOf(`${name(room)}.example.org`, LABEL)).toHaveLength(253);
    expect(markerNameOf(`${name(room + 1)}.example.org`, LABEL)).toBeNull();
    expect(markerNameOf("www.example.org", templateOf("txt.."))).toBeNull();
  });

  test("a suffix cannot mark the apex", () => {
    expect(markerNameOf("example.org", templateOf("", "-txt"))).toBeNull();
  });
});

describe("readings of marker names", () => {
  const read = (form: NameTemplate, text: string, apex: DnsName = ROOT) =>
    labelledBy(form, trustedDnsName(text), apex).map(
      (one) => `${one.name} ${one.type ?? "legacy"}`,
    );

  test.each([
    [TYPED, "a-foo.x", ["foo.x A"]],
    [TYPED, "mx-1.x", ["1.x MX"]],
    [TYPED, "foo.x", ["foo.x legacy"]],
    [TYPED, "foo-bar.x", ["foo-bar.x legacy"]],
    [TYPED, "a-*.x", ["*.x A"]],
    [templateOf("txt."), "txt.foo.x", ["foo.x legacy"]],
    [templateOf("txt."), "foo.x", []],
    [templateOf("", "-txt"), "foo.x", []],
    [templateOf("p%{record_type}."), "p.foo.x", ["foo.x legacy"]],
    [templateOf("%{record_type}"), "aaaafoo.x", ["aaafoo.x A", "foo.x AAAA"]],
    [LABEL, "_owner.a._wildcard.x", ["*.x A"]],
    [LABEL, "foo.x", []],
    [templateOf("txt-", "", "wild"), "txt-a-wild.x", ["*.x A", "wild.x A"]],
  ])("%o reads %s as %o", (form, text, candidates) => {
    expect(read(form, text)).toEqual(candidates);
  });

  test("what lies outside the zone is not labelled", () => {
    expect(read(templateOf("txt."), "txt.a-org", trustedDnsName("example.org"))).toEqual([]);
  });
});
