/**
 * The latest changes of one kind, oldest first, from which every watch of that kind reads by
 * revision. Bounded by count and size: a watcher that falls behind the log gets `Expired`; nothing
 * is buffered for it.
 */
import type { StoredObject } from "../objects/served-kind.ts";

/** One committed change. */
export interface LoggedChange {
  /** Rises strictly over all kinds. */
  readonly revision: number;
  /** The object after the change; for a removal as it was last, with the removal's revision. */
  readonly object: StoredObject;
  /** Null = the object was new. */
  readonly previous: StoredObject | null;
  readonly removed: boolean;
  /** Encodings already made, by form; all watchers of a form get the same bytes. */
  readonly encoded: Map<string, Uint8Array>;
}

/** Changes that a log keeps at most. */
export const LOG_ENTRIES_MAX = 4096;
/** Characters of JSON that a log keeps at most; the newest change is kept whatever its size. */
export const LOG_CHARACTERS_MAX = 32 * 1024 * 1024;

/** The change log of one kind. */
export class EventLog {
  readonly #changes: LoggedChange[] = [];
  readonly #sizes: number[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #entriesMax: number;
  #size = 0;
  #floor: number;
  #closed = false;

  /** `floor` = the revision at which the log begins: later changes are all in it. */
  constructor(floor: number, entriesMax = LOG_ENTRIES_MAX) {
    this.#floor = floor;
    this.#entriesMax = entriesMax;
  }

  /** Appends a change of `characters` length and wakes the watchers. */
  append(change: LoggedChange, characters: number): void {
    this.#changes.push(change);
    this.#sizes.push(characters);
    this.#size += characters;
    while (
      this.#changes.length > this.#entriesMax ||
      (this.#size > LOG_CHARACTERS_MAX && this.#changes.length > 1)
    ) {
      this.#floor = this.#changes.shift()?.revision ?? this.#floor;
      this.#size -= this.#sizes.shift() ?? 0;
    }
    for (const listener of this.#listeners) listener();
  }

  /** Changes after `revision`, oldest first; null when some of them are no longer kept. */
  since(revision: number): readonly LoggedChange[] | null {
    if (revision < this.#floor) return null;
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#changes[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#changes.slice(low);
  }

  /** True = nothing is appended any more: the kind is no longer served. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Ends the log and wakes the watchers. Idempotent. */
  close(): void {
    this.#closed = true;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after each append until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
