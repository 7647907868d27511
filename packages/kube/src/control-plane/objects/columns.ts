/** The columns that several kinds share, and short ways to write others. */

import { cellAt } from "./json-path.ts";
import type { CellValue, Column, StoredObject } from "./served-kind.ts";

interface ColumnOptions {
  readonly priority?: number;
  readonly type?: Column["type"];
}

/** A column that only `-o wide` shows. */
export const WIDE = { priority: 1 } as const;

/** A column whose cell is computed. */
export function column(
  name: string,
  cell: (object: StoredObject, nowMs: number) => CellValue,
  options: ColumnOptions = {},
): Column {
  return {
    name,
    type: options.type ?? "string",
    description: `${name} of the object`,
    priority: options.priority ?? 0,
    cell,
  };
}

/** A column that shows the value at a JSON path; `empty` where there is none. */
export function columnAt(
  name: string,
  path: string,
  options: ColumnOptions & { readonly empty?: CellValue } = {},
): Column {
  const cell = (object: StoredObject): CellValue => {
    const value = cellAt(object, path);
    return value === null || value === "" ? (options.empty ?? "") : value;
  };
  return column(name, cell, options);
}

/** Items that one cell shows; the rest is counted. */
const SHOWN_MAX = 3;

/** `a,b,c + 4 more...`. */
export function shortList(all: readonly string[], empty = "<none>"): string {
  const shown = all.slice(0, SHOWN_MAX).join(",");
  if (all.length > SHOWN_MAX) return `${shown} + ${all.length - SHOWN_MAX} more...`;
  return shown === "" ? empty : shown;
}

/** The object's name. */
export const NAME_COLUMN: Column = column("Name", (object) => object.metadata.name);

/** Time since creation. */
export const AGE_COLUMN: Column = column("Age", (object, nowMs) =>
  ageOf(object.metadata.creationTimestamp, nowMs),
);

/** Seconds of each unit. */
const UNITS = { s: 1, m: 60, h: 3600, d: 86_400, y: 365 * 86_400 };
type Unit = keyof typeof UNITS;

/** The units of ages below a number of seconds; the second one is shown unless it is zero. */
const STEPS: readonly (readonly [below: number, unit: Unit, rest?: Unit])[] = [
  [2 * UNITS.m, "s"],
  [10 * UNITS.m, "m", "s"],
  [3 * UNITS.h, "m"],
  [8 * UNITS.h, "h", "m"],
  [2 * UNITS.d, "h"],
  [8 * UNITS.d, "d", "h"],
  [2 * UNITS.y, "d"],
  [8 * UNITS.y, "y", "d"],
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
  const [, unit = "y", second = null] = STEPS.find(([below]) => seconds < below) ?? [];
  const whole = `${Math.floor(seconds / UNITS[unit])}${unit}`;
  const rest = second === null ? 0 : Math.floor((seconds % UNITS[unit]) / UNITS[second]);
  return rest === 0 ? whole : `${whole}${rest}${second}`;
}
