/**
 * Notices changes of the name servers at an open apex, in its own zone or in one above it (Z-18):
 * after such a change another zone may be in charge of names. Reads only the apexes among the
 * changed names, so that a busy zone costs nothing.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type ZoneKey, zoneKeyText } from "../contract/zone.ts";
import { cutIn, type ReadZone } from "./zone-cut.ts";

/** The part of an open zone that is read. */
export interface OpenZone extends ReadZone {
  readonly key: ZoneKey;
}

/** Remembers one text for each pair of open zones: a zone, and an apex in it. */
export class CutWatch {
  readonly #listeners = new Set<() => void>();
  readonly #cuts = new Map<string, string>();

  /** The answer ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * `names` = those of the zone whose records may have changed. Calls each listener at most once.
   */
  changed(zone: OpenZone, names: Iterable<DnsName>, apexes: ReadonlySet<DnsName>): void {
    let changes = 0;
    for (const name of names) if (apexes.has(name) && this.#isNew(zone, name)) changes += 1;
    if (changes > 0) for (const listener of this.#listeners) listener();
  }

  /** The zone was closed; opened again it is new. */
  forget(key: ZoneKey): void {
    for (const id of [...this.#cuts.keys()])
      if (id.startsWith(prefixOf(key))) this.#cuts.delete(id);
  }

  #isNew(zone: OpenZone, apex: DnsName): boolean {
    const id = `${prefixOf(zone.key)}${apex}`;
    const text = JSON.stringify(cutIn(zone, apex));
    if (this.#cuts.get(id) === text) return false;
    this.#cuts.set(id, text);
    return true;
  }
}

function prefixOf(key: ZoneKey): string {
  return `${zoneKeyText(key)}|`;
}
