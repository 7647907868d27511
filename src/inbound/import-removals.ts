/**
 * When an imported object may go: its host is absent from two complete readings of the zone, a
 * minute apart, and not too many go within an hour; a person approves the rest by the hash of the
 * set. A restart begins anew, which delays and removes nothing.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { fingerprint64 } from "../model/fingerprint.ts";

const CONFIRM_MS = 60_000;
const WINDOW_MS = 3_600_000;
/** So many an hour always may go; more of them while they are no larger a part of the import. */
const FREE = 10;
const SHARE = 0.3;

/** Objects that wait for a person. */
export interface HeldRemovals {
  readonly hash: string;
  /** Names of objects, sorted. */
  readonly names: readonly string[];
}

/** What may go now. */
export interface DueRemovals {
  readonly remove: readonly string[];
  /** Milliseconds until one of the others may; null = none waits for time. */
  readonly waitMs: number | null;
}

/** Of one import. */
export class ImportRemovals {
  /** Unix milliseconds of the reading that first had not the host, by name of the object. */
  #absentSince = new Map<string, number>();
  #removedAtMs: readonly number[] = [];
  readonly #approved = new Set<string>();
  #held: HeldRemovals | null = null;

  get held(): HeldRemovals | null {
    return this.#held;
  }

  /** `over`: names of objects without a host; `all`: how many objects the import has. */
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
    this.#held = isHeld ? heldOf(others) : null;
    const waiting = over.length - proven.length;
    return {
      remove: isHeld ? approved : proven,
      waitMs: waiting > 0 ? CONFIRM_MS : null,
    };
  }

  /** What was removed counts for an hour, unless a person had let it go. */
  removed(name: string, nowMs: number): void {
    this.#absentSince.delete(name);
    if (!this.#approved.delete(name)) this.#removedAtMs = [...this.#removedAtMs, nowMs];
  }

  /** False = no set has this hash. */
  approve(hash: string): boolean {
    if (this.#held?.hash !== hash) return false;
    for (const name of this.#held.names) this.#approved.add(name);
    return true;
  }
}

function heldOf(names: readonly string[]): HeldRemovals {
  const sorted = [...names].sort(compareText);
  return { hash: fingerprint64(`import ${sorted.join(" ")}`), names: sorted };
}
