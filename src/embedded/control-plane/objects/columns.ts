/** The columns that several kinds share, and short ways to write others. */
import { ageOf } from "./age.ts";
import type { CellValue, Column, StoredObject } from "./served-kind.ts";

/** A column whose cell is computed. */
export function column(
  name: string,
  cell: (object: StoredObject, nowMs: number) => CellValue,
  options: { readonly priority?: number; readonly type?: Column["type"] } = {},
): Column {
  return {
    name,
    type: options.type ?? "string",
    description: `${name} of the object`,
    priority: options.priority ?? 0,
    cell,
  };
}

/** The object's name. */
export const NAME_COLUMN: Column = column("Name", (object) => object.metadata.name);

/** Time since creation. */
export const AGE_COLUMN: Column = column("Age", (object, nowMs) =>
  ageOf(object.metadata.creationTimestamp, nowMs),
);
