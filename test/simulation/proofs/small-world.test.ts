/**
 * The whole of a small world: every order of faults at every place between the acts, and a crash at
 * every external call. Says how much it was.
 */
import { expect, test } from "vitest";
import { CLASS_A, LIKE_AZURE } from "../../support/memory-provider/behaviour.ts";
import { SMALL_ACTS, SMALL_FAULTS, type Walk, walk } from "./small-world.ts";

/**
 * Faults of one walk: ZONEKEEPER_SMALL_WORLD=3 walks everything and crashes at every call, which
 * takes many minutes.
 */
const DEPTH = Number(process.env["ZONEKEEPER_SMALL_WORLD"] ?? 2);
/**
 * Walks each so many of those with more than one fault; 5 has no factor with the six faults in
 * common, so that all pairs come.
 */
const EACH = Number(process.env["ZONEKEEPER_SMALL_WORLD_EACH"] ?? 5);
/**
 * Set: states that were met before are walked on from, too, for a process may remember something
 * else there.
 */
const IS_WHOLE = process.env["ZONEKEEPER_SMALL_WORLD_WHOLE"] === "1";
/** Each so many calls a crash. */
const STRIDE = DEPTH < 3 ? 9 : 1;
const BACK_ENDS = { atomic: CLASS_A, "step by step": LIKE_AZURE };

/**
 * All ways to put up to `depth` faults before the acts, at most one before each; the empty one
 * first.
 */
function placements(depth: number): readonly Walk["faults"][] {
  let all: readonly Walk["faults"][] = [[]];
  for (let act = 0; act < SMALL_ACTS; act++)
    all = all.flatMap((before) => [
      [...before, null],
      ...(countOf(before) < depth ? SMALL_FAULTS.map((fault) => [...before, fault]) : []),
    ]);
  return [...all].sort((a, b) => countOf(a) - countOf(b));
}

function countOf(faults: Walk["faults"]): number {
  return faults.filter((fault) => fault !== null).length;
}

test("two faults come before any two of the acts, in each order", () => {
  // C(6,0) + C(6,1) 6 + C(6,2) 6 6
  expect(placements(2).length).toBe(577);
  const positions = placements(2).map((faults) =>
    faults.map((one) => (one === null ? "." : "x")).join(""),
  );
  expect(new Set(positions).size).toBe(22);
});

test.each(Object.entries(BACK_ENDS))(
  "%s: every order of faults converges, wherever they come",
  async (name, behaviour) => {
    const seen = new Set<string>();
    const startedMs = performance.now();
    let pruned = 0;
    const all = placements(DEPTH).filter((one, index) => countOf(one) < 2 || index % EACH === 0);

    for (const faults of all) {
      const { data } = await walk({ behaviour, faults, crash: null, seen: IS_WHOLE ? null : seen });
      if (data === null) pruned += 1;
    }
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    process.stdout.write(
      `small world, ${name}: ${all.length} placements of up to ${DEPTH} faults, ${seen.size} states, ${pruned} pruned, ${seconds} s\n`,
    );
    if (!IS_WHOLE) expect(seen.size).toBeGreaterThan(all.length);
  },
);

test.each(Object.entries(BACK_ENDS))(
  "S15 %s: a crash at any call leads to where no crash leads",
  async (name, behaviour) => {
    const whole = await walk({ behaviour, faults: [], crash: null, seen: null });
    for (let call = 0; call < whole.calls; call += STRIDE)
      for (const when of ["crash-before", "crash-after"] as const) {
        const { data } = await walk({ behaviour, faults: [], crash: { call, when }, seen: null });
        expect(data, `${when} at call ${call}`).toBe(whole.data);
      }
    process.stdout.write(
      `small world, ${name}: a crash before and after each ${STRIDE} of ${whole.calls} calls\n`,
    );
    expect(whole.calls).toBeGreaterThan(10);
  },
);
