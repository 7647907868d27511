/**
 * The fuzzer: changes good inputs at random (seeded), runs them, keeps those that take a new way,
 * and shrinks what it finds. Time is CPU time of this process; an input counts as slow only when it
 * is slow three times.
 */
import { SimRandom } from "../simulation/world/sim-random.ts";
import { mutate } from "./mutate.ts";
import { FuzzFinding, type FuzzOutcome, type FuzzTarget } from "./target.ts";

/** Inputs that are kept because they took a new way. */
const CORPUS_MAX = 500;
/** Runs that shrinking one finding may take. */
const SHRINK_RUNS_MAX = 2000;
/** A slow input is slow in each of its runs. */
const SHRINK_CPU_SECONDS_MAX = 60;
/** Findings of one kind and target: more of the same help nobody. */
const FINDINGS_MAX = 20;

/** How long and how strictly. */
export interface FuzzOptions {
  readonly seed: number;
  /** Stops after so many inputs. */
  readonly executionsMax: number;
  /** Stops after so much CPU time; null = only the number counts. */
  readonly cpuSecondsMax: number | null;
  /** CPU milliseconds that one input may take; null = not looked at. */
  readonly inputCpuMsMax: number | null;
  /** Hears of each input before it runs, for a watchdog. */
  readonly before?: (input: Uint8Array) => void;
}

/** One finding. */
export interface FuzzReport {
  readonly target: string;
  readonly seed: number;
  /** Number of the input, from 1; 0 = a seed input. */
  readonly execution: number;
  readonly message: string;
  /** As small as shrinking made it. */
  readonly input: Uint8Array;
}

/** What a run of one target came to. */
export interface FuzzResult {
  readonly target: string;
  readonly executions: number;
  readonly cpuSeconds: number;
  /** Different ways that were seen. */
  readonly ways: number;
  readonly findings: readonly FuzzReport[];
}

/** Runs one target. Deterministic for a seed, but for the moment when CPU time ends it. */
export async function fuzz(target: FuzzTarget, options: FuzzOptions): Promise<FuzzResult> {
  const run = new FuzzRun(target, options);
  return run.run();
}

class FuzzRun {
  readonly #target: FuzzTarget;
  readonly #options: FuzzOptions;
  readonly #random: SimRandom;
  readonly #corpus: Uint8Array[];
  readonly #ways = new Set<string>();
  readonly #findings = new Map<string, FuzzReport>();
  readonly #start = process.cpuUsage();
  #executions = 0;

  constructor(target: FuzzTarget, options: FuzzOptions) {
    this.#target = target;
    this.#options = options;
    this.#random = new SimRandom(options.seed);
    this.#corpus = [...target.seeds];
  }

  async run(): Promise<FuzzResult> {
    for (const seed of this.#target.seeds) await this.#take(seed);
    while (!this.#isOver()) {
      this.#executions += 1;
      const { tokens } = this.#target;
      const pool = { random: this.#random, corpus: this.#corpus, tokens };
      await this.#take(mutate(this.#random.pick(this.#corpus), pool));
    }
    return {
      target: this.#target.name,
      executions: this.#executions,
      cpuSeconds: this.#cpuSeconds(),
      ways: this.#ways.size,
      findings: [...this.#findings.values()],
    };
  }

  #isOver(): boolean {
    const { executionsMax, cpuSecondsMax } = this.#options;
    if (this.#executions >= executionsMax || this.#findings.size >= FINDINGS_MAX) return true;
    return (
      cpuSecondsMax !== null && this.#executions % 64 === 0 && this.#cpuSeconds() >= cpuSecondsMax
    );
  }

  #cpuSeconds(): number {
    const { user, system } = process.cpuUsage(this.#start);
    return (user + system) / 1e6;
  }

  async #take(input: Uint8Array): Promise<void> {
    const result = await this.#judge(input);
    if ("outcome" in result) this.#keep(input, result.outcome);
    else await this.#report(input, result.trouble);
  }

  #keep(input: Uint8Array, outcome: string): void {
    if (this.#ways.has(outcome) || this.#ways.size >= 10 * CORPUS_MAX) return;
    this.#ways.add(outcome);
    if (this.#corpus.length < CORPUS_MAX + this.#target.seeds.length) this.#corpus.push(input);
  }

  async #report(input: Uint8Array, trouble: string): Promise<void> {
    const kind = trouble.split("\n")[0]?.replaceAll(/\d+/g, "_").slice(0, 60) ?? "";
    if (this.#findings.has(kind)) return;
    const small = await this.#shrink(input, kind);
    const { name: target } = this.#target;
    const { seed } = this.#options;
    const execution = this.#executions;
    this.#findings.set(kind, { target, seed, execution, message: trouble, input: small });
  }

  /** Takes pieces away, large ones first, as long as trouble of the same kind stays. */
  async #shrink(input: Uint8Array, kind: string): Promise<Uint8Array> {
    let best = input;
    let runs = 0;
    const untilSeconds = this.#cpuSeconds() + SHRINK_CPU_SECONDS_MAX;
    for (
      let size = Math.ceil(best.length / 2);
      size >= 1;
      size = size > 1 ? Math.ceil(size / 2) : 0
    )
      for (let at = 0; at < best.length && runs < SHRINK_RUNS_MAX; runs += 1) {
        if (this.#cpuSeconds() > untilSeconds) return best;
        const smaller = new Uint8Array(
          Buffer.concat([best.subarray(0, at), best.subarray(at + size)]),
        );
        const result = await this.#judge(smaller);
        const isSame =
          "trouble" in result && result.trouble.replaceAll(/\d+/g, "_").startsWith(kind);
        if (isSame) best = smaller;
        else at += size;
      }
    return best;
  }

  async #judge(input: Uint8Array): Promise<FuzzOutcome | { readonly trouble: string }> {
    this.#options.before?.(input);
    const { inputCpuMsMax } = this.#options;
    const first = process.cpuUsage();
    const result = await this.#once(input);
    if ("trouble" in result || inputCpuMsMax === null) return result;
    let least = cpuMsSince(first);
    for (let again = 0; again < 2 && least > inputCpuMsMax; again += 1) {
      const start = process.cpuUsage();
      await this.#once(input);
      least = Math.min(least, cpuMsSince(start));
    }
    if (least <= inputCpuMsMax) return result;
    return { trouble: `slow: an input takes more than ${inputCpuMsMax} ms of CPU` };
  }

  async #once(input: Uint8Array): Promise<FuzzOutcome | { readonly trouble: string }> {
    try {
      const result = await this.#target.run(Uint8Array.from(input));
      const max = this.#target.outputBytesMax(input.length);
      if (result.outputBytes <= max) return result;
      return { trouble: `large: ${result.outputBytes} bytes come out of ${input.length}` };
    } catch (error) {
      return { trouble: troubleOf(error) };
    }
  }
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function troubleOf(error: unknown): string {
  if (error instanceof FuzzFinding) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
