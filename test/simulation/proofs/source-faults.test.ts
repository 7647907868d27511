/**
 * What emptied external-dns 0.22 takes nothing away here and publishes nothing wrong.
 * ZONEKEEPER_SEEDS: how many stories of each fault.
 */
import { expect, test } from "vitest";
import { type FaultName, playSourceFault, SOURCE_FAULTS } from "./source-faults.ts";

const SEEDS = Number(process.env["ZONEKEEPER_SEEDS"] ?? 3);

const FAULTS = Object.entries(SOURCE_FAULTS).map(
  ([name, { title }]) => [name as FaultName, title] as const,
);

test.each(FAULTS)("%s: %s", async (name) => {
  let strikes = 0;
  for (let seed = 1; seed <= SEEDS; seed++) strikes += await playSourceFault(name, seed);
  expect(strikes, "it never happened").toBeGreaterThan(0);
});
