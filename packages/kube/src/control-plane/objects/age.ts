/** Ages as kubectl shows them: coarser the older. Pure. */

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** The two units of an age and up to when they are used. */
interface AgeUnit {
  readonly below: number;
  readonly unit: number;
  readonly letter: string;
  /** Shown too unless it is zero. */
  readonly rest: { readonly unit: number; readonly letter: string } | null;
}

const STEPS: readonly AgeUnit[] = [
  { below: 2 * MINUTE, unit: SECOND, letter: "s", rest: null },
  { below: 10 * MINUTE, unit: MINUTE, letter: "m", rest: { unit: SECOND, letter: "s" } },
  { below: 3 * HOUR, unit: MINUTE, letter: "m", rest: null },
  { below: 8 * HOUR, unit: HOUR, letter: "h", rest: { unit: MINUTE, letter: "m" } },
  { below: 2 * DAY, unit: HOUR, letter: "h", rest: null },
  { below: 8 * DAY, unit: DAY, letter: "d", rest: { unit: HOUR, letter: "h" } },
  { below: 2 * YEAR, unit: DAY, letter: "d", rest: null },
  { below: 8 * YEAR, unit: YEAR, letter: "y", rest: { unit: DAY, letter: "d" } },
  { below: Number.POSITIVE_INFINITY, unit: YEAR, letter: "y", rest: null },
];

/**
 * Time since an RFC 3339 `time` at `nowMs` (Unix milliseconds); `<unknown>` when there is no time.
 */
export function ageOf(time: unknown, nowMs: number): string {
  const startMs = typeof time === "string" ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(startMs)) return "<unknown>";
  const seconds = Math.floor((nowMs - startMs) / 1000);
  if (seconds < -1) return "<invalid>";
  return durationText(Math.max(0, seconds));
}

/** `12s`, `3m4s`, `5h`, `2d3h`; `seconds` ≥ 0. */
export function durationText(seconds: number): string {
  const step = STEPS.find((each) => seconds < each.below);
  if (step === undefined) return `${seconds}s`;
  const whole = `${Math.floor(seconds / step.unit)}${step.letter}`;
  if (step.rest === null) return whole;
  const rest = Math.floor((seconds % step.unit) / step.rest.unit);
  return rest === 0 ? whole : `${whole}${rest}${step.rest.letter}`;
}
