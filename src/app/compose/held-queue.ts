/**
 * A queue that begins later: keys that are added before wait, each once, so that an object is read
 * once and not for each thing that becomes known at a start.
 */
import type { WorkQueue } from "@zonekeeper/kube/ports/work-queue";

/** How a key is added. */
type Lane = "first" | "bulk" | "last";

/** Keys that are to come later keep their delay. */
export class HeldQueue implements WorkQueue {
  readonly #queue: WorkQueue;
  /** Keys that wait; null = it has begun. */
  #held: Map<string, Lane> | null = new Map();

  constructor(queue: WorkQueue) {
    this.#queue = queue;
  }

  add(key: string): void {
    if (this.#held === null) this.#queue.add(key);
    else this.#held.set(key, "first");
  }

  addAfter(key: string, delayMs: number): void {
    if (this.#held === null || delayMs > 0) this.#queue.addAfter(key, delayMs);
    else if (this.#held.get(key) !== "first") this.#held.set(key, "bulk");
  }

  addLast(key: string): void {
    if (this.#held === null) this.#queue.addLast(key);
    else if (!this.#held.has(key)) this.#held.set(key, "last");
  }

  /** Lets the keys go. Idempotent. */
  begin(): void {
    const held = this.#held;
    this.#held = null;
    for (const [key, lane] of held ?? [])
      if (lane === "first") this.#queue.add(key);
      else if (lane === "bulk") this.#queue.addAfter(key, 0);
      else this.#queue.addLast(key);
  }

  async stop(): Promise<void> {
    this.#held = null;
    await this.#queue.stop();
  }
}
