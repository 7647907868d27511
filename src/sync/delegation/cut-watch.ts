/**
 * Notices when the name servers at an apex that is open become others, in that zone or in one above
 * it (SAFETY Z-18): then another zone may be in charge of names. Looks only at apexes that moved,
 * so that a busy zone costs nothing.
 */
import type { DnsName } from "../../model/dns-name.ts";
import type { ZoneCut, ZoneKey } from "../contract/zone.ts";

/** A zone that is open, as far as cuts go. */
export interface OpenZone {
  readonly key: ZoneKey;
  readonly apex: DnsName;
  /** Null = not read yet. */
  cutOf(name: DnsName): ZoneCut | null;
}

/**
 * Remembers one text for each pair of zone and apex; both are bounded by the zones that are open.
 */
export class CutWatch {
  readonly #listeners = new Set<() => void>();
  readonly #seen = new Map<string, string>();

  /** Answers how to stop being told. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * `moved` = names of that zone whose records may be others than before. Tells the listeners at
   * most once.
   */
  moved(zone: OpenZone, moved: Iterable<DnsName>, apexes: ReadonlySet<DnsName>): void {
    let changed = 0;
    for (const name of moved) if (apexes.has(name) && this.#isNew(zone, name)) changed += 1;
    if (changed > 0) for (const listener of this.#listeners) listener();
  }

  /** The zone was closed; opened again it is new. */
  forget(key: ZoneKey): void {
    for (const id of [...this.#seen.keys()])
      if (id.startsWith(prefixOf(key))) this.#seen.delete(id);
  }

  #isNew(zone: OpenZone, apex: DnsName): boolean {
    const id = `${prefixOf(zone.key)}${apex}`;
    const text = JSON.stringify(zone.cutOf(apex));
    if (this.#seen.get(id) === text) return false;
    this.#seen.set(id, text);
    return true;
  }
}

function prefixOf({ account, zone }: ZoneKey): string {
  return `${account}|${zone}|`;
}
