/** Prints one bench as a table row and as JSON, so that two commits can be compared. Nothing is asserted. */
import { cpus, totalmem } from "node:os";

/** One measured figure. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  /** As in DESIGN §11; empty = none is set. */
  readonly budget: string;
  /** Null where there is no budget to compare with. */
  readonly met: boolean | null;
}

/** The machine in one line. */
export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown CPU";
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${model}, ${gigabytes} GB, Node ${process.version}`;
}

/** Prints figures for people, and one JSON line for tools. */
export function report(bench: string, figures: readonly Figure[]): void {
  process.stdout.write(`${bench} (${machine()})\n`);
  for (const { what, value, budget, met } of figures) {
    const verdict = met === null ? "" : met ? "met" : "MISSED";
    process.stdout.write(
      `  ${what.padEnd(58)} ${value.padStart(14)}  ${budget.padEnd(10)} ${verdict}\n`,
    );
  }
  process.stdout.write(`${JSON.stringify({ bench, machine: machine(), figures })}\n`);
}

/** The value below which `share` (0 to 1) of the samples lie; samples need not be sorted. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** `12.3 ms`. */
export function inMs(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}
