/** A machine without servers must be told so, with the command that helps. */
import { expect, test } from "vitest";
import { missing, REAL_PROGRAMS, type RealProgram } from "./availability.ts";

test("a path without programs misses each of them and says how to get it", () => {
  const onPath = Object.keys(REAL_PROGRAMS).filter((name) => !name.startsWith("kube"));
  for (const name of onPath as RealProgram[])
    expect(missing(name, "/nonexistent")).toMatch(/^\S+ is not installed \(apt-get install .+\)$/);
});
