/**
 * Who leads an installation: hands out terms as a Lease does, each with a later epoch. It tells
 * nobody that his term is over, as if all of them were paused; that a stale one does no harm is the
 * business of the fence (Z-17).
 */
import type { WriterTerm } from "../../../src/sync/contract/writer-term.ts";

/** The Lease of one installation. */
export class SimLease {
  /** Election domain. */
  readonly domain: string;
  #epoch = 0;

  constructor(domain: string) {
    this.domain = domain;
  }

  /**
   * A process begins to lead. `onOutdated`: a zone has shown it that somebody else leads since;
   * told once.
   */
  begin(onOutdated: () => void): SimTerm {
    this.#epoch += 1;
    const onLater = (later: number): void => {
      this.#epoch = Math.max(this.#epoch, later);
      onOutdated();
    };
    return new SimTerm({ domain: this.domain, epoch: this.#epoch, onLater });
  }
}

/** One term. */
export class SimTerm implements WriterTerm {
  readonly domain: string;
  readonly epoch: number;
  readonly id: string;
  readonly copyEpoch = null;
  /** Only counts where no fence can stand. */
  readonly marginMs = 0;
  readonly #onLater: (epoch: number) => void;
  #isOver = false;

  constructor(options: {
    readonly domain: string;
    readonly epoch: number;
    readonly onLater: (epoch: number) => void;
  }) {
    this.domain = options.domain;
    this.epoch = options.epoch;
    this.id = `term-${options.epoch}`;
    this.#onLater = options.onLater;
  }

  /** The process was told to stop, or is dead. */
  end(): void {
    this.#isOver = true;
  }

  remainingMs(): number {
    return this.#isOver ? 0 : Number.POSITIVE_INFINITY;
  }

  outdated(epoch: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onLater(epoch);
  }
}
