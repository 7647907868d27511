/**
 * When a zone's loop has something to do next. Pure arithmetic over waits; all of them in
 * milliseconds.
 */
import type { ProviderSession } from "../../providers/provider.ts";
import type { SyncSettings } from "../contract/settings.ts";

/** Milliseconds that names gather after a round, for each name that it had to write. */
const GATHER_MS = 10;

/** What counts of a round. */
interface Round {
  /** When it began, by the monotonic clock. */
  readonly atMs: number;
  /** Names that were to be written. */
  readonly names: number;
  /** See `NameLedger`. */
  readonly isBurst: boolean;
}

type Rules = Pick<SyncSettings, "gatherMs" | "gatherManyMs"> &
  Pick<ProviderSession["capabilities"], "atomicity" | "batch">;

/**
 * Until when names gather after a round, by the monotonic clock; `beforeMs`: after the one before.
 * A change after a single one or after none waits little. In a burst batches that are all or
 * nothing are filled, unless the round filled one.
 */
export function gatherUntilMs(
  beforeMs: number,
  { atMs, names, isBurst }: Round,
  { gatherMs, gatherManyMs, atomicity, batch }: Rules,
): number {
  const isFilling = isBurst && atomicity === "zone" && names < batch.groupsMax;
  const mostMs = isFilling ? gatherManyMs : gatherMs;
  const waitMs = isBurst ? mostMs : Math.min(mostMs, GATHER_MS * Math.max(1, names));
  return Math.max(beforeMs, atMs + waitMs);
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
