/**
 * Incidents of other tools, told to ours. Mutants of ours that behave as the other tool did die in
 * ../mutants/incident-mutants.test.ts.
 */
import { expect, test } from "vitest";
import { INCIDENTS, tellIncident } from "./index.ts";

test.each(INCIDENTS)("$name ($ids): it does not happen to us", async ({ name, mutants }) => {
  expect((await tellIncident(name)).length).toBeGreaterThan(0);
  expect(mutants.length, "nobody behaves as the original did").toBeGreaterThan(0);
});
