/**
 * Global setup of the `real` project: the program that the end-to-end tests start is the one of
 * this checkout.
 */
import { execFileSync } from "node:child_process";

/** Builds dist/zonekeeper.js once before all test files; called by vitest, and script/test did. */
export function setup(): void {
  if (process.env["ZONEKEEPER_BUILT"] === "1") return;
  execFileSync(process.execPath, ["script/build.mjs", "--quiet"], { stdio: "inherit" });
}
