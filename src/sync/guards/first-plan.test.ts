import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { FIRST_PLAN_MS, FirstPlan, QUIET_MS, type ReadProgress } from "./first-plan.ts";

/** Milliseconds that the first plan lasts; null = longer than three times its most. */
async function lastsMs(progress: ReadProgress, isContact: boolean): Promise<number | null> {
  const clock = new VirtualClock();
  let overMs: number | null = null;
  const onOver = () => {
    overMs = clock.monotonicMs();
  };
  const plan = new FirstPlan({ clock, isContact: () => isContact, onOver });
  const beganMs = clock.monotonicMs();
  plan.observe(progress);
  expect(plan.lasts()).toBe(true);
  await clock.advance(3 * FIRST_PLAN_MS);
  expect(plan.lasts()).toBe(overMs === null);
  plan.close();
  return overMs === null ? null : overMs - beganMs;
}

/** One after the other; the last one stays. */
function sequence(...values: readonly (number | null)[]): () => number | null {
  let next = 0;
  return () => values[Math.min(next++, values.length - 1)] ?? null;
}

function growing(): () => number {
  let objects = 0;
  return () => objects++;
}

/** How long it lasts: as the first plan of a version, and as first contact. */
type Case = readonly [string, () => ReadProgress, number, number | null];

const CASES: readonly Case[] = [
  ["all was read before it began", () => sequence(7), 2 * QUIET_MS, 2 * QUIET_MS],
  ["objects come for a while", () => sequence(1, 2, 3, 3), 4 * QUIET_MS, 4 * QUIET_MS],
  ["a kind is listed late", () => sequence(3, null, null, 3), 5 * QUIET_MS, 5 * QUIET_MS],
  ["new objects come for ever", growing, FIRST_PLAN_MS, FIRST_PLAN_MS],
  ["a kind is never listed", () => sequence(null), FIRST_PLAN_MS, null],
  ["nothing is known", () => undefined, FIRST_PLAN_MS, FIRST_PLAN_MS],
];

test.each(CASES)("Z-24 the first plan where %s", async (_, progress, first, contact) => {
  expect(await lastsMs(progress(), false)).toBe(first);
  expect(await lastsMs(progress(), true)).toBe(contact);
});
