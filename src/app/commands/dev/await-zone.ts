/** Waits until the embedded zone is loaded by the controllers. */
import { type Clock, sleep } from "@zonekeeper/base/ports/clock";
import type { Composition } from "../../compose/compose.ts";

/** What is waited for. */
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
 * Null = it is loaded, or the stop came. Else how the zone stands: `dev` goes on, for the API that
 * it serves is the only place where what a person did to the DNSProvider can be undone.
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
