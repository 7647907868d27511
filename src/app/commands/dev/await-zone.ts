/** Waits until the embedded zone is loaded by the controllers. */
import { type Clock, sleep } from "@zonekeeper/base/ports/clock";
import type { Composition } from "../../compose/compose.ts";

/** The zone to wait for. */
export interface AwaitZoneOptions {
  readonly zone: string;
  readonly clock: Clock;
  /** Ends the wait early. */
  readonly stop: AbortSignal;
}

const POLL_MS = 10;
/** Milliseconds; a zone that is not loaded by then waits for a person. */
export const PATIENCE_MS = 20_000;

/**
 * Null = the zone is loaded, or the stop came. Else why it is not: `dev` goes on, since its API is
 * the only place where a person can correct the DNSProvider.
 */
export async function awaitZone(
  running: Pick<Composition, "zones">,
  { zone, clock, stop }: AwaitZoneOptions,
): Promise<string | null> {
  const deadlineMs = clock.monotonicMs() + PATIENCE_MS;
  const find = () => running.zones().find((status) => status.zone.name === zone);
  while (find()?.state !== "ready" && !stop.aborted) {
    if (clock.monotonicMs() >= deadlineMs)
      return find()?.message ?? "the DNSProvider embedded opened no such zone";
    await sleep(clock, POLL_MS, stop);
  }
  return null;
}
