/**
 * Runs the recorded tests in a thread: once without a mutant, telling what each reaches, or for
 * each mutant until one fails. Loaded after the test files. Outcomes go to shared memory, so that
 * they outlive a thread that hangs.
 */
import { parentPort } from "node:worker_threads";
import fc from "fast-check";
import { type RecordedTest, recordedTests } from "./recorded-tests.ts";
import { state, task } from "./switch.ts";
import { ALIVE, AT_HAND, BEAT, type Job, KILLED, OUTCOMES } from "./thread-task.ts";

/** What the run without a mutant found. */
export interface Baseline {
  /** Mutants that are asked for while files are loaded. */
  readonly atLoad: readonly number[];
  readonly tests: readonly ReachedBy[];
}

/** One test without a mutant. */
export interface ReachedBy {
  readonly name: string;
  readonly ms: number;
  readonly asks: number;
  readonly mutants: readonly number[];
  /** Why it failed; null = it did not. */
  readonly failure: string | null;
}

const FAST_CHECK_SEED = 20261121;

const shared = new Int32Array(task.shared);
const strays: unknown[] = [];
process.on("unhandledRejection", (error) => strays.push(error));
// The same inputs for each mutant; that a law is broken is enough, the smallest case is of no
// interest.
fc.configureGlobal({ seed: FAST_CHECK_SEED, endOnFailure: true });

const atLoad = [...(state.asked ?? [])];
const skip = task.skip === null ? null : new RegExp(task.skip);
const tests = recordedTests().filter(({ name }) => skip === null || !skip.test(name));
if (task.jobs === null) await baseline();
else for (const job of task.jobs) await run(job);

async function baseline(): Promise<void> {
  const reached: ReachedBy[] = [];
  for (const test of tests) {
    state.asked = new Set();
    state.asks = 0;
    const start = performance.now();
    const failure = await failureOf(test);
    const ms = performance.now() - start;
    reached.push({ name: test.name, ms, asks: state.asks, mutants: [...state.asked], failure });
  }
  parentPort?.postMessage({ atLoad, tests: reached } satisfies Baseline);
}

async function run({ mutant, tests: chosen }: Job): Promise<void> {
  Atomics.store(shared, AT_HAND, mutant);
  let outcome = ALIVE;
  for (const { index, asksMax } of chosen) {
    const test = tests[index];
    if (test === undefined) continue;
    Object.assign(state, { awake: mutant, asks: 0, asksMax });
    if ((await failureOf(test)) === null) continue;
    outcome = KILLED;
    break;
  }
  state.awake = -1;
  Atomics.store(shared, OUTCOMES + mutant, outcome);
}

/** Null = it passed. A promise that nobody waited for counts too. */
async function failureOf(test: RecordedTest): Promise<string | null> {
  Atomics.add(shared, BEAT, 1);
  strays.length = 0;
  try {
    await test.run();
    await new Promise((resolve) => setImmediate(resolve));
    return strays.length === 0 ? null : `unhandled: ${String(strays[0])}`;
  } catch (error) {
    await new Promise((resolve) => setImmediate(resolve));
    return String(error);
  }
}
