import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { LABEL, markerNames, type NameTemplate, TYPED } from "./name-template.ts";
import { permitNames } from "./permit.ts";
import { RelatedNames } from "./related-names.ts";

const APEX = trustedDnsName("example.org");
const USERS: readonly NameTemplate[] = [
  { prefix: "txt.", suffix: "", wildcard: "any" },
  { prefix: "p%{record_type}.", suffix: "-own", wildcard: "" },
  { prefix: "", suffix: ".%{record_type}.own", wildcard: "" },
  { prefix: "txt..", suffix: "", wildcard: "" },
  { prefix: "t\\.x-", suffix: "", wildcard: "" },
];
const long = (bytes: number): string => "x".repeat(bytes);

describe.each([TYPED, ...USERS])("with the template %o", (template) => {
  const templates = [template, LABEL, TYPED];
  const related = new RelatedNames(templates, APEX);

  test.each([
    "www.example.org",
    "a-www.example.org",
    "_owner.a.www.example.org",
    "s1.shop.example.org",
    "example.org",
    "org",
    "",
    "*.example.org",
    "_wildcard.example.org",
    "any.example.org",
    "a\\.b.example.org",
    "www.example.com",
    "www..example.org",
    `${long(50)}.example.org`,
    ...[45, 55, 60, 63].map((bytes) => `${long(bytes)}.shop.example.org`),
    `www.${long(64)}.example.org`,
    `www.${`${long(60)}.`.repeat(3)}${long(40)}.example.org`,
  ])("names around %s are those of its markers and permits, one by one", (text) => {
    const name = trustedDnsName(text);
    const markers = [...new Set(templates)].flatMap((one) => markerNames(one, name, APEX));
    const expected = new Set([...markers, ...permitNames(name, APEX)]);
    expect(related.of(name)).toEqual([...expected]);
    const unused = new Set(related.beginnings.filter((_, index) => index % 3 > 0));
    const isUsed = (one: string): boolean => ![...unused].some((each) => one.startsWith(each));
    const kept = related.of(name, unused);
    expect([...expected].filter((one) => !kept.includes(one)).filter(isUsed)).toEqual([]);
    expect(kept.length).toBeLessThanOrEqual(expected.size);
    expect(related.of(name)).toEqual([...expected]);
  });
});
