import { expect, test } from "vitest";
import { play, usual } from "./script.ts";

const SEEDS = Number(process.env["ZONEKEEPER_SEEDS"] ?? 200);
const FIRST = Number(process.env["ZONEKEEPER_FIRST_SEED"] ?? 1);
/** Seeds in one test, so that a failure names a small range. */
const PART = 20;

async function run(seed: number): Promise<void> {
  try {
    await play(usual(seed));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `seed ${seed}: ${reason}\nreplay: ZONEKEEPER_FIRST_SEED=${seed} ZONEKEEPER_SEEDS=1 npx vitest run --project simulation`,
    );
  }
}

for (let first = FIRST; first < FIRST + SEEDS; first += PART) {
  const last = Math.min(first + PART, FIRST + SEEDS) - 1;
  test(`seeds ${first} to ${last} keep S1–S4, L1, L2 and L4 under F01–F08, F11, F12`, async () => {
    for (let seed = first; seed <= last; seed++) await run(seed);
    expect(last).toBeGreaterThanOrEqual(first);
  });
}
