/**
 * When a zone's loop has something to do next. Pure arithmetic over waits; all of them in
 * milliseconds.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { ProviderSession } from "../../providers/provider.ts";
import type { SyncSettings } from "../contract/settings.ts";

/** Names of a round from which on a burst is under way. */
const MANY_NAMES = 16;
/** Milliseconds that names gather after the first round of a series. */
const GATHER_FIRST_MS = 10;
/** Times the gathering, after which a series of rounds is over. */
const SERIES = 4;

/** A round: when it began, by the monotonic clock. */
export interface LastRound {
  readonly atMs: number;
  /** Names that were to be written. */
  readonly names: number;
  /** Milliseconds that names gather after it. */
  readonly gatherMs: number;
}

/** No round yet. */
export const NO_ROUND: LastRound = {
  atMs: Number.NEGATIVE_INFINITY,
  names: 0,
  gatherMs: GATHER_FIRST_MS,
};

/**
 * The round after another one. While rounds that write follow each other, names gather for longer
 * and longer, so that single changes wait little and a stream of them is sent in few calls. A round
 * that writes nothing is no part of the series: what follows it waits little.
 */
export function roundAfter(
  last: LastRound,
  { atMs, names }: Pick<LastRound, "atMs" | "names">,
  { gatherMs: mostMs }: SyncSettings,
): LastRound {
  if (names === 0) {
    const { gatherMs } = last;
    return { atMs: Math.max(last.atMs, atMs + GATHER_FIRST_MS - gatherMs), names, gatherMs };
  }
  const isSeries = atMs - last.atMs <= SERIES * last.gatherMs;
  return {
    atMs,
    names,
    gatherMs: isSeries ? Math.min(mostMs, 2 * last.gatherMs) : GATHER_FIRST_MS,
  };
}

interface GatherContext {
  readonly clock: Clock;
  readonly settings: SyncSettings;
}

/**
 * Milliseconds until names have gathered long enough since a round. Batches that are all or nothing
 * are filled while a burst goes on; one that was full is followed as soon as any other.
 */
export function gatherLeftMs(
  { atMs, names, gatherMs }: LastRound,
  { capabilities }: Pick<ProviderSession, "capabilities">,
  { clock, settings }: GatherContext,
): number {
  const { atomicity, batch } = capabilities;
  const isBurst = atomicity === "zone" && names >= MANY_NAMES && names < batch.groupsMax;
  return atMs + (isBurst ? settings.gatherManyMs : gatherMs) - clock.monotonicMs();
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
