/**
 * What people order about rights in one zone: each order is for one record set and the exact state that they saw. It lives
 * in memory, for a while, and until its record set is not as it was any more: an order is never carried out twice.
 */
import type { DnsName } from "../model/dns-name.ts";
import { type RecordSetKey, recordSetKeyText } from "../model/record-set.ts";
import type { OwnedRecordSet } from "../plan/changes.ts";
import { markerState } from "../plan/claims.ts";
import type { RightsOrder } from "../plan/rules.ts";
import type { Clock, Timer } from "../ports/clock.ts";

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
  readonly #onOver: (names: readonly DnsName[]) => void;
  readonly #orders = new Map<string, RightsOrder>();
  readonly #names = new Set<DnsName>();
  #timer: Timer | null = null;

  /** `onOver`: told the names of orders whose time is over, which are planned without them from now on. */
  constructor(clock: Clock, onOver: (names: readonly DnsName[]) => void = () => undefined) {
    this.#clock = clock;
    this.#onOver = onOver;
  }

  /** Orders by `recordSetKeyText`; empty once their time is over. */
  get orders(): ReadonlyMap<string, RightsOrder> {
    return this.#orders;
  }

  /** Takes orders; a later one for a record set replaces the earlier one. False, and nothing is taken: too many. */
  take(requests: readonly RightsRequest[]): boolean {
    if (this.#orders.size + requests.length > ORDERS_MAX) return false;
    for (const { key, order } of requests) {
      this.#orders.set(recordSetKeyText(key), order);
      this.#names.add(key.name);
    }
    this.#timer?.cancel();
    this.#timer = this.#clock.setTimer(ORDER_MS, () => {
      const names = [...this.#names];
      this.close();
      this.#onOver(names);
    });
    return true;
  }

  /** True when an order was taken for the name; it is planned then even where everything is as wanted. */
  isAbout(name: DnsName): boolean {
    return this.#names.has(name);
  }

  /** What stands at a name now: orders about something else than what stands are over. */
  seen(sets: readonly OwnedRecordSet[]): void {
    if (this.#orders.size === 0) return;
    for (const set of sets) {
      const key = recordSetKeyText(set);
      const order = this.#orders.get(key);
      if (order !== undefined && !isAbout(order, set)) this.#orders.delete(key);
    }
    if (this.#orders.size === 0) this.close();
  }

  /** Forgets all orders. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#orders.clear();
    this.#names.clear();
  }
}

function isAbout(order: RightsOrder, { data, marker }: OwnedRecordSet): boolean {
  if (order.is !== "adopt") return marker !== null && markerState(marker) === order.marker;
  return marker === null && JSON.stringify(data?.values) === JSON.stringify(order.values);
}
