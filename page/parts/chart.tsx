/** Changes of the last day, and how long servers took to answer with them. */
import type { SeriesBucket, SeriesDocument } from "../contract.ts";
import { countText } from "./basics.tsx";

/** Of the picture, in pixels at the most: its words are never scaled. */
const WIDTH_MAX = 780;
/** What is left and right of it on a phone. */
const PADDING = 30;
const HEIGHT = 150;
const LEFT = 40;
const RIGHT = 64;
const TOP = 14;
const FLOOR = HEIGHT - 24;

/** How many changes a bucket has, those of markers apart. */
function changesIn({ created, changed, removed }: SeriesBucket): number {
  return created + changed + removed;
}

/** What the chart says, in one sentence. */
export function seriesText({ buckets }: SeriesDocument): string {
  const total = buckets.reduce((sum, bucket) => sum + changesIn(bucket), 0);
  const slow = Math.max(0, ...buckets.map(({ answeredMsP99 }) => answeredMsP99 ?? 0));
  const most = Math.max(0, ...buckets.map(changesIn));
  if (total === 0) return "No change in the last day.";
  const slowest = slow === 0 ? "" : `; the slowest answer came after ${durationText(slow)}`;
  return `${countText(total, "change")} in the last day, ${most} at most in a quarter of an hour${slowest}.`;
}

export function Chart({ series }: { series: SeriesDocument }) {
  const { buckets } = series;
  const width = Math.min(WIDTH_MAX, Math.max(280, innerWidth - PADDING));
  const most = roundUp(Math.max(1, ...buckets.map(changesIn)));
  const slowest = roundUp(Math.max(1, ...buckets.map(({ answeredMsP99 }) => answeredMsP99 ?? 0)));
  const step = (width - LEFT - RIGHT) / Math.max(1, buckets.length);
  const x = (index: number): number => LEFT + index * step;
  const y = (share: number): number => FLOOR - share * (FLOOR - TOP);
  const points = buckets.flatMap(({ answeredMsP99 }, index) =>
    answeredMsP99 === null ? [] : [{ x: x(index) + step / 2, y: y(answeredMsP99 / slowest) }],
  );
  return (
    <figure class="part">
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={seriesText(series)}
      >
        <line class="axis" x1={LEFT} x2={width - RIGHT} y1={FLOOR + 0.5} y2={FLOOR + 0.5} />
        <line class="axis" x1={LEFT} x2={width - RIGHT} y1={TOP + 0.5} y2={TOP + 0.5} />
        <text x={LEFT - 6} y={TOP + 4} text-anchor="end">
          {most}
        </text>
        <text x={LEFT - 6} y={FLOOR + 4} text-anchor="end">
          0
        </text>
        {points.length === 0 ? null : (
          <>
            <text x={width - RIGHT + 6} y={TOP + 4}>
              {durationText(slowest)}
            </text>
            <text x={width - RIGHT + 6} y={FLOOR + 4}>
              0 ms
            </text>
          </>
        )}
        {buckets.map((bucket, index) => {
          const height = (changesIn(bucket) / most) * (FLOOR - TOP);
          return height === 0 ? null : (
            <rect
              key={bucket.at}
              class="bar"
              x={x(index) + 0.5}
              y={FLOOR - height}
              width={Math.max(1, step - 1)}
              height={height}
            />
          );
        })}
        <polyline class="line" points={points.map((one) => `${one.x},${one.y}`).join(" ")} />
        {points.map((one) => (
          <circle key={one.x} class="dot" cx={one.x} cy={one.y} r={2} />
        ))}
        <text x={LEFT} y={HEIGHT - 7}>
          24 h ago
        </text>
        <text x={width - RIGHT} y={HEIGHT - 7} text-anchor="end">
          now
        </text>
      </svg>
      <figcaption class="faint">
        Bars: changes each quarter of an hour. Dots: time from an object's change to the server's
        answer, of 99 in 100. {seriesText(series)}
      </figcaption>
    </figure>
  );
}

/** `85 ms`, `1.2 s`. */
export function durationText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

/** The next of 1, 2, 5, 10, 20 … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= value) ?? value;
}
