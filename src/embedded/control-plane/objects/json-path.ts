/** The subset of JSONPath that printer columns use: `.a.b`, `['key']`, `[0]`, `[*]`. Pure. */
import { isObject } from "../json/json.ts";
import type { CellValue } from "./served-kind.ts";

/** One step, sticky: anything that does not fit ends the parse. */
const STEP = /\.([A-Za-z0-9_-]+)|\[(\d+|\*)\]|\['((?:[^'\\]|\\.)*)'\]/y;

/** The steps of a path; null = not in the subset. */
function parseJsonPath(path: string): readonly string[] | null {
  const steps: string[] = [];
  let position = 0;
  while (position < path.length) {
    STEP.lastIndex = position;
    const match = STEP.exec(path);
    if (match === null) return null;
    steps.push(match[1] ?? match[2] ?? (match[3] ?? "").replaceAll(/\\(.)/g, "$1"));
    position = STEP.lastIndex;
  }
  return steps;
}

/**
 * The cell that a column shows: null when nothing is there or the path is not in the subset, JSON
 * for objects and lists.
 */
export function cellAt(object: unknown, path: string): CellValue {
  const steps = parseJsonPath(path);
  if (steps === null) return null;
  let found: readonly unknown[] = [object];
  for (const step of steps) found = found.flatMap((value) => children(value, step));
  const shown = found.filter((value) => value !== undefined && value !== null);
  if (shown.length === 0) return null;
  if (shown.length > 1) return shown.map((value) => String(cellText(value))).join(",");
  return cellText(shown[0]);
}

/** The values one step below `value`; none where the step leads nowhere. */
function children(value: unknown, step: string): readonly unknown[] {
  if (Array.isArray(value)) {
    if (step === "*") return value;
    return /^\d+$/.test(step) ? [value[Number(step)]] : [];
  }
  if (!isObject(value)) return [];
  if (step === "*") return Object.values(value);
  return Object.hasOwn(value, step) ? [value[step]] : [];
}

/** Objects and lists are shown as JSON, as kube-apiserver does. */
function cellText(value: unknown): CellValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  return JSON.stringify(value);
}
