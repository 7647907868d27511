/**
 * Follows the first pass of the controllers after a start: until each of them has reconciled the
 * objects of its first list, the instance knows less than its clusters hold, and "nothing to do"
 * would be untrue. Until then checks say what is not read, removals wait for a while, and the
 * queues of a later stage begin after those of the first one. Once over, it is over for the life of
 * the process.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { ReconcileOptions, StartQueue, WorkQueue } from "@zonekeeper/kube/ports/work-queue";
import type { HealthCheck } from "./instance.ts";

/**
 * Milliseconds that the pass waits at its end for names that are not planned: under a steady load
 * some never are.
 */
export const PLANNING_MS = 10_000;

/**
 * Milliseconds after the last list that became complete, after which held queues begin in any case:
 * one slow list or account must not stop all.
 */
export const HOLD_MS = 5_000;
/**
 * Milliseconds after the start, after which held queues begin even while lists still become
 * complete.
 */
const HOLD_MS_MAX = 30_000;

/** Milliseconds that removals wait at most for the contributions of the listed objects. */
export const UNREAD_MS = 10_000;

/** Begins the names of checks about objects, which `plan` and `explain` show. */
export const OBJECTS_CHECK = "objects ";
/** The check of a pass that is over. */
export const FIRST_LISTS = `${OBJECTS_CHECK}of the first lists`;

/** The questions that the pass asks; each method may be called at any time. */
export interface FirstPassFacts {
  /** Whether no kind is `syncing` any more. */
  isListed(): boolean;
  /** Whether the zones of a DNSProvider are being listed for the first time. */
  isJudging(): boolean;
  /** Zones that are read and have names that are not planned yet. */
  zonesInPlanning(): readonly string[];
  /** Called once, when removals wait no longer (`areObjectsUnread`). */
  onRead(): void;
  readonly clock: Clock;
}

/** A queue, as long as the pass lasts. */
interface Tracked {
  readonly name: string;
  /** Keys that were added and whose work has not begun since. */
  readonly queued: Set<string>;
  readonly running: Set<string>;
  /** Keys of the first list whose work is not done; null = the stage of the queue has not begun. */
  waiting: Set<string> | null;
}

/** How far the pass is. `queues`: those of the present stage. */
type Phase =
  | { readonly is: "listing" }
  | { readonly is: "stage"; readonly at: number; readonly queues: readonly Tracked[] }
  | { readonly is: "planning"; readonly sinceMs: number }
  | { readonly is: "over" };

/**
 * Goes through stages of queues. A stage begins when the one before is over, and ends when each key
 * that its queues had at its beginning was reconciled once, well or not.
 */
export class FirstPass {
  readonly #start: StartQueue;
  readonly #stages: readonly (readonly string[])[];
  readonly #facts: FirstPassFacts;
  readonly #tracked = new Set<Tracked>();
  #phase: Phase = { is: "listing" };
  /** Queues of later stages, which do not begin before the first stage is over; null = it is. */
  #held: Set<FollowedQueue> | null = new Set();
  readonly #latestMs: number;
  #late: Timer;
  /** Ends the wait of removals; null = it has not begun, or is over. */
  #readLate: Timer | null = null;
  #isRead = false;

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
    if (this.#held !== null) this.#late = this.#beginLate();
    this.#checkLists();
  }

