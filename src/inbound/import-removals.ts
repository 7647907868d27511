/**
 * Decides when an object that was imported from a zone may be deleted. Its host must be absent from
 * two complete readings of the zone that are a minute apart. Where too many would be deleted within
 * an hour, all of them are held until a person approves that set by its hash. Kept in memory: after
 * a restart the readings count anew, which only delays deletions.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { fingerprint64 } from "../model/fingerprint.ts";

const CONFIRM_MS = 60_000;
const WINDOW_MS = 3_600_000;
/**
 * Deletions an hour that are never held, and the share of the import's objects up to which more of
 * them are not held either.
 */
const FREE = 10;
const SHARE = 0.3;

/** Objects whose deletion waits for a person. */
export interface HeldRemovals {
  readonly hash: string;
  /** Names of objects, sorted. */
  readonly names: readonly string[];
}

/** Objects to delete now, by name. */
export interface DueRemovals {
  readonly remove: readonly string[];
  /** Milliseconds until others may be due; null = none waits for a second reading. */
  readonly waitMs: number | null;
}

/** There is one for each import: a zone whose hosts become objects of a cluster. */
export class ImportRemovals {
  /** By name of the object: Unix milliseconds of the first reading that lacked its host. */
  #absentSince = new Map<string, number>();
  #removedAtMs: readonly number[] = [];
  readonly #approved = new Set<string>();
  #held: HeldRemovals | null = null;

  get held(): HeldRemovals | null {
    return this.#held;
  }

  /**
   * `over`: names of the objects whose host the last reading lacks; `all`: how many objects the
   * import has. `readAtMs`: when the zone was read.
   */
  due(over: readonly string[], all: number, readAtMs: number, nowMs: number): DueRemovals {
    const since = (name: string): number => this.#absentSince.get(name) ?? readAtMs;
    this.#absentSince = new Map(over.map((name) => [name, since(name)]));
    // clause: two-readings-without-the-host
    const proven = over.filter((name) => readAtMs - since(name) >= CONFIRM_MS);
    this.#removedAtMs = this.#removedAtMs.filter((atMs) => nowMs - atMs < WINDOW_MS);
    const approved = proven.filter((name) => this.#approved.has(name));
    const others = proven.filter((name) => !this.#approved.has(name));
    const most = Math.max(FREE, Math.floor(SHARE * (all + this.#removedAtMs.length)));
    // clause: imports-have-a-fuse
    const isHeld = others.length > 0 && this.#removedAtMs.length + others.length > most;
    const names = others.toSorted(compareText);
    this.#held = isHeld ? { hash: fingerprint64(`import ${names.join(" ")}`), names } : null;
    const waiting = over.length - proven.length;
    return {
      remove: isHeld ? approved : proven,
      waitMs: waiting > 0 ? CONFIRM_MS : null,
    };
  }

  /** The object was deleted. It counts for an hour, unless a person had approved it. */
  removed(name: string, nowMs: number): void {
    this.#absentSince.delete(name);
    if (!this.#approved.delete(name)) this.#removedAtMs = [...this.#removedAtMs, nowMs];
  }

  /** False = the held set does not have this hash. */
  approve(hash: string): boolean {
    if (this.#held?.hash !== hash) return false;
    for (const name of this.#held.names) this.#approved.add(name);
    return true;
  }
}
