/**
 * Orders of people about ownership in one zone. Each order is for one record set in the exact state
 * that the person saw. It is kept in memory until it expires or its record set changes: an order is
 * never carried out twice.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  type DesiredRecordSet,
  hasSameData,
  isSameKey,
  type RecordSet,
  type RecordSetKey,
  recordSetKeyText,
} from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import { markerState } from "../../plan/claims.ts";
import { isPending } from "../../plan/pending.ts";
import type { OrderedChange, UndoOrder } from "../../plan/rules.ts";
import type { OwnershipOrder } from "../contract/ownership-rows.ts";

/** How long an order waits to be carried out, milliseconds; then a person has to decide again. */
export const ORDER_MS = 60_000;
/** How long an order to undo changes waits: the fuse may ask a person about a part of it. */
export const UNDO_MS = 15 * 60_000;
/** Orders of one zone at a time; more are refused. */
export const ORDERS_MAX = 100_000;

/** The key of an order, and until when it counts. */
interface Expiry {
  readonly key: RecordSetKey;
  /** By the monotonic clock. */
  readonly untilMs: number;
}

/** A key where a change of ours is to be undone. */
export interface UndoneKey {
  readonly key: RecordSetKey;
  /** Null = there is to be no record set. */
  readonly to: DesiredRecordSet | null;
}

/** The orders of one zone. */
export class OwnershipOrders {
  readonly #clock: Clock;
  readonly #onExpired: (names: readonly DnsName[]) => void;
  readonly #byKey = new Map<string, OrderedChange>();
  /** When the order of each key expires. */
  readonly #expiries = new Map<string, Expiry>();
  #names: ReadonlyMap<DnsName, readonly RecordSetKey[]> = new Map();
  #timer: Timer | null = null;

  /**
   * `onExpired`: called with the names of orders whose time is over; they are planned without these
   * orders from now on.
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
    const nowMs = this.#clock.monotonicMs();
    for (const { key, order } of requests) {
      const text = recordSetKeyText(key);
      this.#drop(text);
      this.#byKey.set(text, order);
      this.#expiries.set(text, {
        key,
        untilMs: nowMs + (order.is === "undo" ? UNDO_MS : ORDER_MS),
      });
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
  dropOutdated(name: DnsName, sets: readonly OwnedRecordSet[]): void {
    for (const key of this.#names.get(name) ?? []) {
      const order = this.#byKey.get(recordSetKeyText(key));
      const set = sets.find((one) => isSameKey(one, key)) ?? null;
      if (order !== undefined && !isAbout(order, set)) this.#drop(recordSetKeyText(key));
    }
    if (this.#byKey.size === 0) this.close();
  }

  /** What is to be undone at the name. */
  undoneAt(name: DnsName): readonly UndoneKey[] {
    return (this.#names.get(name) ?? []).flatMap((key) => {
      const order = this.#byKey.get(recordSetKeyText(key));
      return order?.is === "undo" ? [{ key, to: order.to }] : [];
    });
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

  /** Ends the orders whose time is over. */
  #expire(): void {
    const nowMs = this.#clock.monotonicMs();
    const expired = new Set<DnsName>();
    for (const [text, { key, untilMs }] of this.#expiries) {
      if (untilMs > nowMs) continue;
      this.#drop(text);
      expired.add(key.name);
    }
    this.#scheduleExpiry();
    if (expired.size > 0) this.#onExpired([...expired]);
  }

  /** Renews the names of all orders, and the timer of the order that expires next. */
  #scheduleExpiry(): void {
    this.#timer?.cancel();
    const names = new Map<DnsName, RecordSetKey[]>();
    let firstMs = Number.POSITIVE_INFINITY;
    for (const { key, untilMs } of this.#expiries.values()) {
      firstMs = Math.min(firstMs, untilMs);
      const keys = names.get(key.name);
      if (keys === undefined) names.set(key.name, [key]);
      else keys.push(key);
    }
    this.#names = names;
    const delayMs = Math.max(0, firstMs - this.#clock.monotonicMs());
    this.#timer = names.size === 0 ? null : this.#clock.setTimer(delayMs, () => this.#expire());
  }
}

/** True while the order is for this state of the record set; null = neither data nor marker. */
function isAbout(order: OrderedChange, set: OwnedRecordSet | null): boolean {
  if (order.is === "undo") return isToUndo(order, set);
  if (set === null) return true;
  const { data, marker } = set;
  if (order.is !== "adopt") return marker !== null && markerState(marker) === order.marker;
  return marker === null && isSameJson(data?.values, order.values);
}

/** True until the undo is done, or somebody else has changed the record set since our change. */
function isToUndo({ from, to }: UndoOrder, set: OwnedRecordSet | null): boolean {
  // In the middle of its own sequence (Z-10).
  if (set?.marker && isPending(set.marker.labels)) return true;
  const data = set?.data ?? null;
  return !isSameSet(data, to) && /* clause: undo-compares-what-is-there */ isSameSet(data, from);
}

/** TTL and data. A TTL of null equals any. */
export function isSameSet(
  a: RecordSet | null,
  b: (Omit<RecordSet, "ttlSeconds"> & { readonly ttlSeconds: number | null }) | null,
): boolean {
  if (a === null || b === null) return a === b;
  return hasSameData(a, b) && (b.ttlSeconds === null || a.ttlSeconds === b.ttlSeconds);
}
