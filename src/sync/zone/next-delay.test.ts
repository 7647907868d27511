import { expect, test } from "vitest";
import { LIKE_ROUTE53 } from "../../../test/support/memory-provider/behaviour.ts";
import { SYNC_DEFAULTS } from "../contract/settings.ts";
import { NO_ROUND, roundAfter } from "./next-delay.ts";

const RULES = {
  ...{ ...SYNC_DEFAULTS, atomicity: "zone" as const },
  batch: { ...LIKE_ROUTE53.batch, groupsMax: 500 },
};

/** How long names gather after each of these rounds. */
function gathering(
  rounds: readonly (readonly [atMs: number, names: number])[],
  rules: Parameters<typeof roundAfter>[2] = RULES,
): readonly number[] {
  let last = NO_ROUND;
  return rounds.map(([atMs, names]) => {
    last = roundAfter(last, { atMs, names }, rules);
    return last.gatherUntilMs - atMs;
  });
}

test.each<[string, readonly (readonly [number, number])[], readonly number[]]>([
  [
    "single changes wait little, however many follow each other",
    Array.from({ length: 40 }, (_, index) => [index * 100, index % 2] as const),
    Array.from({ length: 40 }, () => 10),
  ],
  ["a few changes make the next ones wait a little longer", [[0, 3]], [30]],
  ["… but not for long", [[0, 30]], [100]],
  ["in a burst batches are filled", [[0, 60]], [300]],
  ["one that was full is followed sooner", [[0, 500]], [100]],
  [
    "after a burst a change waits 10 ms",
    [
      [0, 60],
      [300, 1],
      [400, 1],
    ],
    [300, 10, 10],
  ],
  [
    "a round that writes nothing is no burst, and ends no waiting",
    [
      [0, 60],
      [100, 0],
      [300, 0],
    ],
    [300, 200, 10],
  ],
])("%s", (_what, rounds, expected) => {
  expect(gathering(rounds)).toEqual(expected);
});

test("batches that are not all or nothing are not filled", () => {
  expect(gathering([[0, 60]], { ...RULES, atomicity: "set" })).toEqual([100]);
});

test("single changes are a burst when there are more than 32 a second", () => {
  const after = (everyMs: number) =>
    gathering(Array.from({ length: 120 }, (_, index) => [index * everyMs, 1] as const)).at(-1);
  expect([after(20), after(40)]).toEqual([300, 10]);
});
