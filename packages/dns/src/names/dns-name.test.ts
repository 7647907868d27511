import { describe, expect, test } from "vitest";
import {
  childName,
  isAtOrBelow,
  isWildcard,
  labelsOf,
  parentOf,
  parseDnsName,
  parseZoneName,
  ROOT_ZONE,
  trustedDnsName,
} from "./dns-name.ts";

describe("parseDnsName", () => {
  test.each([
    ["WWW.Example.ORG.", "www.example.org"],
    ["*.example.org", "*.example.org"],
    ["_acme-challenge.example.org", "_acme-challenge.example.org"],
    ["0/25.2.0.192.in-addr.arpa", "0/25.2.0.192.in-addr.arpa"],
    [" Bücher.example.org. ", "xn--bcher-kva.example.org"],
    ["*.bücher。example", "*.xn--bcher-kva.example"],
  ])("reads %s as %s", (text, name) => {
    expect(parseDnsName(text)).toEqual({ ok: true, value: name });
  });

  test.each([
    ["", "empty"],
    ["a..example.org", "empty label"],
    ["-a.example.org", "may hold only"],
    ["a-.example.org", "may hold only"],
    ["a.*.example.org", "whole first label"],
    ["a b.example.org", "may hold only"],
    [`${"x".repeat(64)}.example.org`, "64 bytes"],
    [`${"x.".repeat(130)}org`, "bytes; at most 253"],
    ["-ü.example.org", "beyond ASCII that cannot be converted"],
    ["ü".repeat(100_000), "beyond ASCII that cannot be converted"],
    [`${"ü".repeat(70)}.example.org`, "at most 63"],
  ])("refuses %s and says why", (text, reason) => {
    const result = parseDnsName(text);
    expect(result.ok).toBe(false);
    expect(!result.ok && result.error).toContain(reason);
  });
});

describe("relations", () => {
  const zone = trustedDnsName("example.org");

  test("a name lies at or below another label by label", () => {
    expect(isAtOrBelow(trustedDnsName("a.example.org"), zone)).toBe(true);
    expect(isAtOrBelow(zone, zone)).toBe(true);
    expect(isAtOrBelow(trustedDnsName("notexample.org"), zone)).toBe(false);
    expect(isAtOrBelow(trustedDnsName("x\\.example.org"), zone)).toBe(false);
    expect(isAtOrBelow(trustedDnsName("x\\\\.example.org"), zone)).toBe(true);
  });

  test("every name is below the zone of a back end without zones", () => {
    expect(parseZoneName(".")).toEqual({ ok: true, value: ROOT_ZONE });
    expect(parseZoneName("example.org")).toEqual({ ok: true, value: zone });
    expect(parseZoneName("").ok).toBe(false);
    expect(isAtOrBelow(zone, ROOT_ZONE)).toBe(true);
    expect(isAtOrBelow(ROOT_ZONE, zone)).toBe(false);
    expect(labelsOf(ROOT_ZONE)).toEqual([]);
    expect(childName("nas", ROOT_ZONE)).toBe("nas");
    expect(childName("nas", trustedDnsName(""))).toBe("nas");
  });

  test("escaped dots do not separate labels", () => {
    expect(labelsOf(trustedDnsName("a\\.b.example.org"))).toEqual(["a\\.b", "example", "org"]);
    expect(parentOf(trustedDnsName("a\\.b.example.org"))).toBe("example.org");
    expect(parentOf(trustedDnsName("org"))).toBe("");
    expect(parentOf(trustedDnsName(""))).toBeNull();
  });

  test("only a leading * is a wildcard", () => {
    expect(isWildcard(trustedDnsName("*.example.org"))).toBe(true);
    expect(isWildcard(trustedDnsName("w.example.org"))).toBe(false);
  });
});
