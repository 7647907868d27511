/**
 * Since when live objects that list a name have had no address for it (Z-4), as this process
 * has seen it: a restart or a new leader begins at zero. Remembers and counts; decides nothing.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import type { Contribution } from "../contract/contribution.ts";

/** The reason of names that wait for an address; of `Waiting` and of holds. */
export const NO_TARGETS = "NoTargets";
/** A name that has waited this long is dangling: shown and counted, and kept all the same. */
export const DANGLING_AFTER_MS = 3_600_000;

/** One name that waits. */
export interface AddressWait {
  /** Unix milliseconds of the first observation. */
  readonly sinceMs: number;
  readonly isDangling: boolean;
  /** The configured grace has passed; never true without one. */
  readonly isOver: boolean;
}

interface Start {
  readonly sinceMs: number;
  readonly monotonicMs: number;
}

/** All waits of one process; bounded by the names that contributions list. */
export class AddressWaits {
  readonly #clock: Clock;
  readonly #graceMs: number | null;
  readonly #byObject = new Map<string, ReadonlyMap<string, Start>>();

  /** `graceMs` null = names wait for ever. */
  constructor(clock: Clock, graceMs: number | null) {
    this.#clock = clock;
    this.#graceMs = graceMs;
  }

  /** Milliseconds from the beginning of a wait until something is due for the first time. */
  get firstSpanMs(): number {
    return Math.min(DANGLING_AFTER_MS, this.#graceMs ?? DANGLING_AFTER_MS);
  }

  /** Takes the object's new contribution. True when a name begins to wait. */
  contributed({ object, found, deleting }: Contribution): boolean {
    const key = objectKeyText(object);
    const before = this.#byObject.get(key);
    const names = deleting ? [] : found.waiting.filter(({ reason }) => reason === NO_TARGETS);
    if (names.length === 0) {
      this.#byObject.delete(key);
      return false;
    }
    const now: Start = { sinceMs: this.#clock.nowMs(), monotonicMs: this.#nowMs() };
    this.#byObject.set(key, new Map(names.map(({ name }) => [name, before?.get(name) ?? now])));
    return names.some(({ name }) => before?.has(name) !== true);
  }

  /** The object is gone. */
  withdrawn(object: ObjectKey): void {
    this.#byObject.delete(objectKeyText(object));
  }

  /** How long the object's name has waited; null = it does not. */
  at(object: ObjectKey, name: DnsName): AddressWait | null {
    const start = this.#byObject.get(objectKeyText(object))?.get(name);
    if (start === undefined) return null;
    const ageMs = this.#nowMs() - start.monotonicMs;
    return {
      sinceMs: start.sinceMs,
      isDangling: ageMs >= DANGLING_AFTER_MS,
      isOver: this.#graceMs !== null && ageMs >= this.#graceMs,
    };
  }

  /** Names that are dangling, each once. */
  danglingNames(): ReadonlySet<string> {
    const dueMs = this.#nowMs() - DANGLING_AFTER_MS;
    const names = new Set<string>();
    for (const waits of this.#byObject.values())
      for (const [name, { monotonicMs }] of waits) if (monotonicMs <= dueMs) names.add(name);
    return names;
  }

  /**
   * Milliseconds until a name becomes dangling or its grace ends; null = none will. Always above 0.
   */
  nextInMs(): number | null {
    const nowMs = this.#nowMs();
    let next = Number.POSITIVE_INFINITY;
    for (const waits of this.#byObject.values())
      for (const { monotonicMs } of waits.values())
        next = Math.min(next, this.#dueInMs(nowMs - monotonicMs));
    return next === Number.POSITIVE_INFINITY ? null : next;
  }

  /** Infinite when nothing is due any more at that age. */
  #dueInMs(ageMs: number): number {
    const spans = [DANGLING_AFTER_MS, this.#graceMs ?? DANGLING_AFTER_MS];
    return Math.min(...spans.map((span) => (span > ageMs ? span - ageMs : Infinity)));
  }

  #nowMs(): number {
    return this.#clock.monotonicMs();
  }
}
