/** The record of an object goes with it, at whatever call its publisher has ended. */
import { expect, test } from "vitest";
import { EARLY_CLAUSES } from "../mutants/early-clauses.ts";
import { importMutated } from "../mutants/mutant.ts";
import type * as Early from "./early-ends.ts";
import { entryWay, proveEnds, serviceWay, splitWay } from "./early-ends.ts";

test.each([
  ["a DNSEntry", entryWay],
  ["a Service with a DNSEntry", () => serviceWay("entries")],
  ["a Service that is published directly", () => serviceWay("direct")],
  ["a Service of a cluster that is not served", splitWay],
])("Z-19, Z-23 %s", async (_, open) => {
  expect(await proveEnds(open)).toBeGreaterThan(8);
});

test.each(EARLY_CLAUSES)("without $drops something stays behind", async (mutant) => {
  const module = await importMutated("proofs/early-ends.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  await expect((module as typeof Early).proveAll()).rejects.toThrow(mutant.breaks);
});
