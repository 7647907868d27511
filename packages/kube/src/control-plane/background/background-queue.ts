/**
 * Work that follows from committed changes: keys are handled one after the other, a key that is
 * queued is not added again, a failed key is tried again later.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { KindLookup } from "../objects/served-kind.ts";
import type { ObjectStorage } from "../storage/object-storage.ts";
import type { ObjectWriter } from "../storage/object-writer.ts";

/** Delay before a failed key is tried again. */
const RETRY_MS = 1000;

/** What background work is done with. */
export interface BackgroundOptions {
  readonly storage: ObjectStorage;
  readonly writer: ObjectWriter;
  readonly kinds: KindLookup;
  readonly clock: Clock;
}

/** A queue of distinct keys. */
export class BackgroundQueue {
  readonly #clock: Clock;
  readonly #handle: (key: string) => Promise<void>;
  readonly #waiting = new Set<string>();
  readonly #retries = new Map<string, Timer>();
  #running: Promise<void> | null = null;
  #stopped = false;

  /** `handle` does the work for one key. If it rejects, it is called again later. */
  constructor(clock: Clock, handle: (key: string) => Promise<void>) {
    this.#clock = clock;
    this.#handle = handle;
  }

  /** Adds a key; starts the work if it is not running. */
  add(key: string): void {
    if (this.#stopped) return;
    this.#waiting.add(key);
    this.#running ??= this.#run();
  }

  /** True when nothing runs or waits; keys that wait for their next try do not count. */
  get isIdle(): boolean {
    return this.#running === null;
  }

  /** Resolves when `isIdle`. */
  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  /** Drops what waits. Work in progress ends by itself. */
  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
    for (const timer of this.#retries.values()) timer.cancel();
    this.#retries.clear();
  }

  async #run(): Promise<void> {
    // Begin after all listeners have got the commit that caused this.
    await Promise.resolve();
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      try {
        await this.#handle(key);
      } catch {
        this.#retry(key);
      }
    }
    this.#running = null;
  }

  #retry(key: string): void {
    if (this.#stopped || this.#retries.has(key)) return;
    const timer = this.#clock.setTimer(RETRY_MS, () => {
      this.#retries.delete(key);
      this.add(key);
    });
    this.#retries.set(key, timer);
  }
}
