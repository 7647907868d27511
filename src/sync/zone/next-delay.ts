/**
 * When a zone's loop has something to do next. Pure arithmetic over waits; all of them in
 * milliseconds.
 */
import type { ProviderSession } from "../../providers/provider.ts";
import type { SyncSettings } from "../contract/settings.ts";

/** Milliseconds that names gather after a round, for each name that it had to write. */
const GATHER_MS = 10;

/** A round and the zone that it wrote to. */
interface RoundInput extends Pick<ProviderSession, "capabilities"> {
  /** When it began, by the monotonic clock. */
  readonly atMs: number;
  /** Names that were to be written. */
  readonly names: number;
  readonly settings: SyncSettings;
}

/**
 * Until when names gather after a round, by the monotonic clock; `beforeMs`: after the one before.
 * A change after a single one or after none waits little, a stream of changes is sent in few calls,
 * and batches that are all or nothing are filled, unless the round filled one.
 */
export function gatherUntilMs(
  beforeMs: number,
  { atMs, names, capabilities: { atomicity, batch }, settings }: RoundInput,
): number {
  const isFilling = atomicity === "zone" && names < batch.groupsMax;
  const mostMs = isFilling ? settings.gatherManyMs : settings.gatherMs;
  return Math.max(beforeMs, atMs + Math.min(mostMs, GATHER_MS * Math.max(1, names)));
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
