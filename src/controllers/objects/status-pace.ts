/**
 * Paces the writes of an object's status, so that two installations that disagree about it do not
 * overwrite each other as fast as the API server can take it. A changed version of the object, such
 * as an edited spec, is no such disagreement and has writes of its own. Counts; never sleeps by
 * itself.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { fingerprint64 } from "../../model/fingerprint.ts";

/** How often a status is written. */
export interface Pace {
  /** Writes in a row. */
  readonly burst: number;
  /** Writes that a new version may take, whatever its predecessors took; `burst` at most. */
  readonly perVersion: number;
  /** Milliseconds after which one more is allowed. */
  readonly everyMs: number;
}

/** For DNSEntries. A version is UID and generation. */
export const ENTRY_PACE: Pace = { burst: 16, perVersion: 4, everyMs: 15_000 };
/**
 * For statuses that another process overwrote: its text stays for ten minutes, or until we have
 * another text to show. Then ours is written again, since the other process may be gone. A version
 * is UID and text.
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

/** There is one for each process and pace; objects are distinguished by a key. */
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
