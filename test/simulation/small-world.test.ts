/** The whole of a small world: every order of faults, and a crash at every external call. Says how much it was. */
import { expect, test } from "vitest";
import { CLASS_A, LIKE_AZURE } from "../../src/providers/memory/behaviour.ts";
import { SMALL_FAULTS, type SmallFault, walk } from "./small-world.ts";

/** Faults in a row: ZONEKEEPER_SMALL_WORLD=3 walks everything and crashes at every call, which takes many minutes. */
const DEPTH = Number(process.env["ZONEKEEPER_SMALL_WORLD"] ?? 1);
/** Set: states that were met before are walked on from, too, for a process may remember something else there. */
const IS_WHOLE = process.env["ZONEKEEPER_SMALL_WORLD_WHOLE"] === "1";
/** Each so many calls a crash. */
const STRIDE = DEPTH < 3 ? 9 : 1;
const BACK_ENDS = { atomic: CLASS_A, "step by step": LIKE_AZURE };

/** All sequences of up to `depth` faults, the empty one first. */
function sequences(depth: number): readonly (readonly SmallFault[])[] {
  if (depth === 0) return [[]];
  const shorter = sequences(depth - 1);
  const longest = shorter.filter(({ length }) => length === depth - 1);
  return [...shorter, ...longest.flatMap((one) => SMALL_FAULTS.map((fault) => [...one, fault]))];
}

test.each(Object.entries(BACK_ENDS))(
  "%s: every order of faults converges",
  async (name, behaviour) => {
    const seen = new Set<string>();
    const startedMs = performance.now();
    let pruned = 0;
    const all = sequences(DEPTH);

    for (const faults of all) {
      const { data } = await walk({ behaviour, faults, crash: null, seen: IS_WHOLE ? null : seen });
      if (data === null) pruned += 1;
    }
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    process.stdout.write(
      `small world, ${name}: ${all.length} orders of up to ${DEPTH} faults, ${seen.size} states, ${pruned} pruned, ${seconds} s\n`,
    );
    if (!IS_WHOLE) expect(seen.size).toBeGreaterThan(DEPTH);
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
