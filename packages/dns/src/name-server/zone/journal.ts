/**
 * The last changes of a zone, bounded, for incremental transfers (RFC 1995). Immutable; zone-store
 * stores it.
 */
import { serialOf } from "../../rdata/soa.ts";
import type { ZoneDelta } from "./zone-edit.ts";

/** Bounds of a journal. */
export interface JournalLimits {
  readonly deltasMax: number;
  /** Records in all deltas together; the newest delta is kept whatever its size. */
  readonly recordsMax: number;
}

/** Default bounds: some minutes of frequent changes. */
export const DEFAULT_JOURNAL_LIMITS: JournalLimits = { deltasMax: 1000, recordsMax: 50_000 };

/**
 * Deltas from old to new without a gap: each begins with the serial with which the one before
 * ended.
 */
export class Journal {
  readonly #limits: JournalLimits;
  /** Number of the first delta; grows with each one that was ever dropped. */
  readonly firstNumber: number;
  readonly deltas: readonly ZoneDelta[];

  constructor(limits: JournalLimits, firstNumber: number, deltas: readonly ZoneDelta[]) {
    this.#limits = limits;
    this.firstNumber = firstNumber;
    this.deltas = deltas;
  }

  /**
   * A journal with these deltas at its end, and without as many of the oldest as the limits ask.
   */
  with(newer: readonly ZoneDelta[]): Journal {
    const all = [...this.deltas, ...newer];
    let first = Math.max(0, all.length - this.#limits.deltasMax);
    let records = all.slice(first).reduce((sum, delta) => sum + sizeOf(delta), 0);
    for (let delta = all[first]; records > this.#limits.recordsMax; delta = all[first]) {
      if (delta === undefined || first >= all.length - 1) break;
      records -= sizeOf(delta);
      first += 1;
    }
    return new Journal(this.#limits, this.firstNumber + first, all.slice(first));
  }

  /**
   * The deltas that lead from a serial to the newest version; null when the journal does not reach
   * back to it.
   */
  since(serial: number): readonly ZoneDelta[] | null {
    const index = this.deltas.findIndex(({ fromSoa }) => serialOf(fromSoa) === serial);
    return index < 0 ? null : this.deltas.slice(index);
  }
}

function sizeOf(delta: ZoneDelta): number {
  return delta.removed.length + delta.added.length + 2;
}
