/**
 * No answer goes back and none is lost, whatever is cut, and a standby writes nothing; without that
 * clause it shows. ZONEKEEPER_SEEDS: how many stories.
 */
import { expect, test } from "vitest";
import { importMutated } from "../mutants/mutant.ts";
import { STANDBY_CLAUSES } from "../mutants/standby-clauses.ts";
import type * as Play from "./region-play.ts";
import { regionTroubles } from "./region-play.ts";

const SEEDS = Number(process.env["ZONEKEEPER_SEEDS"] ?? 2);

test("ADR 0129 regions that are cut, killed and healed keep their zone", async () => {
  expect(await regionTroubles(Array.from({ length: SEEDS }, (_, at) => at + 1))).toEqual([]);
});

test.each(STANDBY_CLAUSES.filter(({ clause }) => clause === "standby-is-a-dry-run"))(
  "without $drops it shows",
  async (clause) => {
    // A bundle that has just been made from a file of ours that exports this function.
    const play = (await importMutated("proofs/region-play.ts", clause)) as typeof Play;
    expect((await play.regionTroubles([1])).join("\n")).toMatch(/a standby writes/);
  },
);
