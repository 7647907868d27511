/**
 * Counts of what really happened in a run: faults by class, checks by invariant. A class that never
 * fired proves nothing.
 */

/**
 * Invariants of docs/invariants.md that are checked, as their violations name them; Z-17 and
 * Z-22 (with Z-24) are rules of docs/safety.md.
 */
export const CHECK_IDS = [
  ...[
    "S1",
    "S2",
    "S3",
    "S4",
    "S5",
    "S6",
    "S7",
    "S9",
    "S10",
    "S11",
    "S12",
    "S13",
    "S14",
    "S15",
    "S16",
  ],
  ...["S17", "S19", "S20", "Z-17", "Z-22", "Z-27", "L1", "L2", "L3", "L4", "L5"],
] as const;

/** Counters by id. Only grow. */
export class Tally {
  readonly #counts = new Map<string, number>();

  /** It happened (`times` ≥ 0). */
  add(id: string, times = 1): void {
    this.#counts.set(id, this.get(id) + times);
  }

  /** How often it happened; 0 for an unknown id. */
  get(id: string): number {
    return this.#counts.get(id) ?? 0;
  }

  /** Takes over the counts of another run. */
  merge(counts: Readonly<Record<string, number>>): void {
    for (const [id, times] of Object.entries(counts)) this.add(id, times);
  }

  /** All counts, sorted by id. */
  all(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
