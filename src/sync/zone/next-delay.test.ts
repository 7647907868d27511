import { expect, test } from "vitest";
import { SYNC_DEFAULTS } from "../contract/settings.ts";
import { NO_ROUND, roundAfter } from "./next-delay.ts";

/** How long names gather after rounds at these times with so many names to write. */
function gathering(rounds: readonly (readonly [atMs: number, names: number])[]) {
  let last = NO_ROUND;
  return rounds.map(([atMs, names]) => {
    last = roundAfter(last, { atMs, names }, SYNC_DEFAULTS);
    return last.gatherMs;
  });
}

test.each<[string, readonly (readonly [number, number])[], readonly number[]]>([
  ["a single change: the next one waits little", [[0, 1]], [10]],
  [
    "a stream gathers longer and longer",
    [
      [0, 1],
      [10, 1],
      [30, 3],
      [70, 9],
      [150, 20],
      [250, 20],
    ],
    [10, 20, 40, 80, 100, 100],
  ],
  [
    "a round that writes nothing makes nobody wait longer",
    [
      [0, 1],
      [10, 0],
      [60, 1],
      [70, 0],
    ],
    [10, 10, 10, 10],
  ],
  [
    "a pause ends the series",
    [
      [0, 1],
      [10, 1],
      [30, 1],
      [200, 1],
    ],
    [10, 20, 40, 10],
  ],
])("%s", (_what, rounds, expected) => {
  expect(gathering(rounds)).toEqual(expected);
});

test("after a stream, a round that writes nothing lets the next change wait 10 ms at most", () => {
  let last = NO_ROUND;
  for (const atMs of [0, 10, 30, 70, 150])
    last = roundAfter(last, { atMs, names: 20 }, SYNC_DEFAULTS);
  expect([last.gatherMs, last.atMs + last.gatherMs]).toEqual([100, 250]);
  const [early, late] = [200, 250].map((atMs) =>
    roundAfter(last, { atMs, names: 0 }, SYNC_DEFAULTS),
  );
  for (const [round, dueMs] of [
    [early, 250],
    [late, 260],
  ] as const)
    expect([round?.names, (round?.atMs ?? 0) + (round?.gatherMs ?? 0)]).toEqual([0, dueMs]);
});
