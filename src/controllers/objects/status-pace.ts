/**
 * Paces the writes of statuses that others write too: two installations that disagree about one do
 * not overwrite each other as fast as the API server can. What they cannot disagree about, such as
 * an edit, is another version, which has writes of its own. Counts; never sleeps by itself.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { fingerprint64 } from "../../model/fingerprint.ts";

/** How often a status is written. */
export interface Pace {
  /** Writes in a row. */
  readonly burst: number;
  /** Writes that another version may take, however many there were before; `burst` at most. */
  readonly perVersion: number;
  /** Milliseconds after which one more is allowed. */
  readonly everyMs: number;
}

/** Of DNSEntries. A version is UID and generation: a state waits on none that came before. */
export const ENTRY_PACE: Pace = { burst: 16, perVersion: 4, everyMs: 15_000 };
/**
 * What another process wrote over ours stays for ten minutes, or until ours says something else;
 * then it is written again, since the other one may be gone. A version is UID and text.
 */
export const LEFT_TO_OTHERS: Pace = { burst: 1, perVersion: 1, everyMs: 600_000 };

/** Objects that are remembered; the one written longest ago is forgotten first. */
const PACED_MAX = 10_000;

interface Spent {
  /** Fingerprint of the version. */
  readonly print: string;
  /** Writes that count still, as of `atMs`; at least 0. */
  readonly writes: number;
  /** Monotonic milliseconds. */
  readonly atMs: number;
}

/** Of one process; by a key of the object. */
export class StatusPace {
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #spent = new BoundedMap<string, Spent>(PACED_MAX);

  constructor(clock: Clock, pace: Pace) {
    this.#clock = clock;
    this.#pace = pace;
  }

  /** Milliseconds until the status may be written; 0 = now. */
  waitMs(key: string, version: string): number {
    const { burst, everyMs } = this.#pace;
    const over = this.#writesOf(key, fingerprint64(version)) - (burst - 1);
    return over <= 0 ? 0 : Math.ceil(over * everyMs);
  }

  /** Counts a write of the status, also one that did not have to wait. */
  wrote(key: string, version: string): void {
    const print = fingerprint64(version);
    const writes = Math.min(this.#writesOf(key, print) + 1, this.#pace.burst);
    this.#spent.set(key, { print, writes, atMs: this.#clock.monotonicMs() });
  }

  #writesOf(key: string, print: string): number {
    const spent = this.#spent.get(key);
    if (spent === undefined) return 0;
    const { burst, perVersion, everyMs } = this.#pace;
    const writesMax = spent.print === print ? burst : burst - perVersion;
    const ageMs = this.#clock.monotonicMs() - spent.atMs;
    return Math.max(0, Math.min(spent.writes, writesMax) - ageMs / everyMs);
  }
}
