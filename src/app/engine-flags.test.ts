import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { getHeapSpaceStatistics } from "node:v8";
import { expect, test } from "vitest";
import { engineFlags, setEngineFlags } from "./engine-flags.ts";

const QUIET = { stdio: "ignore" } as const;

/** Sets the flags that are its arguments, and makes a million objects, of which 20 000 live. */
const LOAD = `
  const v8 = require("node:v8");
  for (const flag of process.argv.slice(1)) v8.setFlagsFromString(flag);
  const kept = [];
  for (let index = 0; index < 1e6; index++) kept[index % 20000] = { index, text: "x" + index };
`;

/** How often the young objects are collected: the smaller their space, the more often. */
function youngCollections(flags: readonly string[]): number {
  const args = ["--trace-gc", "-e", LOAD, "--", ...flags];
  return execFileSync(process.execPath, args, { encoding: "utf8" }).split("Scavenge").length - 1;
}

test("node knows each flag, and with them the space of young objects stays small", () => {
  expect(() => execFileSync(process.execPath, ["--no-such-flag", "-e", "0"], QUIET)).toThrow();
  execFileSync(process.execPath, [...engineFlags(), "-e", "0"], QUIET);
  expect(youngCollections(engineFlags())).toBeGreaterThan(2 * youngCollections([]));
});

test("a later Node, whose V8 has no such budget, is spared it", () => {
  expect(engineFlags("20.19.0")).toHaveLength(5);
  expect(engineFlags("24.1.0")).toEqual(engineFlags("20.19.0").slice(1));
});

test("the space of young objects is 8 MB, and no load makes it larger", () => {
  setEngineFlags();
  const megabytes = (): number => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
    return (young?.space_size ?? 0) / 1024 / 1024;
  };
  const before = megabytes();
  expect(before).toBeGreaterThanOrEqual(8);
  const kept: object[] = [];
  for (let index = 0; index < 1e6; index++) kept[index % 50_000] = { index, text: `x${index}` };
  expect(megabytes()).toBeLessThanOrEqual(before);
});

test("the program sets them before it does anything else", () => {
  const main = readFileSync("src/app/main.ts", "utf8");
  const at = main.indexOf("\nsetEngineFlags();");
  expect(at).toBeGreaterThan(0);
  expect(at).toBeLessThan(main.indexOf("\nsetMaxListeners("));
});
