/** A machine without servers must be told so, with the command that helps. */
import { expect, test } from "vitest";
import { missing, REAL_PROGRAMS, type RealProgram } from "./availability.ts";

test("a path without programs misses each of them and says how to get it", () => {
  const fromDebian = (Object.keys(REAL_PROGRAMS) as RealProgram[]).filter((name) => {
    const programs: readonly string[] = REAL_PROGRAMS[name].programs;
    return programs.length > 0 && programs.every((program) => !program.startsWith("/"));
  });
  expect(fromDebian).toContain("bind");
  for (const name of fromDebian)
    expect(missing(name, "/nonexistent")).toMatch(/^\S+ is not installed \(apt-get install .+\)$/);
});
