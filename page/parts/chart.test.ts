import { expect, test } from "vitest";
import type { SeriesBucket } from "../contract.ts";
import { durationText, seriesText } from "./chart.tsx";

const EMPTY: SeriesBucket = {
  ...{ at: "2026-01-01T00:00:00Z", created: 0, changed: 0, removed: 0, markers: 0 },
  ...{ answered: 0, answeredMsP50: null, answeredMsP99: null },
};
const series = (...buckets: readonly Partial<SeriesBucket>[]) => ({
  ...({ schema: "zonekeeper.dev/series/v1", now: EMPTY.at, bucketSeconds: 900 } as const),
  ...{ isCut: false, troubles: [] },
  buckets: buckets.map((one) => ({ ...EMPTY, ...one })),
});

test("what a chart says in words", () => {
  expect(seriesText(series({}, { markers: 9 }))).toBe("No change in the last day.");
  expect(seriesText(series({ created: 1 }))).toBe(
    "1 change in the last day, 1 at most in a quarter of an hour.",
  );
  expect(seriesText(series({ created: 1, removed: 3, answeredMsP99: 1_240 }, { changed: 2 }))).toBe(
    "6 changes in the last day, 4 at most in a quarter of an hour; the slowest answer came after 1.2 s.",
  );
});

test.each([
  [0, "0 ms"],
  [85.4, "85 ms"],
  [1_000, "1.0 s"],
  [12_345, "12 s"],
])("%d milliseconds are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
