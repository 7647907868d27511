/** A term of leadership under a test's control. */
import type { WriterTerm } from "../../../src/sync/contract/writer-term.ts";

/** Ends when the test says so; remembers by which epochs it was said to be outdated. */
export class FakeTerm implements WriterTerm {
  readonly domain: string | null;
  readonly epoch: number;
  readonly id: string | null;
  copyEpoch: number | null = null;
  readonly marginMs = 5_000;
  readonly outdatedBy: number[] = [];
  /** Whether the last of them replaced the record of this term. */
  wasReplaced = false;
  leftMs = Number.POSITIVE_INFINITY;

  constructor(domain: string | null, epoch: number, id: string | null = null) {
    this.domain = domain;
    this.epoch = epoch;
    this.id = id;
  }

  remainingMs(): number {
    return this.leftMs;
  }

  outdated(epoch: number, replacedUs: boolean): void {
    this.outdatedBy.push(epoch);
    this.wasReplaced = replacedUs;
    this.leftMs = 0;
  }
}
