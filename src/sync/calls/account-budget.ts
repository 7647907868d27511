/**
 * The calls of one account, shared by its zones (Z-20): at most what its rate and its further
 * limits allow. Reads take at most a quarter of the rate; writes go before reads, but neither waits
 * for ever. Zones queue in turn, each with one call at a time; a zone that waits for a limit of its
 * own does not delay another one.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import { type Rate, TokenBucket } from "@zonekeeper/base/timing/token-bucket";
import type { RateLimit } from "../../providers/provider.ts";

/** Calls an account may make; null = unlimited. */
export type AccountRate = Rate | null;

/** What a limit counts; a call that writes makes one or more changes. */
type Counted = RateLimit["counts"];

/** One call that waits. */
interface Turn {
  readonly zone: string;
  readonly tokens: Readonly<Record<Counted, number>>;
  readonly start: () => void;
}

/** Share of an account's rate that reads may take (Z-20). */
const READ_SHARE = 0.25;
/** Writes in a row that go before a waiting read: so reads get their quarter. */
const WRITES_IN_A_ROW = 3;
/** Part of the reads' share for polls of change tokens; the rest is for loads and names. */
const POLL_SHARE = 0.5;

/** After a refusal that names no time, calls wait this long; refusals in a row double it. */
const SLOW_FIRST_MS = 1_000;
const SLOW_MOST_MS = 60_000;

/** For metrics; `BudgetUse` of a zone's status says what they mean. */
interface Use {
  readonly usedRatio: number;
  readonly refusedMs: number;
}

/** What a zone asks of a budget. */
export interface ZoneBudget {
  /** Resolves when one call that reads may be made. */
  read(): Promise<void>;
  /** Resolves when one call that makes so many changes may be made; default 1. */
  write(changes?: number): Promise<void>;
  /** These are as in `AccountBudget`. */
  slowDown(afterMs: number | null): void;
  loaded(zone: string, pages: number): void;
  reloadMs(): number;
  pollMs(): number;
  /** For metrics. */
  use(): Use;
}

/** Stands for calls that are of no zone, such as a listing of zones. */
const NO_ZONE = "";

/** One account's budget. Its queues hold one call for each zone at most. */
export class AccountBudget implements ZoneBudget {
  readonly #clock: Clock;
  readonly #readsPerMs: number;
  readonly #zoneReadsPerMs: number;
  readonly #all: TokenBucket;
  readonly #reads: TokenBucket;
  readonly #limits: readonly RateLimit[];
  /** By the index of the limit and the zone, for limits of zones. */
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #waitingWrites: Turn[] = [];
  readonly #waitingReads: Turn[] = [];
  /** Pages of the last complete load, by zone. */
  readonly #pages = new Map<string, number>();
  #writesInRow = 0;
  #slowUntilMs = 0;
  #slowMs = 0;
  /** When the first of refusals in a row came. */
  #refusedAtMs = 0;
  #timer: Timer | null = null;

  /** `limits`: those that count besides the rate. */
  constructor(clock: Clock, rate: AccountRate, limits: readonly RateLimit[] = []) {
    this.#clock = clock;
    this.#limits = limits;
    const share =
      rate === null
        ? null
        : { burst: Math.max(1, rate.burst * READ_SHARE), perSecond: rate.perSecond * READ_SHARE };
    this.#readsPerMs = Math.min(share?.perSecond ?? INFINITE, leastReads("account", limits)) / 1000;
    this.#zoneReadsPerMs = leastReads("zone", limits) / 1000;
    this.#all = new TokenBucket(clock, rate);
    this.#reads = new TokenBucket(clock, share);
  }

  /** The budget as one zone has it. */
  of(zone: string): ZoneBudget {
    return {
      read: () => this.#wait(this.#waitingReads, zone, READ),
      write: (changes = 1) => this.#wait(this.#waitingWrites, zone, writing(changes)),
      slowDown: (afterMs) => this.slowDown(afterMs),
      loaded: (loaded, pages) => this.loaded(loaded, pages),
      reloadMs: () => this.reloadMs(),
      pollMs: () => this.pollMs(),
      use: () => this.use(zone),
    };
  }

