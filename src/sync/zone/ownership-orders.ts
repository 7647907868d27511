/**
 * Orders of people about ownership in one zone. Each order is for one record set in the exact state
 * that the person saw. It is kept in memory until it expires or its record set changes: an order is
 * never carried out twice.
 */

import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { recordSetKeyText } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import { markerState } from "../../plan/claims.ts";
import type { OrderedChange } from "../../plan/rules.ts";
import type { OwnershipOrder } from "../contract/ownership-rows.ts";

/** How long an order waits to be carried out, milliseconds; then a person has to decide again. */
export const ORDER_MS = 60_000;
/** Orders of one zone at a time; more are refused. */
export const ORDERS_MAX = 100_000;

/** The name of an order, and until when it counts. */
interface Expiry {
  readonly name: DnsName;
  /** Of the monotonic clock. */
  readonly untilMs: number;
}

/** The orders of one zone. */
export class OwnershipOrders {
  readonly #clock: Clock;
  readonly #onExpired: (names: readonly DnsName[]) => void;
  readonly #byKey = new Map<string, OrderedChange>();
  /** Of the same keys, in the order in which they expire: all orders have the same time. */
  readonly #expiries = new Map<string, Expiry>();
  #names: ReadonlySet<DnsName> = new Set();
  #timer: Timer | null = null;

  /**
   * `onOver`: told the names of orders whose time is over, which are planned without them from now
   * on.
   */
  constructor(clock: Clock, onExpired: (names: readonly DnsName[]) => void = () => undefined) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  /** Orders by `recordSetKeyText`; each is gone once its time is over. */
  get byKey(): ReadonlyMap<string, OrderedChange> {
    return this.#byKey;
  }

  /**
   * Takes orders; a later one for a record set replaces the earlier one, and gives no other order
   * more time. False, and nothing is taken: too many.
   */
  take(requests: readonly OwnershipOrder[]): boolean {
    if (this.#byKey.size + requests.length > ORDERS_MAX) return false;
    const untilMs = this.#clock.monotonicMs() + ORDER_MS;
    for (const { key, order } of requests) {
      const text = recordSetKeyText(key);
      this.#drop(text);
      this.#byKey.set(text, order);
      this.#expiries.set(text, { name: key.name, untilMs });
    }
    this.#scheduleExpiry();
    return true;
  }

  /**
   * True when an order was taken for the name; it is planned then even where everything is as
   * wanted.
   */
  isAbout(name: DnsName): boolean {
    return this.#names.has(name);
  }

  /** Takes the current record sets of a name: drops orders for another state of them. */
  dropOutdated(sets: readonly OwnedRecordSet[]): void {
    if (this.#byKey.size === 0) return;
    for (const set of sets) {
      const key = recordSetKeyText(set);
      const order = this.#byKey.get(key);
      if (order !== undefined && !isAbout(order, set)) this.#drop(key);
    }
    if (this.#byKey.size === 0) this.close();
  }

  /** Forgets all orders. */
  close(): void {
    this.#byKey.clear();
    this.#expiries.clear();
    this.#scheduleExpiry();
  }

  #drop(key: string): void {
    this.#byKey.delete(key);
    this.#expiries.delete(key);
  }

  /** Ends those whose time is over. */
  #expire(): void {
    const nowMs = this.#clock.monotonicMs();
    const expired = new Set<DnsName>();
    for (const [key, { name, untilMs }] of this.#expiries) {
      if (untilMs > nowMs) break;
      this.#drop(key);
      expired.add(name);
    }
    this.#scheduleExpiry();
    if (expired.size > 0) this.#onExpired([...expired]);
  }

  /** Renews the names of all orders, and the timer of the order that expires next. */
  #scheduleExpiry(): void {
    this.#timer?.cancel();
    this.#names = new Set([...this.#expiries.values()].map(({ name }) => name));
    const [first] = this.#expiries.values();
    const delayMs = first === undefined ? null : first.untilMs - this.#clock.monotonicMs();
    this.#timer =
      delayMs === null ? null : this.#clock.setTimer(Math.max(0, delayMs), () => this.#expire());
  }
}

function isAbout(order: OrderedChange, { data, marker }: OwnedRecordSet): boolean {
  if (order.is !== "adopt") return marker !== null && markerState(marker) === order.marker;
  return marker === null && isSameJson(data?.values, order.values);
}
