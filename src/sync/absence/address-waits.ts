/**
 * Since when live objects that list a name have had no address for it (Z-4), as this process
 * has seen it: a restart or a new leader begins at zero. Remembers, counts, and says when a name
 * becomes dangling or its grace ends, by one timer for all; decides nothing.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
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
  /** The configured grace (`--no-targets-grace`) has passed; never true without one. */
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
  readonly #onDue: () => void;
  #timer: Timer | null = null;
  /** Monotonic milliseconds at which the timer fires. */
  #dueMs = Number.POSITIVE_INFINITY;
  readonly #byObject = new Map<string, ReadonlyMap<string, Start>>();

  /** `graceMs` null = names wait for ever. `onDue`: one became dangling, or its grace is over. */
  constructor(clock: Clock, graceMs: number | null, onDue: () => void = () => undefined) {
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#onDue = onDue;
  }

  /** Takes the object's new contribution. */
  contributed({ object, found, deleting }: Contribution): void {
    const key = objectKeyText(object);
    const before = this.#byObject.get(key);
    const names = deleting ? [] : found.waiting.filter(({ reason }) => reason === NO_TARGETS);
    if (names.length === 0) {
      this.#byObject.delete(key);
      return;
    }
    const now: Start = { sinceMs: this.#clock.nowMs(), monotonicMs: this.#nowMs() };
    this.#byObject.set(key, new Map(names.map(({ name }) => [name, before?.get(name) ?? now])));
    if (names.some(({ name }) => before?.has(name) !== true)) this.#wakeIn(this.#dueInMs(0));
  }

  /** Stops the timer for good. */
  stop(): void {
    this.#timer?.cancel();
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

  #wakeIn(inMs: number): void {
    const dueMs = this.#nowMs() + inMs;
    if (dueMs >= this.#dueMs) return;
    this.#timer?.cancel();
    this.#dueMs = dueMs;
    this.#timer = this.#clock.setTimer(inMs, () => {
      this.#dueMs = Number.POSITIVE_INFINITY;
      const nowMs = this.#nowMs();
      let nextMs = Number.POSITIVE_INFINITY;
      for (const waits of this.#byObject.values())
        for (const { monotonicMs } of waits.values())
          nextMs = Math.min(nextMs, this.#dueInMs(nowMs - monotonicMs));
      this.#wakeIn(nextMs);
      this.#onDue();
    });
  }

  /** Always above 0; infinite when nothing is due any more at that age. */
  #dueInMs(ageMs: number): number {
    const spans = [DANGLING_AFTER_MS, this.#graceMs ?? DANGLING_AFTER_MS];
    return Math.min(...spans.map((span) => (span > ageMs ? span - ageMs : Infinity)));
  }

  #nowMs(): number {
    return this.#clock.monotonicMs();
  }
}
