/** A term of leadership under a test's control. */
import type { WriterTerm } from "../../../src/sync/contract/writer-term.ts";

/** Ends when the test says so; remembers by which epochs it was said to be outdated. */
export class FakeTerm implements WriterTerm {
  readonly domain: string | null;
  readonly epoch: number;
  readonly marginMs = 5_000;
  readonly outdatedBy: number[] = [];
  leftMs = Number.POSITIVE_INFINITY;

  constructor(domain: string | null, epoch: number) {
    this.domain = domain;
    this.epoch = epoch;
  }

  remainingMs(): number {
    return this.leftMs;
  }

  outdated(epoch: number): void {
    this.outdatedBy.push(epoch);
    this.leftMs = 0;
  }
}
