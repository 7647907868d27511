import { expect, test } from "vitest";
import { LIKE_ROUTE53 } from "../../../test/support/memory-provider/behaviour.ts";
import { SYNC_DEFAULTS } from "../contract/settings.ts";
import { gatherUntilMs } from "./next-delay.ts";

const ROUND = { atMs: 1_000, names: 1, isBurst: false };
const RULES = {
  ...{ ...SYNC_DEFAULTS, atomicity: "zone" as const },
  batch: { ...LIKE_ROUTE53.batch, groupsMax: 500 },
};

test.each([
  ["a single change: the next one waits little", ROUND, 1_010],
  ["a round that writes nothing, too", { ...ROUND, names: 0 }, 1_010],
  ["a few changes make the next ones wait a little longer", { ...ROUND, names: 3 }, 1_030],
  ["… but not for long", { ...ROUND, names: 60 }, 1_100],
  ["in a burst batches are filled", { ...ROUND, isBurst: true }, 1_300],
  ["one that was full is followed sooner", { ...ROUND, names: 500, isBurst: true }, 1_100],
])("%s", (_what, round, expected) => {
  expect(gatherUntilMs(900, round, RULES)).toBe(expected);
  expect(gatherUntilMs(1_400, round, RULES)).toBe(1_400);
});

test("batches that are not all or nothing are not filled", () => {
  const round = { ...ROUND, names: 60, isBurst: true };
  expect(gatherUntilMs(900, round, { ...RULES, atomicity: "set" })).toBe(1_100);
});
