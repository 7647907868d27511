/**
 * The ratchet of counted faults (docs/style.md, figure 7): a count may shrink and never grow. Pure.
 */

/** Counts by the name of the fault, in the order of the table. */
export type Counts = Readonly<Record<string, number>>;

/** One counted fault against its baseline. */
export interface RatchetRow {
  readonly fault: string;
  readonly count: number;
  readonly baseline: number;
}

/** A row for each count. A fault that the baseline does not name has baseline 0. */
export function ratchetRows(
  counts: Counts,
  baseline: Readonly<Partial<Counts>>,
): readonly RatchetRow[] {
  return Object.entries(counts).map(([fault, count]) => ({
    fault,
    count,
    baseline: baseline[fault] ?? 0,
  }));
}

/** The rows that grew over their baseline. */
export function grown(rows: readonly RatchetRow[]): readonly RatchetRow[] {
  return rows.filter(({ count, baseline }) => count > baseline);
}

/** The baseline to keep from now on: the smaller of both, for each fault. */
export function lowered(rows: readonly RatchetRow[]): Counts {
  return Object.fromEntries(
    rows.map(({ fault, count, baseline }) => [fault, Math.min(count, baseline)]),
  );
}