  /** Resolves when one call that writes, and is of no zone, may be made. */
  write(changes = 1): Promise<void> {
    return this.#wait(this.#waitingWrites, NO_ZONE, writing(changes));
  }

  /** Resolves when one call that reads, and is of no zone, may be made. */
  read(): Promise<void> {
    return this.#wait(this.#waitingReads, NO_ZONE, READ);
  }

  /**
   * The provider refused a call because there were too many: no call of the account is made for
   * this long. Null = it named no time. Calls that were under way together count once.
   */
  slowDown(afterMs: number | null): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs >= this.#slowUntilMs) {
      const isInRow = this.#isRefusing(nowMs);
      if (!isInRow) this.#refusedAtMs = nowMs;
      this.#slowMs = isInRow ? Math.min(2 * this.#slowMs, SLOW_MOST_MS) : SLOW_FIRST_MS;
    }
    this.#slowUntilMs = Math.max(this.#slowUntilMs, nowMs + (afterMs ?? this.#slowMs));
    this.#pump();
  }

  /** True while another refusal would count as one more in a row. */
  #isRefusing(nowMs: number): boolean {
    return this.#slowMs > 0 && nowMs < this.#slowUntilMs + this.#slowMs;
  }

  /** The use of the limits that count for a zone; default: for calls of no zone. */
  use(zone = NO_ZONE): Use {
    const nowMs = this.#clock.monotonicMs();
    const limits = [...this.#buckets].flatMap(([key, bucket]) =>
      key.endsWith(` ${NO_ZONE}`) || key.endsWith(` ${zone}`) ? [bucket] : [],
    );
    const ratios = [this.#all, ...limits].map((bucket) => bucket.usedRatio());
    const refusedMs = this.#isRefusing(nowMs) ? nowMs - this.#refusedAtMs : 0;
    return { usedRatio: Math.max(...ratios), refusedMs };
  }

  /** The last complete load of a zone took so many calls. */
  loaded(zone: string, pages: number): void {
    this.#pages.set(zone, pages);
  }

  /** The zone is left. */
  forget(zone: string): void {
    this.#pages.delete(zone);
    for (const index of this.#limits.keys()) this.#buckets.delete(`${index} ${zone}`);
  }

  /** Milliseconds in which every zone of the account can be read once; 0 = at any time. */
  reloadMs(): number {
    const pages = [...this.#pages.values()];
    const all = pages.reduce((sum, each) => sum + each, 0);
    const most = pages.reduce((greatest, each) => Math.max(greatest, each), 0);
    return Math.max(all / this.#readsPerMs, most / this.#zoneReadsPerMs);
  }

  /** Milliseconds between two questions for the change token of each zone; 0 = at any time. */
  pollMs(): number {
    const zones = this.#pages.size;
    const perZone = zones === 0 ? 0 : 1 / (this.#zoneReadsPerMs * POLL_SHARE);
    return Math.max(zones / (this.#readsPerMs * POLL_SHARE), perZone);
  }

  #wait(queue: Turn[], zone: string, tokens: Turn["tokens"]): Promise<void> {
    return new Promise((start) => {
      queue.push({ zone, tokens, start });
      this.#pump();
    });
  }

  /** Starts the calls that the budget allows now; a timer starts the next ones. */
  #pump(): void {
    this.#timer?.cancel();
    this.#timer = null;
    for (let turn = this.#next(); turn !== null; turn = this.#next()) {
      const isRead = this.#waitingReads.includes(turn);
      const queue = isRead ? this.#waitingReads : this.#waitingWrites;
      queue.splice(queue.indexOf(turn), 1);
      this.#all.reserve();
      if (isRead) this.#reads.reserve();
      for (const scope of ["account", "zone"] as const)
        for (const [bucket, tokens] of this.#bucketsOf(turn, scope)) bucket.reserve(tokens);
      this.#writesInRow = isRead ? 0 : this.#writesInRow + 1;
      turn.start();
    }
    const readsMs = Math.max(this.#reads.waitMs(), this.#queueMs(this.#waitingReads));
    const soonestMs = Math.min(this.#queueMs(this.#waitingWrites), readsMs);
    if (soonestMs === INFINITE) return;
    const waitMs = Math.max(this.#slowForMs(), this.#all.waitMs(), soonestMs);
    this.#timer = this.#clock.setTimer(waitMs, () => this.#pump());
  }

  /** The first call that may be made now; null = none. */
  #next(): Turn | null {
    if (this.#slowForMs() > 0 || this.#all.waitMs() > 0) return null;
    const read = this.#reads.waitMs() === 0 ? this.#first(this.#waitingReads) : null;
    const write = this.#first(this.#waitingWrites);
    const isReadsTurn = read !== null && this.#writesInRow >= WRITES_IN_A_ROW;
    return isReadsTurn ? read : (write ?? read);
  }

  /** The call that is next in a queue; null = none may be made now. */
  #first(queue: readonly Turn[]): Turn | null {
    return this.#queueMs(queue) === 0 ? (this.#free(queue) ?? null) : null;
  }

  /** The first call whose zone has no limit to wait for. */
  #free(queue: readonly Turn[]): Turn | undefined {
    return queue.find((turn) => this.#limitsMs(turn, "zone") === 0);
  }

  /**
   * Milliseconds until the further limits allow a call of the queue, or until another one is its
   * first; infinite = nobody waits. For a limit of the account all wait in turn: a call with few
   * changes must not go before one with many for ever.
   */
  #queueMs(queue: readonly Turn[]): number {
    const free = this.#free(queue);
    if (free !== undefined) return this.#limitsMs(free, "account");
    return Math.min(INFINITE, ...queue.map((turn) => this.#limitsMs(turn, "zone")));
  }

  /** Milliseconds until the further limits of this scope allow the call. */
  #limitsMs(turn: Turn, scope: RateLimit["scope"]): number {
    const waitsMs = this.#bucketsOf(turn, scope).map(([bucket, tokens]) => bucket.waitMs(tokens));
    return Math.max(0, ...waitsMs);
  }

  #bucketsOf(
    { zone, tokens }: Turn,
    scope: RateLimit["scope"],
  ): readonly (readonly [TokenBucket, number])[] {
    return this.#limits.flatMap((limit, index) => {
      const counted = limit.scope === scope ? tokens[limit.counts] : 0;
      if (counted === 0 || (scope === "zone" && zone === NO_ZONE)) return [];
      const key = `${index} ${scope === "zone" ? zone : NO_ZONE}`;
      const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#clock, limit);
      this.#buckets.set(key, bucket);
      return [[bucket, counted] as const];
    });
  }

  #slowForMs(): number {
    return Math.max(0, this.#slowUntilMs - this.#clock.monotonicMs());
  }
}

const INFINITE = Number.POSITIVE_INFINITY;
const READ: Turn["tokens"] = { calls: 1, reads: 1, writes: 0, changes: 0 };

function writing(changes: number): Turn["tokens"] {
  return { calls: 1, reads: 0, writes: 1, changes };
}

/** Reads a second that the limits of this scope leave. */
function leastReads(scope: RateLimit["scope"], limits: readonly RateLimit[]): number {
  const found = limits.filter((limit) => limit.scope === scope);
  return Math.min(
    INFINITE,
    ...found.flatMap(({ counts, perSecond }) => {
      if (counts === "reads") return [perSecond];
      return counts === "calls" ? [perSecond * READ_SHARE] : [];
    }),
  );
}
