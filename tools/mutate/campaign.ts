/**
 * Runs mutants in threads, one thread at a time: those that no test reaches are not run; those that
 * are asked while files are loaded get a thread each. A thread that stands still or dies has killed
 * its mutant, and another goes on behind it.
 */
import { Worker } from "node:worker_threads";
import {
  ALIVE,
  AT_HAND,
  BEAT,
  CRASHED,
  type Job,
  OUTCOMES,
  type Task,
  UNREACHED,
} from "./thread-task.ts";
import type { Baseline } from "./worker.ts";

const CHECK_MS = 1_000;
/** A test that takes this long and so many times what it takes without a mutant stands still. */
const STILL_MS = 60_000;
const STILL_TIMES = 20;
/** A test may ask this often, and so many times what it asks without a mutant. */
const ASKS_MIN = 1_000_000;
const ASKS_TIMES = 50;
const HEAP_MB = 3_072;

/** The tests of a run. */
export interface Suite {
  /** What a thread loads. */
  readonly script: string;
  /** Titles of tests that are left out; null = none are. */
  readonly skip: string | null;
}

/** One run. */
export class Campaign {
  readonly #suite: Suite;
  readonly #shared: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #baseline: Baseline;
  readonly #reachedBy = new Map<number, Set<number>>();

  private constructor(suite: Suite, count: number, baseline: Baseline) {
    this.#suite = suite;
    this.#shared = new SharedArrayBuffer(4 * (OUTCOMES + count));
    this.#numbers = new Int32Array(this.#shared);
    this.#baseline = baseline;
    for (const [index, { mutants }] of baseline.tests.entries())
      for (const mutant of mutants)
        this.#reachedBy.set(mutant, (this.#reachedBy.get(mutant) ?? new Set()).add(index));
  }

  /** Runs the tests once without a mutant. Throws when one fails. */
  static async open(suite: Suite, count: number): Promise<Campaign> {
    return new Campaign(suite, count, await baselineOf(suite));
  }

  get tests(): Baseline["tests"] {
    return this.#baseline.tests;
  }

  /** 0 = not run. */
  outcomeOf(mutant: number): number {
    return this.#numbers[OUTCOMES + mutant] ?? 0;
  }

  /**
   * Runs these until `isOver` says so. Those that files ask for while they are loaded are tried as
   * the others are first.
   */
  async run(mutants: readonly number[], isOver: () => boolean): Promise<void> {
    const lazy = mutants
      .map((mutant) => this.#job(mutant, [...(this.#reachedBy.get(mutant) ?? [])]))
      .filter(({ tests }) => tests.length > 0);
    for (let left = lazy; left.length > 0 && !isOver(); ) {
      await this.#thread(left, null, isOver);
      left = left.filter(({ mutant }) => this.outcomeOf(mutant) === 0);
    }
    const atLoad = new Set(this.#baseline.atLoad);
    const reached = new Set(lazy.map(({ mutant }) => mutant));
    for (const mutant of mutants) {
      if (!reached.has(mutant) && !atLoad.has(mutant)) this.#set(mutant, UNREACHED);
      const isOpen = [0, ALIVE].includes(this.outcomeOf(mutant));
      if (atLoad.has(mutant) && isOpen && !isOver()) await this.#fromLoadOn(mutant, isOver);
    }
  }

  /**
   * Any test may see it, also one that asks nothing: what is made at load may be all that it looks
   * at.
   */
  async #fromLoadOn(mutant: number, isOver: () => boolean): Promise<void> {
    this.#set(mutant, 0);
    await this.#thread([this.#job(mutant, [...this.#baseline.tests.keys()])], mutant, isOver);
  }

  /** Quick tests first. */
  #job(mutant: number, indexes: readonly number[]): Job {
    const chosen = indexes
      .map((index) => ({ index, test: this.#baseline.tests[index] }))
      .sort((a, b) => (a.test?.ms ?? 0) - (b.test?.ms ?? 0))
      .map(({ index, test }) => ({
        index,
        asksMax: Math.max(ASKS_MIN, ASKS_TIMES * (test?.asks ?? 0)),
      }));
    return { mutant, tests: chosen };
  }

  #set(mutant: number, outcome: number): void {
    this.#numbers[OUTCOMES + mutant] = outcome;
  }

  /** Ends with the thread: its jobs are done, or the one at hand ended it. */
  async #thread(
    jobs: readonly Job[],
    awakeAtLoad: number | null,
    isOver: () => boolean,
  ): Promise<void> {
    this.#numbers[AT_HAND] = jobs[0]?.mutant ?? 0;
    const { script, skip } = this.#suite;
    const worker = threadOf(script, { awakeAtLoad, jobs, skip, shared: this.#shared });
    let isStopped = false;
    let [beat, since] = [0, performance.now()];
    const longest = Math.max(...this.#baseline.tests.map(({ ms }) => ms));
    const timer = setInterval(() => {
      const now = Atomics.load(this.#numbers, BEAT);
      if (now !== beat) [beat, since] = [now, performance.now()];
      isStopped = isOver();
      const isStill = performance.now() - since > Math.max(STILL_MS, STILL_TIMES * longest);
      if (isStopped || isStill) void worker.terminate();
    }, CHECK_MS);
    await ended(worker);
    clearInterval(timer);
    const atHand = Atomics.load(this.#numbers, AT_HAND);
    if (!isStopped && this.outcomeOf(atHand) === 0) this.#set(atHand, CRASHED);
  }
}

async function baselineOf({ script, skip }: Suite): Promise<Baseline> {
  const shared = new SharedArrayBuffer(4 * OUTCOMES);
  const worker = threadOf(script, { awakeAtLoad: null, jobs: null, skip, shared });
  const found: Baseline[] = [];
  worker.on("message", (message: Baseline) => found.push(message));
  const trouble = await ended(worker);
  const [baseline] = found;
  const failed = baseline?.tests.filter(({ failure }) => failure !== null) ?? [];
  if (baseline === undefined || failed.length > 0)
    throw new Error(
      `the tests fail without a mutant: ${[String(trouble), ...failed.map((one) => `${one.name}: ${one.failure}`)].join("\n")}`,
    );
  return baseline;
}

function threadOf(script: string, task: Task): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB };
  return new Worker(script, { workerData: task, resourceLimits });
}

/** What ended it; null = nothing but its end. */
function ended(worker: Worker): Promise<unknown> {
  return new Promise((resolve) => {
    let trouble: unknown = null;
    worker.on("error", (error) => {
      trouble = error;
    });
    worker.on("exit", () => resolve(trouble));
  });
}
