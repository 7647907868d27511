/** Waits until the embedded zone is loaded by the controllers. */
import { OperationError } from "../../model/operation-error.ts";
import { type Clock, sleep } from "../../ports/clock.ts";
import type { Composition } from "../compose.ts";

/** What is waited for. */
export interface AwaitZoneOptions {
  readonly zone: string;
  readonly clock: Clock;
  /** Ends the wait early, without an error. */
  readonly stop: AbortSignal;
}

const POLL_MS = 10;
const PATIENCE_MS = 20_000;

/** Rejects with OperationError `NotAnswering` that says how the zone stands. */
export async function awaitZone(running: Composition, options: AwaitZoneOptions): Promise<void> {
  const { zone, clock, stop } = options;
  const deadlineMs = clock.monotonicMs() + PATIENCE_MS;
  const find = () => running.zones().find((status) => status.zone.name === zone);
  while (find()?.state !== "ready" && !stop.aborted) {
    if (clock.monotonicMs() > deadlineMs) throw late(zone, find()?.message ?? null);
    await sleep(clock, POLL_MS, stop);
  }
}

function late(zone: string, message: string | null): OperationError {
  return new OperationError({
    code: "NotAnswering",
    message: `the zone ${zone} was not loaded: ${message ?? "the DNSProvider embedded opened no such zone"}`,
    retry: "never",
  });
}
