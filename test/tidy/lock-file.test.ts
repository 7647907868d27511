/**
 * `npm ci` refuses a lock file without entries for the optional platform packages; a registry
 * mirror may hide those.
 */
import { expect, test } from "vitest";
import { run } from "../support/programs/run.ts";

test("package-lock.json has an entry for every optional package (else: node script/complete-lock.mjs)", async () => {
  const { code, stdout } = await run("node", ["script/complete-lock.mjs", "--check"]);
  expect(stdout).toBe("");
  expect(code).toBe(0);
});
