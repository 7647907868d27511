import { expect, test } from "vitest";
import { fingerprint64 } from "./fingerprint.ts";

// The vectors of draft-eastlake-fnv, appendix C ("FNV-1a 64-bit").
test.each([
  ["", "cbf29ce484222325"],
  ["a", "af63dc4c8601ec8c"],
  ["foobar", "85944171f73967e8"],
])("FNV-1a of %o is %s", (text, hash) => {
  expect(fingerprint64(text)).toBe(hash);
});