  /**
   * True = all kinds are listed, and not every listed object has contributed yet: it may want a
   * record that nobody is known to want. Before all kinds are listed it is false, since those
   * kinds' states hold removals by themselves.
   */
  areObjectsUnread(): boolean {
    if (!this.#isRead) this.#checkLists();
    return this.#phase.is !== "listing" && !this.#isRead;
  }

  /** Held queues never begin. */
  stop(): void {
    this.#late.cancel();
    this.#readLate?.cancel();
  }

  /**
   * Starts a queue that the pass follows. A queue of a later stage begins when the first stage is
   * over.
   */
  readonly startQueue: StartQueue = (options) => {
    const { name } = options;
    const tracked = { name, queued: new Set<string>(), running: new Set<string>(), waiting: null };
    this.#tracked.add(tracked);
    if (this.#phase.is === "stage") this.#enter(this.#phase.at);
    const queue = this.#start({ ...options, reconcile: this.#follow(options, tracked) });
    const note = (key: string): void => {
      if (this.#phase.is !== "over") tracked.queued.add(key);
      if (this.#held !== null) this.#advance();
    };
    const isHeld = this.#held !== null && this.#stages[0]?.includes(name) !== true;
    const followed = new FollowedQueue(queue, note, isHeld);
    if (isHeld) this.#held?.add(followed);
    return followed;
  };

  /** Says what is not read yet, or that all is read; empty while kinds are not listed. */
  checks(): readonly HealthCheck[] {
    this.#checkLists();
    const phase = this.#phase;
    switch (phase.is) {
      case "listing":
        return [];
      case "stage": {
        const waiting = phase.queues.flatMap(waitingCheck);
        const listing = "the zones of a DNSProvider are being listed for the first time";
        return waiting.length > 0 ? waiting : [openCheck("dnsprovider", listing)];
      }
      case "planning": {
        const zones = this.#facts.zonesInPlanning().join(" and ");
        return [openCheck("in zones", `names of ${zones} are not planned yet`)];
      }
      case "over":
        return [{ name: FIRST_LISTS, ok: true, message: "" }];
    }
  }

  #follow({ reconcile }: ReconcileOptions, tracked: Tracked): ReconcileOptions["reconcile"] {
    return async (key) => {
      if (this.#phase.is === "over") return reconcile(key);
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

  #checkLists(): void {
    if (this.#phase.is === "listing" && this.#facts.isListed()) {
      this.#readLate = this.#facts.clock.setTimer(UNREAD_MS, () => this.#read());
      this.#enter(0);
    }
    this.#advance();
  }

  /** Begins the stage of this number; behind the last one names are planned. */
  #enter(at: number): void {
    const names = new Set(this.#stages[at]);
    const queues = [...this.#tracked].filter(({ name }) => names.has(name));
    const isStage = at < this.#stages.length;
    const sinceMs = this.#facts.clock.monotonicMs();
    this.#phase = isStage ? { is: "stage", at, queues } : { is: "planning", sinceMs };
  }

  #advance(): void {
    while (this.#phase.is === "stage") {
      if (!this.#isOver(this.#phase)) return;
      this.#enter(this.#phase.at + 1);
      this.#begin();
    }
    if (this.#phase.is !== "planning") return;
    this.#read();
    const isLate = this.#facts.clock.monotonicMs() - this.#phase.sinceMs >= PLANNING_MS;
    if (!isLate && this.#facts.zonesInPlanning().length > 0) return;
    this.#phase = { is: "over" };
    for (const { queued } of this.#tracked) queued.clear();
    this.#tracked.clear();
  }

  #isOver({ at, queues }: Extract<Phase, { readonly is: "stage" }>): boolean {
    for (const one of queues) one.waiting ??= new Set([...one.queued, ...one.running]);
    if (queues.some(({ waiting }) => waiting !== null && waiting.size > 0)) return false;
    return at > 0 || !this.#facts.isJudging();
  }

  #beginLate(): Timer {
    const { clock } = this.#facts;
    const leftMs = Math.max(0, this.#latestMs - clock.monotonicMs());
    return clock.setTimer(Math.min(HOLD_MS, leftMs), () => this.#begin());
  }

  #begin(): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.#late.cancel();
    for (const queue of held) queue.begin();
  }

  #read(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    this.#readLate?.cancel();
    this.#facts.onRead();
  }
}

/** The keys that the queue still has to reconcile; empty = none. */
function waitingCheck({ name, waiting }: Tracked): readonly HealthCheck[] {
  if (waiting === null || waiting.size === 0) return [];
  const [be, they] = waiting.size === 1 ? ["is", "it wants"] : ["are", "they want"];
  const text = `${waiting.size} ${be} still being read for the first time; what ${they} is not known yet`;
  return [openCheck(name, text)];
}

function openCheck(name: string, message: string): HealthCheck {
  return { name: `${OBJECTS_CHECK}${name}`, ok: false, message };
}

/** How a key that is due now is added; of several the first one counts. */
const LANES = ["first", "bulk", "last"] as const;
type Lane = (typeof LANES)[number];

/**
 * A work queue that tells each key that is due now, and that may begin later. Keys that are added
 * before are kept, each once, so that at a start an object is reconciled once and not for each
 * thing that becomes known. Keys that are added with a delay go to the real queue at once.
 */
class FollowedQueue implements WorkQueue {
  readonly #queue: WorkQueue;
  readonly #note: (key: string) => void;
  /** Keys that wait; null = it has begun. */
  #held: Map<string, Lane> | null;

  constructor(queue: WorkQueue, note: (key: string) => void, isHeld: boolean) {
    this.#queue = queue;
    this.#note = note;
    this.#held = isHeld ? new Map() : null;
  }

  add(key: string): void {
    this.#addTo("first", key);
  }

  addAfter(key: string, delayMs: number): void {
    if (delayMs > 0) this.#queue.addAfter(key, delayMs);
    else this.#addTo("bulk", key);
  }

  addLast(key: string): void {
    this.#addTo("last", key);
  }

  /** Adds the kept keys to the real queue. Idempotent. */
  begin(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const [key, lane] of held) this.#send(lane, key);
  }

  async stop(): Promise<void> {
    this.#held = null;
    await this.#queue.stop();
  }

  #addTo(lane: Lane, key: string): void {
    this.#note(key);
    if (this.#held === null) this.#send(lane, key);
    else {
      const asked = [lane, this.#held.get(key)];
      this.#held.set(key, LANES.find((one) => asked.includes(one)) ?? lane);
    }
  }

  #send(lane: Lane, key: string): void {
    if (lane === "first") this.#queue.add(key);
    else if (lane === "bulk") this.#queue.addAfter(key, 0);
    else this.#queue.addLast(key);
  }
}
