/**
 * The compositions of one term of leadership: one after the other, as the further clusters that are
 * read change. Caches of clusters and what is stored outlive them; nothing is forgotten in between
 * that a restart would keep.
 */
import type { Composition } from "../../compose/compose.ts";
import type { FurtherClusters } from "./further-clusters.ts";
import type { RunningInstance } from "./running-instance.ts";

/** Runs until it is ended. */
export class RunningTerm {
  readonly #instance: Pick<RunningInstance, "begin" | "end">;
  readonly #make: () => Composition;
  readonly #stopListening: () => void;
  #last: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(
    instance: Pick<RunningInstance, "begin" | "end">,
    further: Pick<FurtherClusters, "onJoined">,
    make: () => Composition,
  ) {
    this.#instance = instance;
    this.#make = make;
    instance.begin(make());
    this.#stopListening = further.onJoined(() => this.#renew());
  }

  /** Resolves when nothing is written any more. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#stopListening();
    await Promise.all([this.#last, this.#instance.end()]);
  }

  /** Two compositions never write at a time. */
  #renew(): void {
    this.#last = this.#last.then(async () => {
      if (this.#isOver) return;
      await this.#instance.end();
      if (!this.#isOver) this.#instance.begin(this.#make());
    });
  }
}
