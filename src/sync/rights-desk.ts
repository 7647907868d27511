/**
 * What people order about rights in one zone: each order is for one record set and the exact state that they saw. It lives
 * in memory, for a while, and until its record set is not as it was any more: an order is never carried out twice.
 */
import { type RecordSetKey, recordSetKeyText } from "../model/record-set.ts";
import type { OwnedRecordSet } from "../plan/changes.ts";
import { markerState } from "../plan/claims.ts";
import type { RightsOrder } from "../plan/rules.ts";
import type { Clock } from "../ports/clock.ts";

/** How long an order waits for its turn, and for what holds it to end; then a person is to look again. */
export const ORDER_MS = 60_000;
/** Orders of one zone at a time; more are refused. */
export const ORDERS_MAX = 100_000;

/** One order and what it is about. */
export interface RightsRequest {
  readonly key: RecordSetKey;
  readonly order: RightsOrder;
}

/** The orders of one zone. */
export class RightsDesk {
  readonly #clock: Clock;
  readonly #orders = new Map<string, RightsOrder>();
  readonly #names = new Set<string>();
  #untilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Orders by `recordSetKeyText`; empty once their time is over. */
  get orders(): ReadonlyMap<string, RightsOrder> {
    if (this.#orders.size > 0 && this.#clock.monotonicMs() >= this.#untilMs) this.#clear();
    return this.#orders;
  }

  /** Takes orders; a later one for a record set replaces the earlier one. False, and nothing is taken: too many. */
  take(requests: readonly RightsRequest[]): boolean {
    if (this.orders.size + requests.length > ORDERS_MAX) return false;
    for (const { key, order } of requests) {
      this.#orders.set(recordSetKeyText(key), order);
      this.#names.add(key.name);
    }
    this.#untilMs = this.#clock.monotonicMs() + ORDER_MS;
    return true;
  }

  /** True when an order was taken for the name; it is planned then even where everything is as wanted. */
  isAbout(name: string): boolean {
    return this.orders.size > 0 && this.#names.has(name);
  }

  /** What stands at a name now: orders about something else than what stands are over. */
  seen(sets: readonly OwnedRecordSet[]): void {
    if (this.#orders.size === 0) return;
    for (const set of sets) {
      const key = recordSetKeyText(set);
      const order = this.#orders.get(key);
      if (order !== undefined && !isAbout(order, set)) this.#orders.delete(key);
    }
    if (this.#orders.size === 0) this.#clear();
  }

  #clear(): void {
    this.#orders.clear();
    this.#names.clear();
  }
}

function isAbout(order: RightsOrder, { data, marker }: OwnedRecordSet): boolean {
  if (order.is !== "adopt") return marker !== null && markerState(marker) === order.marker;
  return marker === null && JSON.stringify(data?.values) === JSON.stringify(order.values);
}
