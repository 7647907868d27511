/**
 * What a bench prints: a table for people, and one JSON line by which script/bench sums up and two
 * commits can be compared. Nothing is asserted: a missed budget is a figure, not a failure.
 */
import { execFileSync } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";

/** One measured figure. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  /** As in docs/architecture.md#budgets; absent = none is set. */
  readonly budget?: string;
  /** Whether the budget is met; absent where there is none. */
  readonly met?: boolean;
}

/** One bench's figures with where and when they were taken. */
export interface BenchReport {
  readonly bench: string;
  readonly machine: string;
  /** Short commit id, with `+` when files differ from it; empty outside of a repository. */
  readonly commit: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Load average of the last minute at the end of the bench, others on the machine included. */
  readonly load: number;
  /** How long the bench took. */
  readonly seconds: number;
  readonly figures: readonly Figure[];
}

/** The machine in one line. */
export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown CPU";
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${model}, ${gigabytes} GB, Node ${process.version}`;
}

/** Prints figures for people, and one line `figures {…}` (a BenchReport) for tools. */
export function report(bench: string, figures: readonly Figure[]): void {
  const load = Math.round((loadavg()[0] ?? 0) * 10) / 10;
  const at = new Date().toISOString();
  const seconds = Math.round(performance.now() / 1000);
  const position = { machine: machine(), commit: commit() };
  const full: BenchReport = { bench, ...position, at, load, seconds, figures };
  process.stdout.write(`${bench}\n${figures.map(rowOf).join("")}\n`);
  process.stdout.write(`figures ${JSON.stringify(full)}\n`);
}

/** One line of the table. */
export function rowOf({ what, value, budget = "", met }: Figure): string {
  const verdict = met === undefined ? "" : met ? "met" : "MISSED";
  return `  ${what.padEnd(56)} ${value.padStart(10)}  ${budget.padEnd(10)} ${verdict}`
    .trimEnd()
    .concat("\n");
}

/**
 * The value below which `share` (0 to 1) of the samples lie; samples need not be sorted. NaN for
 * none.
 */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** `12 ms`, `1.23 ms`. */
export function inMs(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

function commit(): string {
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    const changed = git("status", "--porcelain", "--untracked-files=no") !== "";
    return `${git("rev-parse", "--short", "HEAD")}${changed ? "+" : ""}`;
  } catch {
    return "";
  }
}
