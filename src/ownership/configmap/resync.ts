/**
 * Brings the rows (owners of record sets) in line with a complete reading of the zone (ADR 0013).
 * An intent whose data exists becomes a row; records without owner get rows, too, for people; rows
 * of records that are gone are removed. A row that was made for other data stays: it gives no
 * right, and a person has to look at it (Z-14).
 */
import { compareText } from "@zonekeeper/base/compare-text";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import { isSameKey, type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import { KNOWN_TYPES } from "../../plan/coexistence.ts";
import { LATE_CALL_MS } from "../../plan/pending.ts";
import type { RegistryRows } from "./registry-rows.ts";
import { byName, claimOver, formatRows, type Intent, type Row, rowOf } from "./row.ts";

/** Rows of records without owner that are kept at most; they are for people and give no right. */
const UNCLAIMED_MAX = 20_000;

const KEPT_TYPES: ReadonlySet<string> = new Set(KNOWN_TYPES);

/** The zone and the time. */
export interface ResyncOptions {
  /** Apex of the zone: a reading tells nothing of names that are not at or below it. */
  readonly apex: DnsName;
  readonly clock: Clock;
}

/** Remembers since when rows lack their data, and intents their effect (they are amiss). */
export class Resync {
  readonly #rows: RegistryRows;
  readonly #clock: Clock;
  readonly #apex: DnsName;
  /**
   * Monotonic milliseconds, by row and intent object: one that a later call made at the same key
   * has an age of its own.
   */
  #since = new Map<Row | Intent, number>();

  constructor(rows: RegistryRows, { apex, clock }: ResyncOptions) {
    this.#rows = rows;
    this.#clock = clock;
    this.#apex = apex;
  }

  /**
   * Takes a complete reading, and other owners by `recordSetKeyText` (default none). Changes the
   * rows in memory only.
   */
  run(sets: readonly RecordSet[], others: ReadonlyMap<string, string> = new Map()): void {
    const present = byName(sets.filter(({ type }) => KEPT_TYPES.has(type)));
    const amiss = new Map<Row | Intent, number>();
    let room = UNCLAIMED_MAX;
    const names = new Set<DnsName>([...present.keys(), ...this.#rows.names()]);
    // Names outside of the zone are not missing in it: by a person's mistake the rows may be those
    // of another zone.
    const own = [...names].filter((name) => isAtOrBelow(name, this.#apex));
    for (const name of own.sort(compareText)) {
      const before = this.#rows.rowsAt(name);
      const shown = (present.get(name) ?? []).map((set) =>
        this.#rowFor(set, others.get(recordSetKeyText(set))),
      );
      const missing = before.filter((row) => !shown.some((one) => isSameKey(one, row)));
      const kept = missing.filter((row) => row.claim !== null && this.#isNew(row, amiss));
      const rows = [...shown, ...kept].filter(({ claim }) => claim !== null || room-- > 0);
      if (formatRows(rows) !== formatRows(before)) this.#rows.put(name, rows);
    }
    for (const intent of this.#rows.intents.values())
      if (isAtOrBelow(intent.name, this.#apex) && !this.#isNew(intent, amiss))
        this.#rows.settle(intent);
    this.#since = amiss;
  }

  /** The row of an existing record set. An intent that it fulfils is settled. */
  #rowFor(set: RecordSet, otherOwner: string | undefined): Row {
    const row = this.#rows.rowsAt(set.name).find((one) => isSameKey(one, set)) ?? null;
    const intent = this.#rows.intentAt(set);
    const claim = claimOver(set, { row, intent });
    if (claim === null && row !== null && row.claim !== null) return row;
    const next = rowOf(set, claim, otherOwner);
    if (next.hash !== null && intent?.next.includes(next.hash)) this.#rows.settle(set);
    return next;
  }

  /** True while a late call may still make it right: amiss for less than `LATE_CALL_MS`. */
  #isNew(one: Row | Intent, amiss: Map<Row | Intent, number>): boolean {
    const nowMs = this.#clock.monotonicMs();
    const sinceMs = this.#since.get(one) ?? nowMs;
    amiss.set(one, sinceMs);
    return nowMs - sinceMs < LATE_CALL_MS;
  }
}
