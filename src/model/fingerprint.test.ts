import { expect, test } from "vitest";
import { fingerprint64 } from "./fingerprint.ts";

// The vectors of draft-eastlake-fnv, appendix C ("FNV-1a 64-bit").
test.each([
  ["", "cbf29ce484222325"],
  ["a", "af63dc4c8601ec8c"],
  ["foobar", "85944171f73967e8"],
  // Of the UTF-8 bytes c3 a4, by hand.
  ["\u00e4", "0ac21207b7181582"],
])("FNV-1a of %o is %s", (text, hash) => {
  expect(fingerprint64(text)).toBe(hash);
});
