/** How often something happened to a key lately. State only; time is an argument. */
import { BoundedMap } from "../bounded-map.ts";

/** Keys; those that nothing happened to for longest are forgotten first. */
const KEYS_MAX = 10_000;

/** Times are of any clock that does not go back. */
export class RecentCounts<K> {
  readonly #windowMs: number;
  readonly #most: number;
  readonly #atMs = new BoundedMap<K, readonly number[]>(KEYS_MAX);

  /** `isOften` is true once a key was added `most` times within `windowMs`. */
  constructor(windowMs: number, most: number) {
    this.#windowMs = windowMs;
    this.#most = most;
  }

  /** Counts one time. */
  add(key: K, nowMs: number): void {
    this.#atMs.set(key, [...this.#recent(key, nowMs), nowMs].slice(-this.#most));
  }

  /** True when it happened so often lately that it should not happen again now. */
  isOften(key: K, nowMs: number): boolean {
    return this.#recent(key, nowMs).length >= this.#most;
  }

  #recent(key: K, nowMs: number): readonly number[] {
    return (this.#atMs.get(key) ?? []).filter((atMs) => nowMs - atMs < this.#windowMs);
  }
}
