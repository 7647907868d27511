/**
 * The ratchet of counted faults (docs/style.md figure 7): a count may shrink and never grow. Pure.
 */
import type { Faults } from "./file-figures.ts";

/** One counted fault against its baseline. */
export interface RatchetRow {
  readonly fault: keyof Faults;
  readonly count: number;
  readonly baseline: number;
}

/** All faults in the order of the table. A fault that the baseline does not name has baseline 0. */
export function ratchetRows(faults: Faults, baseline: Partial<Faults>): readonly RatchetRow[] {
  return [
    row("any", faults, baseline),
    row("as", faults, baseline),
    row("asAtEdges", faults, baseline),
    row("nonNull", faults, baseline),
    row("eslintDisable", faults, baseline),
    row("biomeIgnore", faults, baseline),
    row("todo", faults, baseline),
  ];
}

/** The rows that grew over their baseline. */
export function grown(rows: readonly RatchetRow[]): readonly RatchetRow[] {
  return rows.filter(({ count, baseline }) => count > baseline);
}

/** The baseline to keep from now on: the smaller of both, for each fault. */
export function lowered(rows: readonly RatchetRow[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    rows.map(({ fault, count, baseline }) => [fault, Math.min(count, baseline)]),
  );
}

function row(fault: keyof Faults, faults: Faults, baseline: Partial<Faults>): RatchetRow {
  return { fault, count: faults[fault], baseline: baseline[fault] ?? 0 };
}
