/** Which call lasts too long, by the watchdog's own ticks. */
import { expect, test } from "vitest";
import { LoopJudge, loading, newCells, watchIn } from "./watched-calls.ts";

const TICKS_MAX = 4;

/** What each of so many ticks says. */
function ticks(judge: LoopJudge, cells: Int32Array, count = 2 * TICKS_MAX): readonly unknown[] {
  return Array.from({ length: count }, () => judge.tick(cells)).filter((one) => one !== null);
}

test("no call is none, however long", () => {
  expect(ticks(new LoopJudge(TICKS_MAX), newCells())).toEqual([]);
});

test("one call that lasts is named with its plug-in", () => {
  const cells = newCells();
  const judge = new LoopJudge(TICKS_MAX);
  const found = watchIn(cells, 2)("records", () => [
    ticks(judge, cells, TICKS_MAX),
    judge.tick(cells),
  ]);
  expect(found).toEqual([[], { plugin: 2, call: "records" }]);
  expect(ticks(judge, cells)).toEqual([]);
});

test("a call that comes back between two ticks starts anew, thrown or not", () => {
  const cells = newCells();
  const watch = watchIn(cells, 0);
  const judge = new LoopJudge(TICKS_MAX);
  for (let count = 0; count < 3 * TICKS_MAX; count++) {
    const call = (): unknown => watch("zones", () => judge.tick(cells));
    expect(call()).toBeNull();
    expect(() =>
      watch("audit", () => {
        throw new Error(`no luck: ${judge.tick(cells)}`);
      }),
    ).toThrow("no luck: null");
  }
});

test("while nobody ticks, as in a process that is stopped, no call is too long", () => {
  const cells = newCells();
  const judge = new LoopJudge(TICKS_MAX);
  const call = watchIn(cells, 0)("endpoints", () => ticks(judge, cells, TICKS_MAX));
  expect(call).toEqual([]);
});

test("a call within a call leaves the outer one behind", () => {
  const cells = newCells();
  const watch = watchIn(cells, 1);
  const judge = new LoopJudge(TICKS_MAX);
  const found = watch("apply", () => {
    watch("close", () => undefined);
    return ticks(judge, cells, TICKS_MAX + 1);
  });
  expect(found).toEqual([{ plugin: 1, call: "apply" }]);
});

test("a load that waits beats; one that loops does not", async () => {
  const cells = newCells();
  const judge = new LoopJudge(TICKS_MAX);
  await loading(cells, 0, async () => {
    for (let count = 0; count < 2; count++) {
      expect(ticks(judge, cells, TICKS_MAX)).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    judge.tick(cells);
    expect(ticks(judge, cells, TICKS_MAX)).toEqual([{ plugin: 0, call: "load" }]);
  });
  expect(ticks(judge, cells)).toEqual([]);
});
