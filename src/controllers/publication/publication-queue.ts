/**
 * The work queue of the objects of one kind, with two kinds of work: an object is decided about
 * (which zones get what), or the last decision is only shown again in its status. Most reports of
 * zones need only the latter.
 */
import type { StartQueue, WorkQueue } from "@zonekeeper/kube/ports/work-queue";
import { unlessGone } from "../objects/unless-gone.ts";

/** The two kinds of work. Work that fails is repeated, as a decision. */
interface Work {
  decide(key: string): Promise<void>;
  show(key: string): Promise<void>;
}

/** Keys are `namespace/name`. */
export class PublicationQueue {
  readonly #work: Work;
  readonly #queue: WorkQueue;
  /** Queued to be decided about, or the last decision failed. */
  readonly #undecided = new Set<string>();
  readonly #toShow = new Set<string>();
  /**
   * Keys that were queued with a delay. The queue does not say why a key is due, so that these are
   * always decided about.
   */
  readonly #timed = new Set<string>();

  constructor(startQueue: StartQueue, name: string, work: Work) {
    this.#work = work;
    this.#queue = startQueue({ name, reconcile: (key) => unlessGone(() => this.#run(key)) });
  }

  /** Decides about it soon, as an edit. */
  soon(key: string): void {
    this.#undecided.add(key);
    this.#queue.add(key);
  }

  /** Decides about it behind edits, after so many milliseconds; absent = now. */
  later(key: string, afterMs = 0): void {
    if (afterMs > 0) this.#timed.add(key);
    this.#undecided.add(key);
    this.#queue.addAfter(key, afterMs);
  }

  /** Behind all others; `show` = the last decision still holds and only the status is written. */
  last(key: string, what: "decide" | "show"): void {
    if (what === "show") this.#toShow.add(key);
    else this.#undecided.add(key);
    this.#queue.addLast(key);
  }

  /** The object is gone. */
  forget(key: string): void {
    for (const keys of [this.#undecided, this.#toShow, this.#timed]) keys.delete(key);
  }

  /** Lets work that runs finish. Idempotent. */
  stop(): Promise<void> {
    return this.#queue.stop();
  }

  async #run(key: string): Promise<void> {
    const isAsked = this.#toShow.delete(key);
    if (isAsked && !(this.#undecided.has(key) || this.#timed.has(key))) return this.#work.show(key);
    this.#undecided.delete(key);
    try {
      await this.#work.decide(key);
    } catch (error) {
      this.#undecided.add(key);
      throw error;
    }
  }
}
