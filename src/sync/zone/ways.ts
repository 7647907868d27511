/**
 * The ways into one zone that are proven to lead there (Z-18), and which object uses which: an
 * object's changes go through the account that contributed it. Reads go through one way, and
 * through another one when that fails. The zone keeps its name, registry and rules when its first
 * way is left.
 */
import type { OperationError } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isMarkOf, isSameObject, type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import { isSameKey } from "../../model/record-set.ts";
import type { ChangeGroup, KeyChange } from "../../plan/changes.ts";
import { type DesiredIndex, namesOf } from "../cache/desired-index.ts";
import type { ZoneBudget } from "../calls/account-budget.ts";
import type { Contribution } from "../contract/contribution.ts";
import type { WayFailure, ZoneKey } from "../contract/zone.ts";
import type { Way } from "./way.ts";

/** The ways of one zone; there is always at least one. */
export class Ways {
  readonly #first: string;
  readonly #all = new Map<string, Way>();
  /** Ids of ways by object, the latest last. Absent = the first way alone, as in most zones. */
  readonly #users = new Map<string, readonly string[]>();
  #readWay: Way;

  constructor(first: Way) {
    this.#first = first.id;
    this.#all.set(first.id, first);
    this.#readWay = first;
  }

  /** The way that reads go through. */
  get readWay(): Way {
    return this.#readWay;
  }

  get size(): number {
    return this.#all.size;
  }

  all(): readonly Way[] {
    return [...this.#all.values()];
  }

  keys(): readonly ZoneKey[] {
    return this.all().map(({ key }) => key);
  }

  get(id: string): Way | null {
    return this.#all.get(id) ?? null;
  }

  add(way: Way): void {
    this.#all.set(way.id, way);
  }

  /**
   * Removes a way; the caller releases the objects that used it. True = reads go through another
   * one from now on.
   */
  remove(id: string): boolean {
    this.#all.delete(id);
    const [next] = this.#all.values();
    if (this.#readWay.id !== id || next === undefined) return false;
    this.#readWay = next;
    return true;
  }

  /**
   * A read failed: the way that failed least is read. True = that is another one than before.
   * `isRead`: the zone was read before.
   */
  readFailed(error: OperationError, isRead: boolean): boolean {
    const before = this.#readWay;
    before.failed(error, isRead);
    /* clause: answering-way-reads */ for (const way of this.#all.values())
      if (way.failures < this.#readWay.failures) this.#readWay = way;
    return this.#readWay !== before;
  }

  /** The object contributed through this way. `isKnown`: it contributed to the zone before. */
  use(object: ObjectKey, id: string, isKnown: () => boolean): void {
    const key = objectKeyText(object);
    const before = this.#users.get(key);
    if (before === undefined && id === this.#first) return;
    const known = before ?? (isKnown() ? [this.#first] : []);
    this.#users.set(key, [...known.filter((other) => other !== id), id]);
  }

  /**
   * The object contributes nothing through this way any more (null = through any); true = it uses
   * no other one.
   */
  release(object: ObjectKey, id: string | null): boolean {
    const key = objectKeyText(object);
    const before = this.#idsOf(key);
    const rest = id === null ? [] : before.filter((other) => other !== id);
    if (rest.length === 0) this.#users.delete(key);
    else if (rest.length < before.length) this.#users.set(key, rest);
    return rest.length === 0;
  }

  /** The keys through which the object contributed. */
  keysOf(object: ObjectKey): readonly ZoneKey[] {
    return this.#waysOf(object).map(({ key }) => key);
  }

  /** The failure of the way that the object's changes go through; null = none is known. */
  failureOf(object: ObjectKey): WayFailure | null {
    return this.size === 1 ? null : (this.#waysOf(object).at(-1)?.failure ?? null);
  }

  /** Names that objects list whose changes go through this way. */
  namesOf(way: Way, index: DesiredIndex): readonly DnsName[] {
    const own = [...index.all()].filter(({ object }) => this.#waysOf(object).at(-1) === way);
    return own.flatMap(namesOf);
  }

  /**
   * The way of the object that gets the record, or that gives it up; else the one of reads.
   * `listing` = contributions that list the name.
   */
  wayOf({ keys }: ChangeGroup, listing: () => readonly Contribution[]): Way {
    if (this.size === 1) return this.#readWay;
    const contributions = listing();
    const user =
      contributions.find((one) => keys.some((key) => isWinner(one, key))) ??
      contributions.find(({ object, found }) =>
        keys.some(({ current }) =>
          [object, ...found.items.map(({ provenance }) => provenance)].some((one) =>
            isMarkOf(current?.marker ?? null, one),
          ),
        ),
      ) ??
      contributions[0];
    return (user && this.#waysOf(user.object).at(-1)) ?? this.#readWay;
  }

  #waysOf(object: ObjectKey): readonly Way[] {
    return this.#idsOf(objectKeyText(object)).flatMap((id) => this.#all.get(id) ?? []);
  }

  #idsOf(key: string): readonly string[] {
    return this.#users.get(key) ?? [this.#first];
  }
}

function isWinner({ object, found }: Contribution, { desired, key }: KeyChange): boolean {
  if (desired === null) return false;
  const isIt = (one: ObjectKey): boolean => isSameObject(one, desired.provenance);
  return isIt(object) || found.items.some((item) => isSameKey(item, key) && isIt(item.provenance));
}

/** The budget of the way that reads go through now. */
export function budgetOf(ways: () => Ways): ZoneBudget {
  const now = (): ZoneBudget => ways().readWay.budget;
  return {
    read: () => now().read(),
    write: (changes) => now().write(changes),
    loaded: (zone, pages) => now().loaded(zone, pages),
    reloadMs: () => now().reloadMs(),
    pollMs: () => now().pollMs(),
    slowDown: (afterMs) => now().slowDown(afterMs),
    use: () => now().use(),
  };
}
