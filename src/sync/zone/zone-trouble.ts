/** Why a zone as a whole cannot be worked on, and when that is tried again. */
import { messageOf, type OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Random } from "@zonekeeper/base/ports/random";
import { KeyedBackOff } from "@zonekeeper/base/timing/back-off";
import type { SyncSettings } from "../contract/settings.ts";
import type { Failure } from "./name-report.ts";

/** Failures in a row of a zone that was read before, until its entries report the failure. */
const ALARM_AFTER = 3;
const ZONE = "zone";

/** Why the zone cannot be worked on, and since when. */
export interface ZoneFailure extends Failure {
  /** Unix milliseconds of the first failure in a row. */
  readonly sinceMs: number;
}

/** The trouble of one zone as a whole. */
export class ZoneTrouble {
  readonly #backOff: KeyedBackOff;
  readonly #mostMs: number;
  readonly #clock: Clock;
  #sinceMs: number | null = null;
  #failure: ZoneFailure | null = null;
  /** Message of the stop that is reported; null = none. */
  #stop: string | null = null;

  constructor(clock: Clock, random: Random, settings: SyncSettings) {
    this.#clock = clock;
    this.#mostMs = settings.zoneRetryMostMs;
    const range = { firstMs: settings.retryFirstMs, maxMs: this.#mostMs };
    this.#backOff = new KeyedBackOff(clock, random, range);
  }

  /** Null = it can be worked on, as far as its entries report it. */
  get failure(): ZoneFailure | null {
    return this.#failure;
  }

  /** Milliseconds until the next try. */
  get waitMs(): number {
    return this.#backOff.waitMs(ZONE);
  }

  /** It is tried again at once. */
  retry(): void {
    this.#backOff.clear(ZONE);
  }

  /**
   * A round went well; true = the entries of the zone reported a failure, or another stop than this
   * one, so that they have to report again. A stop is the fence's: the zone is read, and nothing is
   * written to it (Z-17).
   */
  ended(stop: Failure | null): boolean {
    this.#backOff.clear(ZONE);
    const wasReported = this.#failure !== null || this.#stop !== (stop?.message ?? null);
    this.#failure = null;
    this.#stop = stop?.message ?? null;
    this.#sinceMs = null;
    return wasReported;
  }

  /** A round failed; true = its entries have to report it. `isRead`: the zone was read before. */
  began(error: OperationError, isRead: boolean): boolean {
    const leastMs = error.retry === "never" ? this.#mostMs : (error.retryAfterMs ?? 0);
    this.#backOff.failed(ZONE, leastMs);
    this.#sinceMs ??= this.#clock.nowMs();
    // One lost poll of a zone that was read before is no reason to alarm all its entries.
    if (isRead && this.#backOff.failures(ZONE) < ALARM_AFTER) return false;
    this.#failure = { code: error.code, message: messageOf(error), sinceMs: this.#sinceMs };
    return true;
  }
}
