/** How often something happened to a key lately. State only; time is an argument. */
import { BoundedMap } from "../bounded-map.ts";

/** Keys; those that nothing happened to for longest are forgotten first. */
const KEYS_MAX = 10_000;

/** Times are of any clock that does not go back. */
export class RecentCounts<K> {
  readonly #windowMs: number;
  readonly #most: number;
  readonly #atMs = new BoundedMap<K, readonly number[]>(KEYS_MAX);

  /** `most`: times within `windowMs` from which on `isOften` says so. */
  constructor(windowMs: number, most: number) {
    this.#windowMs = windowMs;
    this.#most = most;
  }

  /** It happened. */
  add(key: K, nowMs: number): void {
    this.#atMs.set(key, [...this.#recent(key, nowMs), nowMs].slice(-this.#most));
  }

  /** It happened so often that it is not to happen now. */
  isOften(key: K, nowMs: number): boolean {
    return this.#recent(key, nowMs).length >= this.#most;
  }

  #recent(key: K, nowMs: number): readonly number[] {
    return (this.#atMs.get(key) ?? []).filter((atMs) => nowMs - atMs < this.#windowMs);
  }
}
