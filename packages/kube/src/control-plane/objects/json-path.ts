/**
 * The subset of JSONPath that printer columns use: `.a.b`, `.a\.b`, `['key']`, `[0]`, `[*]`,
 * `[?(@.type=="Ready")]`. Pure.
 */
import { isObject } from "../json/json.ts";
import type { CellValue } from "./served-kind.ts";

/** Sticky: anything that does not fit ends the parse. The last two are of a filter. */
const STEP =
  /\.((?:[\w/-]|\\.)+)|\[(\d+|\*)\]|\['((?:[^'\\]|\\.)*)'\]|\[\?\(\s*@(\.[\w.-]+)\s*(?:([=!]=\s*(?:"[^"]*"|'[^']*'|[\w.+-]+))\s*)?\)\]/y;

/** The key or index of a child, or which items of a list are meant. */
type PathStep = string | ((item: unknown) => boolean);

/** The steps of a path; null = not in the subset. */
function parseJsonPath(path: string): readonly PathStep[] | null {
  const steps: PathStep[] = [];
  let position = 0;
  while (position < path.length) {
    STEP.lastIndex = position;
    const match = STEP.exec(path);
    if (match === null) return null;
    const [, name, index, quoted, field, condition] = match;
    if (field === undefined) steps.push(index ?? (name ?? quoted ?? "").replaceAll(/\\(.)/g, "$1"));
    else steps.push(filterOf(field, condition));
    position = STEP.lastIndex;
  }
  return steps;
}

/** `condition` = the operator and a literal; without one, items that have the field. */
function filterOf(field: string, condition: string | undefined): (item: unknown) => boolean {
  if (condition === undefined) return (item) => cellAt(item, field) !== null;
  const isWanted = condition.startsWith("=");
  const literal = condition.slice(2).trim();
  const text = literal.replace(/^(["'])(.*)\1$/, "$2");
  return (item) => {
    const value = cellAt(item, field);
    return value !== null && (String(value) === text) === isWanted;
  };
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
function children(value: unknown, step: PathStep): readonly unknown[] {
  if (typeof step === "function") return Array.isArray(value) ? value.filter(step) : [];
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
