/**
 * The calls of one account, shared by its zones (Z-20): at most what its rate allows, reads
 * at most a quarter of that, writes before reads, and none of both waits for ever. Zones queue in
 * turn, each with one call at a time.
 */
import type { Clock, Timer } from "../../ports/clock.ts";
import { type Rate, TokenBucket } from "../../timing/token-bucket.ts";

/** Calls an account may make; null = unlimited. */
export type AccountRate = Rate | null;

/** Share of an account's rate that reads may take (Z-20). */
const READ_SHARE = 0.25;
/**
 * Writes that go before a read which waits and has a token: the rest of the rate.
 */
const WRITES_IN_A_ROW = 3;
/** Part of the reads' share that asking change tokens may take; the rest is for loads and names. */
const POLL_SHARE = 0.5;

/** After a refusal that names no time, calls wait this long; refusals in a row double it. */
const SLOW_FIRST_MS = 1_000;
const SLOW_MOST_MS = 60_000;

/** What a zone asks of a budget. */
export type ZoneBudget = Pick<
  AccountBudget,
  "read" | "write" | "loaded" | "reloadMs" | "pollMs" | "slowDown"
>;

/** One account's budget. Its queues hold one call for each zone at most. */
export class AccountBudget {
  readonly #clock: Clock;
  readonly #readsPerMs: number;
  readonly #all: TokenBucket;
  readonly #reads: TokenBucket;
  readonly #waitingWrites: (() => void)[] = [];
  readonly #waitingReads: (() => void)[] = [];
  /** Pages of the last complete load, by zone. */
  readonly #pages = new Map<string, number>();
  #writesInRow = 0;
  #slowUntilMs = 0;
  #slowMs = 0;
  #timer: Timer | null = null;

  constructor(clock: Clock, rate: AccountRate) {
    this.#clock = clock;
    const share =
      rate === null
        ? null
        : { burst: Math.max(1, rate.burst * READ_SHARE), perSecond: rate.perSecond * READ_SHARE };
    this.#readsPerMs = (share?.perSecond ?? Number.POSITIVE_INFINITY) / 1000;
    this.#all = new TokenBucket(clock, rate);
    this.#reads = new TokenBucket(clock, share);
  }

  /** Resolves when one call that writes may be made. */
  write(): Promise<void> {
    return this.#wait(this.#waitingWrites);
  }

  /** Resolves when one call that reads may be made. */
  read(): Promise<void> {
    return this.#wait(this.#waitingReads);
  }

  /**
   * The provider refused a call because there were too many: no call of the account is made for
   * this long. Null = it named no time. Calls that were under way together count once.
   */
  slowDown(afterMs: number | null): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs >= this.#slowUntilMs) {
      const isInRow = this.#slowMs > 0 && nowMs < this.#slowUntilMs + this.#slowMs;
      this.#slowMs = isInRow ? Math.min(2 * this.#slowMs, SLOW_MOST_MS) : SLOW_FIRST_MS;
    }
    this.#slowUntilMs = Math.max(this.#slowUntilMs, nowMs + (afterMs ?? this.#slowMs));
    this.#pump();
  }

  /** The last complete load of a zone took so many calls. */
  loaded(zone: string, pages: number): void {
    this.#pages.set(zone, pages);
  }

  /** The zone is left. */
  forget(zone: string): void {
    this.#pages.delete(zone);
  }

  /** Milliseconds in which every zone of the account can be read once; 0 = at any time. */
  reloadMs(): number {
    const pages = [...this.#pages.values()].reduce((sum, each) => sum + each, 0);
    return pages / this.#readsPerMs;
  }

  /** Milliseconds between two questions for the change token of each zone; 0 = at any time. */
  pollMs(): number {
    return this.#pages.size / (this.#readsPerMs * POLL_SHARE);
  }

  #wait(queue: (() => void)[]): Promise<void> {
    return new Promise((resolve) => {
      queue.push(resolve);
      this.#pump();
    });
  }

  /** Starts the calls that the budget allows now; a timer starts the next ones. */
  #pump(): void {
    this.#timer?.cancel();
    this.#timer = null;
    for (let queue = this.#next(); queue !== null; queue = this.#next()) {
      const isRead = queue === this.#waitingReads;
      this.#all.reserve();
      if (isRead) this.#reads.reserve();
      this.#writesInRow = isRead ? 0 : this.#writesInRow + 1;
      queue.shift()?.();
    }
    const waitMs = this.#waitMs();
    if (waitMs !== null) this.#timer = this.#clock.setTimer(waitMs, () => this.#pump());
  }

  /** The queue whose first call may be made now; null = none. */
  #next(): (() => void)[] | null {
    if (this.#slowForMs() > 0 || this.#all.waitMs() > 0) return null;
    const mayRead = this.#waitingReads.length > 0 && this.#reads.waitMs() === 0;
    const mayWrite = this.#waitingWrites.length > 0;
    if (mayWrite && !(mayRead && this.#writesInRow >= WRITES_IN_A_ROW)) return this.#waitingWrites;
    return mayRead ? this.#waitingReads : null;
  }

  #waitMs(): number | null {
    const leastMs = Math.max(this.#slowForMs(), this.#all.waitMs());
    if (this.#waitingWrites.length > 0) return leastMs;
    return this.#waitingReads.length === 0 ? null : Math.max(leastMs, this.#reads.waitMs());
  }

  #slowForMs(): number {
    return Math.max(0, this.#slowUntilMs - this.#clock.monotonicMs());
  }
}
