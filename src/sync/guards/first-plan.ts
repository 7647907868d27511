/**
 * When the first plan of a process in a zone is over: once all kinds are listed, each name was
 * planned, and no object contributed for the first time for a while. Until then the fuse takes
 * removals of objects that exist for one set that a person approves (Z-16, Z-24).
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";

/** Milliseconds without a new object after which all objects count as read. */
export const QUIET_MS = 30_000;
/**
 * Milliseconds after which the first plan is over in any case: objects that are new then count as
 * made just now. On first contact they begin only when all kinds are listed and each name planned.
 */
export const FIRST_PLAN_MS = 600_000;

/**
 * A number that grows with each object that contributes for the first time; null = a kind is not
 * listed, or a name was not planned yet. Absent = not known.
 */
export type ReadProgress = (() => number | null) | undefined;

/** What a first plan works with. */
export interface FirstPlanOptions {
  readonly clock: Clock;
  /** True while first contact with the zone lasts: our owner id is new to its records (Z-24). */
  readonly isContact: () => boolean;
  /** Called once when it is over, by a timer, so that no plan is needed for that. */
  readonly onOver: () => void;
}

/** The first plan of one zone; it begins with the first call of `lasts`. */
export class FirstPlan {
  readonly #options: FirstPlanOptions;
  #progress: ReadProgress;
  #last: number | null = null;
  /** Monotonic; null = nothing was planned yet. */
  #sinceMs: number | null = null;
  #isOver = false;
  #timer: Timer | null = null;

  constructor(options: FirstPlanOptions) {
    this.#options = options;
  }

  /** True while a plan that is made now belongs to it; the first call begins it. */
  lasts(): boolean {
    if (this.#sinceMs === null) {
      this.#sinceMs = this.#options.clock.monotonicMs();
      this.#checkLater();
    }
    return !this.#isOver;
  }

  /** Takes how far the objects of the zone were read, as it is now and later. */
  observe(progress: ReadProgress): void {
    this.#progress = progress;
  }

  close(): void {
    this.#timer?.cancel();
  }

  #checkLater(): void {
    this.#timer = this.#options.clock.setTimer(QUIET_MS, () => this.#check());
  }

  #check(): void {
    const progress = this.#progress?.();
    const isQuiet = typeof progress === "number" && progress === this.#last;
    this.#last = progress ?? null;
    const nowMs = this.#options.clock.monotonicMs();
    if (progress === null && this.#options.isContact()) this.#sinceMs = nowMs;
    this.#isOver = isQuiet || nowMs - (this.#sinceMs ?? nowMs) >= FIRST_PLAN_MS;
    if (this.#isOver) this.#options.onOver();
    else this.#checkLater();
  }
}
