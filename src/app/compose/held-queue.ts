/**
 * A queue that begins later: keys that are added before wait, each once, so that an object is read
 * once and not for each thing that becomes known at a start.
 */
import type { WorkQueue } from "@zonekeeper/kube/ports/work-queue";

/** Keys that are to come later keep their delay. */
export class HeldQueue implements WorkQueue {
  readonly #queue: WorkQueue;
  /** Keys that wait, true = in front; null = it has begun. */
  #held: Map<string, boolean> | null = new Map();

  constructor(queue: WorkQueue) {
    this.#queue = queue;
  }

  add(key: string): void {
    if (this.#held === null) this.#queue.add(key);
    else this.#held.set(key, true);
  }

  addAfter(key: string, delayMs: number): void {
    if (this.#held === null || delayMs > 0) this.#queue.addAfter(key, delayMs);
    else if (!this.#held.has(key)) this.#held.set(key, false);
  }

  /** Lets the keys go. Idempotent. */
  begin(): void {
    const held = this.#held;
    this.#held = null;
    for (const [key, isInFront] of held ?? [])
      if (isInFront) this.#queue.add(key);
      else this.#queue.addAfter(key, 0);
  }

  async stop(): Promise<void> {
    this.#held = null;
    await this.#queue.stop();
  }
}
