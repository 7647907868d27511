/**
 * Paces the writes of each entry's status, so that two writers that disagree about it (two
 * installations with one owner id, both watching one cluster) do not overwrite each other as
 * fast as the API server can. An edit, or a new entry of the name, is not what they disagree about:
 * it has writes of its own. Counts; never sleeps by itself.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { Clock } from "@zonekeeper/base/ports/clock";

/** Writes of one status in a row. */
export const STATUS_BURST = 16;
/** Writes that an edit may take, however many there were before. */
const WRITES_PER_EDIT = 4;
/** Milliseconds after which one more is allowed. */
export const STATUS_EVERY_MS = 15_000;
/** Entries that are remembered; the one written longest ago is forgotten first. */
export const PACED_MAX = 10_000;

/** One text of an entry's spec: another UID or generation is another one. */
export interface SpecVersion {
  readonly uid: string;
  readonly generation: number;
}

interface Spent {
  readonly version: SpecVersion;
  /** Writes that count still, as of `atMs`; at least 0. */
  readonly writes: number;
  /** Monotonic milliseconds. */
  readonly atMs: number;
}

/** Of one process; by `namespace/name`. */
export class StatusPace {
  readonly #clock: Clock;
  readonly #spent = new BoundedMap<string, Spent>(PACED_MAX);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the status may be written; 0 = now. */
  waitMs(key: string, version: SpecVersion): number {
    const over = this.#writesOf(key, version) - (STATUS_BURST - 1);
    return over <= 0 ? 0 : Math.ceil(over * STATUS_EVERY_MS);
  }

  /** Counts a write of the status, also one that did not have to wait. */
  wrote(key: string, version: SpecVersion): void {
    const writes = Math.min(this.#writesOf(key, version) + 1, STATUS_BURST);
    this.#spent.set(key, { version, writes, atMs: this.#clock.monotonicMs() });
  }

  #writesOf(key: string, { uid, generation }: SpecVersion): number {
    const spent = this.#spent.get(key);
    if (spent === undefined) return 0;
    const { version } = spent;
    const isSame = version.uid === uid && version.generation === generation;
    const writesMax = isSame ? STATUS_BURST : STATUS_BURST - WRITES_PER_EDIT;
    const ageMs = this.#clock.monotonicMs() - spent.atMs;
    return Math.max(0, Math.min(spent.writes, writesMax) - ageMs / STATUS_EVERY_MS);
  }
}
