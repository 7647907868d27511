/**
 * When a zone's loop has something to do next: pure arithmetic over waits, all of them in
 * milliseconds, and the sleep until then.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { ProviderSession } from "../../providers/provider.ts";
import type { SyncSettings } from "../contract/settings.ts";

/** Names to be written in a second from which on there is a burst, and names of one report. */
export const BURST_NAMES = 32;
/** How far `recent` may rise above that: so a burst ends within a quarter of a second. */
const BURST_LEFT = 8;
/** Milliseconds that names gather after a round, for each name that it had to write. */
const GATHER_MS = 10;

/** What is remembered of the last round. Times are those of the monotonic clock. */
export interface LastRound {
  /** When the round began. */
  readonly atMs: number;
  /** Names that it and the rounds before had to write, less 32 for each second since. */
  readonly recent: number;
  /** It had names to write, and `recent` is above 32. */
  readonly isBurst: boolean;
  /** No round begins before: names gather until then. */
  readonly gatherUntilMs: number;
}

/** No round yet. */
export const NO_ROUND: LastRound = {
  ...{ atMs: 0, recent: 0, isBurst: false },
  gatherUntilMs: Number.NEGATIVE_INFINITY,
};

type Rules = Pick<SyncSettings, "gatherMs" | "gatherManyMs"> &
  Pick<ProviderSession["capabilities"], "atomicity" | "batch">;

/**
 * Notes a round; `names`: how many it has to write. After few names the next round waits little. In
 * a burst it waits longer, most of all where a batch is all or nothing and this round did not fill
 * one.
 */
export function roundAfter(
  last: LastRound,
  { atMs, names }: Pick<LastRound, "atMs"> & { readonly names: number },
  { gatherMs, gatherManyMs, atomicity, batch }: Rules,
): LastRound {
  const left = Math.max(0, last.recent - ((atMs - last.atMs) / 1000) * BURST_NAMES);
  const recent = Math.min(BURST_NAMES + BURST_LEFT, left + names);
  const isBurst = names > 0 && recent > BURST_NAMES;
  const isFilling = atomicity === "zone" && names < batch.groupsMax;
  const burstMs = isFilling ? gatherManyMs : gatherMs;
  const waitMs = isBurst ? burstMs : Math.min(gatherMs, GATHER_MS * Math.max(1, names));
  return { atMs, recent, isBurst, gatherUntilMs: Math.max(last.gatherUntilMs, atMs + waitMs) };
}

/** Waits of one zone; 0 or less = now. */
export interface Waits {
  /** Until the zone may be tried again after a failure; overrules all others. */
  readonly backoffMs: number;
  /** Until a full load is due. */
  readonly reloadMs: number;
  /** Until the change token is asked; null = there is none. */
  readonly pollMs: number | null;
  /** Until the zone checks itself; null = it cannot yet. */
  readonly checkMs: number | null;
  /** Until the first dirty name may be tried; infinite when there is none. */
  readonly dirtyMs: number;
  /** Until names have gathered long enough since the last round; an idle zone acts at once. */
  readonly gatherMs: number;
}

/** Milliseconds to sleep; 0 = act now, infinite = until the signal is raised. */
export function nextDelayMs(waits: Waits): number {
  if (waits.backoffMs > 0) return waits.backoffMs;
  const work = Math.max(waits.dirtyMs, waits.gatherMs);
  const regular = [waits.pollMs, waits.checkMs].map((wait) => wait ?? Number.POSITIVE_INFINITY);
  return Math.max(0, Math.min(waits.reloadMs, work, ...regular));
}

/** A wake-up call that is not lost when nobody sleeps. */
export class Signal {
  readonly #clock: Clock;
  #raised = false;
  #resolve: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the present or the next `wait`. */
  raise(): void {
    this.#raised = true;
    this.#resolve?.();
  }

  /** Resolves after `delayMs` (null = never by itself), or as soon as the signal is raised. */
  async wait(delayMs: number | null): Promise<void> {
    if (!this.#raised) {
      await new Promise<void>((resolve) => {
        const timer = delayMs === null ? null : this.#clock.setTimer(delayMs, resolve);
        this.#resolve = () => {
          timer?.cancel();
          resolve();
        };
      });
    }
    this.#resolve = null;
    this.#raised = false;
  }
}
