/**
 * Removes Events an hour after they were last seen, and the oldest ones above a number.
 */
import type { Timer } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import { EVENT } from "../../objects/kinds.ts";
import { textAt } from "../json/json.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import type { BackgroundOptions } from "./background-queue.ts";

/** How long an Event is kept, as kube-apiserver does (`--event-ttl`). */
const LIFE_MS = 3_600_000;
/** Time between two sweeps. */
const INTERVAL_MS = 60_000;
/** Events that are kept at most. */
export const EVENTS_MAX = 5000;

/** What expiry needs. Failures go to the log. */
type EventExpiryOptions = Pick<BackgroundOptions, "storage" | "clock"> & { readonly log: Log };

/** Sweeps once a minute until stopped. */
export class EventExpiry {
  readonly #options: EventExpiryOptions;
  #timer: Timer | null = null;

  constructor(options: EventExpiryOptions) {
    this.#options = options;
    this.#arm();
  }

  /** Idempotent. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #arm(): void {
    this.#timer = this.#options.clock.setTimer(INTERVAL_MS, () => {
      this.#arm();
      this.#sweep().catch((error: unknown) => {
        this.#options.log.warn("events could not be removed", { error: String(error) });
      });
    });
  }

  /** One commit for all that are due; an Event that changed meanwhile stays. */
  async #sweep(): Promise<void> {
    const { storage, clock } = this.#options;
    const oldestMs = clock.nowMs() - LIFE_MS;
    const events = [...storage.list(EVENT)].sort((a, b) => lastSeenMs(b) - lastSeenMs(a));
    const due = events.filter((each, index) => index >= EVENTS_MAX || lastSeenMs(each) < oldestMs);
    if (due.length === 0) return;
    await storage.write((transaction) => {
      for (const { metadata } of due) {
        const event = transaction.get(EVENT, metadata.namespace ?? "", metadata.name);
        if (event?.metadata.resourceVersion === metadata.resourceVersion && event !== null)
          transaction.remove(EVENT, event);
      }
    });
  }
}

/** Unix milliseconds of the newest time that the Event has; 0 when it has none. */
function lastSeenMs(event: StoredObject): number {
  const times = [
    textAt(event, "series", "lastObservedTime"),
    textAt(event, "lastTimestamp"),
    textAt(event, "eventTime"),
    event.metadata.creationTimestamp ?? "",
  ];
  return Math.max(0, ...times.map((time) => Date.parse(time)).filter((ms) => !Number.isNaN(ms)));
}
