/**
 * The first pass of the controllers: until each of them has seen its first list, an instance knows
 * less than its clusters hold, and "nothing to do" would be untrue. Once over, it is over for the
 * life of the process.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { ReconcileOptions, StartQueue, WorkQueue } from "@zonekeeper/kube/ports/work-queue";
import { HeldQueue } from "./held-queue.ts";
import type { HealthCheck } from "./instance.ts";

/** Milliseconds that names may be in planning at the end: under a steady load some always are. */
export const PLANNING_MS = 10_000;

/**
 * Milliseconds after the last list that came, after which queues begin in any case: one slow list
 * or account holds up nobody.
 */
export const HOLD_MS = 5_000;
/** Milliseconds after the start, after which they begin even while lists come. */
const HOLD_MS_MAX = 30_000;

/** Milliseconds that removals wait, at the most, for what the listed objects say. */
export const UNREAD_MS = 10_000;

/** Checks that begin so are about objects: `plan` and `explain` show them. */
export const OBJECTS_CHECK = "objects ";

/** What the pass asks; each may be asked at any time. */
export interface FirstPassFacts {
  /** Whether no kind is `syncing` any more. */
  isListed(): boolean;
  /** Whether the zones of a DNSProvider are being listed for the first time. */
  isJudging(): boolean;
  /** Zones that are loaded and have names that nobody has planned yet. */
  zonesInPlanning(): readonly string[];
  /** Called once, when removals wait no longer (`areObjectsUnread`). */
  onRead(): void;
  readonly clock: Clock;
}

/** One queue, as long as the pass lasts. */
interface Tracked {
  readonly name: string;
  /** Added, and not begun since. */
  readonly queued: Set<string>;
  readonly running: Set<string>;
  /** Those of the first list that are not done; null = its stage has not begun. */
  waiting: Set<string> | null;
}

/**
 * Goes through stages of queues. A stage begins when the one before is over, and waits for the keys
 * that its queues have then; what fails has been read, too.
 */
export class FirstPass {
  readonly #start: StartQueue;
  readonly #stages: readonly (readonly string[])[];
  readonly #facts: FirstPassFacts;
  readonly #tracked = new Set<Tracked>();
  /** Those of the stage of now: each step asks for them, and many clusters have many. */
  #present: readonly Tracked[] | null = null;
  /** Queues behind the first stage, until it is over. */
  readonly #held = new Set<HeldQueue>();
  readonly #latestMs: number;
  #late: Timer;
  #areHeld = true;
  #isListed = false;
  /** Ends the wait of removals; null = it has not begun, or is over. */
  #readLate: Timer | null = null;
  #isRead = false;
  #stage = 0;
  /** When the stages were over; null = they are not. */
  #plannedFromMs: number | null = null;
  #isOver = false;

  /** `stages`: names of queues, in the order in which their work depends on each other. */
  constructor(start: StartQueue, stages: readonly (readonly string[])[], facts: FirstPassFacts) {
    this.#start = start;
    this.#stages = stages;
    this.#facts = facts;
    this.#latestMs = facts.clock.monotonicMs() + HOLD_MS_MAX;
    this.#late = this.#beginLate();
  }

