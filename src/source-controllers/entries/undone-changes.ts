/**
 * Limits a change of a DNSEntry that another process undoes each time, such as one that generates
 * entries of the same class with other options: the two would write for ever. Only the same change
 * is limited; different ones are not. Memory only.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { Clock } from "@zonekeeper/base/ports/clock";

/** How often one change is made within the time below. */
const TIMES_MAX = 5;
const WITHIN_MS = 60_000;
/** Entries that are remembered; the oldest is forgotten first. */
const ENTRIES_MAX = 10_000;

interface Change {
  readonly text: string;
  readonly times: number;
  readonly sinceMs: number;
}

/** The last change of each entry. */
export class UndoneChanges {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #last = new BoundedMap<string, Change>(ENTRIES_MAX);

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  /** Milliseconds until the same change may be made again; 0 = now. */
  waitMs(entry: string, patch: object): number {
    const last = this.#recent(entry, JSON.stringify(patch));
    if (last === null || /* clause: undone-change-is-limited */ last.times < TIMES_MAX) return 0;
    return last.sinceMs + WITHIN_MS - this.#clock.nowMs();
  }

  /** The change was made. */
  made(entry: string, patch: object): void {
    const text = JSON.stringify(patch);
    const { times, sinceMs } = this.#recent(entry, text) ?? {
      times: 0,
      sinceMs: this.#clock.nowMs(),
    };
    this.#last.set(entry, { text, times: times + 1, sinceMs });
  }

  /** Null = the last change was another one, or is long ago. */
  #recent(entry: string, text: string): Change | null {
    const last = this.#last.get(entry);
    if (/* clause: undone-changes-count-each */ last?.text !== text) return null;
    return this.#clock.nowMs() - last.sinceMs < WITHIN_MS ? last : null;
  }
}
