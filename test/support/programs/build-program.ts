/**
 * Global setup of the `real` project: the program that the end-to-end tests start is the one of
 * this checkout.
 */
import { execFileSync } from "node:child_process";

/** Builds dist/zonekeeper.js once before all test files; called by vitest. */
export function setup(): void {
  execFileSync(process.execPath, ["script/build.mjs", "--quiet"], { stdio: "inherit" });
}
