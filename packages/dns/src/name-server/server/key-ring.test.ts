import { describe, expect, test } from "vitest";
import { FULL_KEY } from "../../../../../test/support/name-server/server-fixture.ts";
import { trustedDnsName } from "../../names/dns-name.ts";
import { KeyRing } from "./key-ring.ts";

const name = trustedDnsName;
const ring = new KeyRing([
  { ...FULL_KEY, name: name("limited"), zones: [name("b.example.org")] },
  { ...FULL_KEY, name: name("every") },
  { ...FULL_KEY, name: name("none"), zones: [] },
]);

describe("a grant for b.example.org", () => {
  test.each([
    ["b.example.org", true],
    ["a.b.example.org", true],
    ["example.org", false],
    ["c.example.org", false],
    ["xb.example.org", false],
  ])("reaches %s: %s", (apex, reaches) => {
    expect(ring.allows(name("limited"), "update", name(apex))).toBe(reaches);
    expect(ring.allows(name("limited"), "transfer", name(apex))).toBe(reaches);
  });
});

test("`all` reaches every zone, an empty list none, an unknown or missing key none", () => {
  const apex = name("example.org");
  expect(ring.allows(name("every"), "update", apex)).toBe(true);
  expect(ring.allows(name("none"), "update", apex)).toBe(false);
  expect(ring.allows(name("stranger"), "update", apex)).toBe(false);
  expect(ring.allows(null, "update", apex)).toBe(false);
});
