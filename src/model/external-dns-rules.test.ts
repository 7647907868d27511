/** Where an account of flags is, for people. */
import { expect, test } from "vitest";
import { providerText, settingsText } from "./external-dns-rules.ts";

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
