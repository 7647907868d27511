/**
 * Statuses that several processes write. What another one wrote over ours stays for ten minutes, or
 * until ours says something else; then it is written again, since the other one may be gone.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";

const OTHERS_MS = 600_000;

/** Of the objects of one kind, by name. */
export class LeftToOthers {
  readonly #clock: Clock;
  /** What was written last, and until when it is not written again; Unix milliseconds. */
  readonly #written = new Map<string, { readonly text: string; readonly untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds for which a status that is not `text` any more stays; 0 = it is written. */
  waitMs(name: string, text: string): number {
    const written = this.#written.get(name);
    return written?.text === text ? Math.max(0, written.untilMs - this.#clock.nowMs()) : 0;
  }

  /** The object shows it now. */
  wrote(name: string, text: string): void {
    this.#written.set(name, { text, untilMs: this.#clock.nowMs() + OTHERS_MS });
  }

  forget(name: string): void {
    this.#written.delete(name);
  }
}
