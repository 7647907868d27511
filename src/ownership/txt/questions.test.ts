/**
 * What the registry answers without writing anything: what it can do, what to look at, which texts
 * are refused.
 */
import { describe, expect, test } from "vitest";
import { nameOf, ORIGIN, parseZone, shortName } from "../../../test/support/values/zone-text.ts";
import { openTxtOwnership } from "./ownership.ts";
import type { TxtOwnershipOptions } from "./ownership-options.ts";

const YOU =
  '"heritage=external-dns,external-dns/owner=you,external-dns/resource=service/default/web"';
const open = (options: Partial<TxtOwnershipOptions> = {}) =>
  openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owner === "me", ...options });

describe("what the registry says of itself and of texts", () => {
  test("permits travel in the zone", () => {
    expect(open().permits).toBeDefined();
  });

  test.each([
    ["www", ["www"]],
    ["a-www", ["a-www", "www"]],
    ["_owner.a.www", ["_owner.a.www", "www"]],
    ["_permit.a.www", ["_permit.a.www", "www"]],
  ])("what changes at %s is looked at at %j", (name, names) => {
    expect(open().affected(nameOf(name)).map(shortName).sort()).toEqual([...names].sort());
  });

  test.each<[string, string, boolean, Partial<TxtOwnershipOptions>]>([
    ["a marker", `www 300 TXT ${YOU}`, true, {}],
    ["a marker beside a text", `www 300 TXT ${YOU}\nwww 300 TXT "hello"`, true, {}],
    ["a text", 'www 300 TXT "hello"', false, {}],
    ["the same in another type", `www 300 HINFO ${YOU}`, false, {}],
    ["what nobody can read", `a-www 300 TXT "${"A".repeat(96)}"`, true, {}],
    ["… at a name that names no type", `www 300 TXT "${"A".repeat(96)}"`, false, {}],
    [
      "… at one that names one in one way",
      `a-www 300 TXT "${"A".repeat(96)}"`,
      true,
      { readAlso: [{ prefix: "a-", suffix: "", wildcard: "" }] },
    ],
  ])("%s is refused: %s", (_, zone, isRefused, options) => {
    for (const set of parseZone(zone))
      expect(open(options).zoneMarkers?.refuses(set)?.code ?? null).toBe(
        isRefused ? "LooksLikeMarker" : null,
      );
  });
});
