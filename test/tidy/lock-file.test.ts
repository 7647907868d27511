/**
 * `npm ci` refuses a lock file without entries for the optional platform packages; a registry
 * mirror may hide those.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { run } from "../support/programs/run.ts";

test("package-lock.json has an entry for every optional package (else: node script/complete-lock.mjs)", async () => {
  const { code, stdout } = await run("node", ["script/complete-lock.mjs", "--check"]);
  expect(stdout).toBe("");
  expect(code).toBe(0);
});

interface Locked {
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}
const LOCK: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync("package-lock.json", "utf8"),
);
/** What README promises. */
const NODE = [20, 19, 0] as const;

/** For `>=a.b.c`, `^a.b.c` and a bare version, any of them behind `||`. */
function runsOn([major, minor, patch]: typeof NODE, range: string): boolean {
  return range.split("||").some((text) => {
    const found = /^(>=|\^|~)?\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text.trim());
    if (found === null) return text.trim() === "*";
    const [low = 0, lowMinor = 0, lowPatch = 0] = found.slice(2).map((part) => Number(part ?? 0));
    if (low !== major) return found[1] === ">=" && low < major;
    return minor > lowMinor || (minor === lowMinor && patch >= lowPatch);
  });
}

test("npm ci warns of nothing: each package runs on the oldest Node, and install scripts are allowed by name", () => {
  const packages = Object.entries(LOCK.packages).filter(([path]) => path !== "");
  const tooNew = packages.filter(
    ([, { engines, optional }]) =>
      optional !== true && engines?.node !== undefined && !runsOn(NODE, engines.node),
  );
  expect(tooNew.map(([path, { engines }]) => `${path} ${engines?.node}`)).toEqual([]);
  const allowed = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).allowScripts);
  const scripted = packages.filter(
    ([, one]) => one.hasInstallScript === true && one.optional !== true,
  );
  for (const [path] of scripted) expect(allowed).toContain(path.replace(/^.*node_modules\//, ""));
});
