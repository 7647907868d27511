/** Where an account of flags is, for people; expressions about names. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { namePattern, providerText, settingsText } from "./external-dns-rules.ts";

test("the account of flags is no object that somebody could look for", () => {
  expect([settingsText("a", "s"), settingsText("external-dns.flags", "s")]).toEqual([
    "secret a/s",
    "made from flags and environment of external-dns",
  ]);
  expect([providerText("a/p"), providerText("external-dns.flags/external-dns")]).toEqual([
    "DNSProvider a/p",
    "the provider by flags",
  ]);
});

test.each([
  ["^münchen\\.", "xn--mnchen-3ya.example.org", true],
  ["example\\.org$", "www.example.net", false],
])("%s matches %s: %j", (text, name, isMatch) => {
  const pattern = namePattern(text);
  expect(pattern.ok && pattern.value.matches(trustedDnsName(name))).toBe(isMatch);
});

test.each([
  ["(", "is no regular expression of RE2"],
  ["(a{100}){100}".repeat(3), ""],
])("%s is refused", (text, why) => {
  const pattern = namePattern(text);
  expect(pattern.ok ? "taken" : pattern.error).toContain(why);
  expect(pattern.ok).toBe(false);
});
