/** Ports for a control plane under test: a clock that is turned by hand, seeded randomness, a store that can fail. */
import type { Clock, Timer } from "../../src/ports/clock.ts";
import type { Log } from "../../src/ports/log.ts";
import type { Random } from "../../src/ports/random.ts";
import type { Store, StoreOperation } from "../../src/ports/store.ts";

/** A clock that stands still until it is advanced. */
export class HandClock implements Clock {
  #nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  #timers: { readonly atMs: number; readonly callback: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const timer = { atMs: this.#nowMs + delayMs, callback };
    this.#timers.push(timer);
    return {
      cancel: () => {
        this.#timers = this.#timers.filter((each) => each !== timer);
      },
    };
  }

  /** Timers that are set and not yet due. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Moves the time on and runs what is due, in order. */
  advance(ms: number): void {
    const end = this.#nowMs + ms;
    for (;;) {
      const next = this.#timers
        .filter((each) => each.atMs <= end)
        .sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.callback();
    }
    this.#nowMs = end;
  }
}

/** A small seeded generator (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join("");
  return {
    next,
    bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(next() * 256)),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}

/** How a write of the store goes wrong: nothing is kept, or all is kept and the answer is lost. */
export type StoreFault = "refused" | "answer-lost";

/** A store in memory; `fault` is asked before each write. */
export class TestStore implements Store {
  readonly pairs: Map<string, string>;
  readonly #fault: (write: number) => StoreFault | null;
  writes = 0;

  constructor(
    options: {
      readonly pairs?: ReadonlyMap<string, string>;
      readonly fault?: (write: number) => StoreFault | null;
    } = {},
  ) {
    this.pairs = new Map(options.pairs);
    this.#fault = options.fault ?? (() => null);
  }

  get(key: string): string | null {
    return this.pairs.get(key) ?? null;
  }

  range(prefix: string): Iterable<readonly [string, string]> {
    return [...this.pairs]
      .filter(([key]) => key.startsWith(prefix))
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  async write(operations: readonly StoreOperation[]): Promise<void> {
    this.writes += 1;
    const fault = this.#fault(this.writes);
    // A turn of the event loop, as a real disk would take.
    await Promise.resolve();
    if (fault === "refused") throw new Error("disk full");
    for (const operation of operations) {
      if ("put" in operation) this.pairs.set(operation.put, operation.value);
      else this.pairs.delete(operation.remove);
    }
    if (fault === "answer-lost") throw new Error("connection lost");
  }

  async close(): Promise<void> {}
}

/** A log that keeps its lines. */
export function keptLog(lines: string[] = []): Log {
  const write =
    (level: string) =>
    (message: string, fields: unknown = {}): void => {
      lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    child: () => keptLog(lines),
  };
}
