/**
 * What a session knows by name, as it last read or wrote it: ids, ETags, references, forms.
 * Bounded: the oldest names go first, so that any may be missing and is read before it is written.
 * What is out of date is refused by the API. Nothing here knows an API.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Zone } from "../../model/zone.ts";

/** Items of all zones; 50 to 60 MB, as measured for the largest of them. */
const ITEMS_MAX = 100_000;
/** A full one drops this part of its items at once. */
const DROPPED_SHARE = 1 / 8;

type Names<T> = Map<DnsName, readonly T[]>;

/** One for each session. */
export class KnownNames<T> {
  readonly #itemsMax: number;
  /** By zone id; the zone that was read first and its oldest name come first. */
  readonly #zones = new Map<string, Names<T>>();
  #size = 0;

  constructor(itemsMax = ITEMS_MAX) {
    this.#itemsMax = itemsMax;
  }

  /** Null = the name was not read; an item that is missing in a list may still exist. */
  at({ id }: Pick<Zone, "id">, name: DnsName): readonly T[] | null {
    return this.#zones.get(id)?.get(name) ?? null;
  }

  /** Replaces what is known of the name. */
  put(zone: Pick<Zone, "id">, name: DnsName, items: readonly T[]): void {
    this.forget(zone, name);
    const names = this.#zones.get(zone.id) ?? new Map<DnsName, readonly T[]>();
    this.#zones.set(zone.id, names.set(name, items));
    this.#size += sizeOf(items);
    if (this.#size > this.#itemsMax) this.#drop();
  }

  /** What became of the name is not known: it must be read. */
  forget({ id }: Pick<Zone, "id">, name: DnsName): void {
    const items = this.#zones.get(id)?.get(name);
    if (items === undefined) return;
    this.#zones.get(id)?.delete(name);
    this.#size -= sizeOf(items);
  }

  forgetZone({ id }: Pick<Zone, "id">): void {
    for (const items of this.#zones.get(id)?.values() ?? []) this.#size -= sizeOf(items);
    this.#zones.delete(id);
  }

  /** Some at once: the way to the oldest key of a Map leads over all that were deleted before. */
  #drop(): void {
    const kept = this.#itemsMax - Math.floor(this.#itemsMax * DROPPED_SHARE);
    for (const [id, names] of this.#zones)
      for (const name of names.keys()) {
        if (this.#size <= kept) return;
        this.forget({ id }, name);
      }
  }
}

/** A name without items takes room as well. */
function sizeOf(items: readonly unknown[]): number {
  return Math.max(1, items.length);
}