  /** A kind is listed now, perhaps the last one. */
  listed(): void {
    this.#late.cancel();
    if (this.#areHeld) this.#late = this.#beginLate();
    this.#checkLists();
  }

  /**
   * All kinds are listed, and not every listed object has said what it wants: another one may have
   * a reason to keep a record that nobody knows yet. Before, a kind that is not listed says so.
   */
  areObjectsUnread(): boolean {
    if (!this.#isRead) this.#checkLists();
    return this.#isListed && !this.#isRead;
  }

  /** No queue begins any more that has not. */
  stop(): void {
    this.#late.cancel();
    this.#readLate?.cancel();
  }

  /** Starts a queue that the pass follows. One behind the first stage begins when that is over. */
  readonly startQueue: StartQueue = (options) => {
    const { name } = options;
    const tracked = { name, queued: new Set<string>(), running: new Set<string>(), waiting: null };
    this.#tracked.add(tracked);
    this.#present = null;
    const queue = this.#start({ ...options, reconcile: this.#follow(options, tracked) });
    const note = (key: string): void => {
      if (!this.#isOver) tracked.queued.add(key);
      if (this.#areHeld) this.#advance();
    };
    if (!this.#areHeld || this.#stages[0]?.includes(name) === true) return followed(queue, note);
    const held = new HeldQueue(queue);
    this.#held.add(held);
    return followed(held, note);
  };

  /** What is not read yet, or that all is; empty while kinds are not listed. */
  checks(): readonly HealthCheck[] {
    this.#checkLists();
    if (this.#isOver)
      return [{ name: `${OBJECTS_CHECK}of the first lists`, ok: true, message: "" }];
    if (!this.#isListed) return [];
    const waiting = this.#inStage().flatMap(({ name, waiting: keys }) =>
      keys === null || keys.size === 0 ? [] : [openCheck(name, waitingText(keys.size))],
    );
    if (waiting.length > 0) return waiting;
    if (this.#plannedFromMs === null)
      return [
        openCheck("dnsprovider", "the zones of a DNSProvider are being listed for the first time"),
      ];
    const zones = this.#facts.zonesInPlanning().join(" and ");
    return [openCheck("in zones", `names of ${zones} are not planned yet`)];
  }

  #follow({ reconcile }: ReconcileOptions, tracked: Tracked): ReconcileOptions["reconcile"] {
    return async (key) => {
      if (this.#isOver) return reconcile(key);
      tracked.queued.delete(key);
      tracked.running.add(key);
      try {
        await reconcile(key);
      } finally {
        tracked.running.delete(key);
        if (!tracked.queued.has(key)) tracked.waiting?.delete(key);
        this.#advance();
      }
    };
  }

  #inStage(): readonly Tracked[] {
    if (this.#present !== null) return this.#present;
    const names = new Set(this.#stages[this.#stage]);
    this.#present = [...this.#tracked].filter(({ name }) => names.has(name));
    return this.#present;
  }

  #checkLists(): void {
    this.#isListed ||= this.#facts.isListed();
    this.#advance();
  }

  #advance(): void {
    if (this.#isOver || !this.#isListed) return;
    if (!this.#isRead) this.#readLate ??= this.#facts.clock.setTimer(UNREAD_MS, () => this.#read());
    while (this.#stage < this.#stages.length) {
      if (!this.#isStageOver()) return;
      this.#stage += 1;
      this.#present = null;
      this.#begin();
    }
    this.#read();
    const nowMs = this.#facts.clock.monotonicMs();
    this.#plannedFromMs ??= nowMs;
    const isLate = nowMs - this.#plannedFromMs >= PLANNING_MS;
    if (isLate || this.#facts.zonesInPlanning().length === 0) this.#end();
  }

  #isStageOver(): boolean {
    const present = this.#inStage();
    for (const one of present) one.waiting ??= new Set([...one.queued, ...one.running]);
    if (present.some(({ waiting }) => waiting !== null && waiting.size > 0)) return false;
    return this.#stage > 0 || !this.#facts.isJudging();
  }

  #beginLate(): Timer {
    const { clock } = this.#facts;
    const leftMs = Math.max(0, this.#latestMs - clock.monotonicMs());
    return clock.setTimer(Math.min(HOLD_MS, leftMs), () => this.#begin());
  }

  #begin(): void {
    if (!this.#areHeld) return;
    this.#areHeld = false;
    this.#late.cancel();
    for (const queue of this.#held) queue.begin();
    this.#held.clear();
  }

  #read(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    this.#readLate?.cancel();
    this.#facts.onRead();
  }

  #end(): void {
    this.#isOver = true;
    for (const { queued } of this.#tracked) queued.clear();
    this.#tracked.clear();
  }
}

/** `note` hears of keys that are due now. */
function followed(queue: WorkQueue, note: (key: string) => void): WorkQueue {
  return {
    add(key) {
      note(key);
      queue.add(key);
    },
    addAfter(key, delayMs) {
      if (delayMs <= 0) note(key);
      queue.addAfter(key, delayMs);
    },
    addLast(key) {
      note(key);
      queue.addLast(key);
    },
    stop: () => queue.stop(),
  };
}

function openCheck(name: string, message: string): HealthCheck {
  return { name: `${OBJECTS_CHECK}${name}`, ok: false, message };
}

function waitingText(count: number): string {
  const [be, they] = count === 1 ? ["is", "it wants"] : ["are", "they want"];
  return `${count} ${be} still being read for the first time; what ${they} is not known yet`;
}
