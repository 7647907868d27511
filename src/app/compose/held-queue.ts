/**
 * A work queue that begins later. Keys that are added before are kept, each once, so that at a
 * start an object is reconciled once and not for each thing that becomes known.
 */
import type { WorkQueue } from "@zonekeeper/kube/ports/work-queue";

/** How a key is added. */
type Lane = "first" | "bulk" | "last";

/** Keys that are added with a delay go to the real queue at once. */
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

  /** Adds the kept keys to the real queue. Idempotent. */
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
