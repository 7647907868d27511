/** When names were last written with success, for people. Bounded: the oldest are forgotten. */
import type { Clock } from "@zonekeeper/base/ports/clock";

/** Names that are remembered. */
export const RECENT_CALLS_MAX = 10_000;

/** Of one zone. */
export class RecentCalls {
  readonly #clock: Clock;
  /** Unix milliseconds by name, the oldest first. */
  readonly #atMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The server has confirmed a write of this name. */
  applied(name: string): void {
    this.#atMs.delete(name);
    this.#atMs.set(name, this.#clock.nowMs());
    if (this.#atMs.size <= RECENT_CALLS_MAX) return;
    const [oldest] = this.#atMs.keys();
    if (oldest !== undefined) this.#atMs.delete(oldest);
  }

  /** Unix milliseconds; null = not written by this process, or long ago. */
  at(name: string): number | null {
    return this.#atMs.get(name) ?? null;
  }
}
