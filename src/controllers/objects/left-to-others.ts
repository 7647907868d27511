/**
 * Statuses that several processes write. What another one wrote over ours stays for ten minutes, or
 * until ours says something else; then it is written again, since the other one may be gone.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import { fingerprint64 } from "../../model/fingerprint.ts";

const OTHERS_MS = 600_000;

/** Of the objects of one kind, by name. */
export class LeftToOthers {
  readonly #clock: Clock;
  /** What was written last, and until when it is not written again; Unix milliseconds. */
  readonly #written = new Map<string, { readonly print: string; readonly untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds for which a status that is not `text` any more stays; 0 = it is written. */
  waitMs(name: string, text: string): number {
    const written = this.#written.get(name);
    if (written?.print !== fingerprint64(text)) return 0;
    return Math.max(0, written.untilMs - this.#clock.nowMs());
  }

  /** The object shows it now. */
  wrote(name: string, text: string): void {
    const untilMs = this.#clock.nowMs() + OTHERS_MS;
    this.#written.set(name, { print: fingerprint64(text), untilMs });
  }

  forget(name: string): void {
    this.#written.delete(name);
  }
}
