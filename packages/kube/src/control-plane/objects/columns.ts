/** The columns that several kinds share, and short ways to write others. */
import { ageOf } from "./age.ts";
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
