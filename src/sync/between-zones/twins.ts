/**
 * Zones that are possibly the same zone (Z-18): once found, a pair stays until one of them is
 * closed.
 */
import type { Zone } from "../../model/zone.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";
import { type ApexView, twinOf } from "./twin-zone.ts";

/** Of all open zones, by their ids. */
export class Twins {
  /** Both ways. */
  readonly #alike = new Map<string, Set<string>>();

  /**
   * A zone that is possibly the same as the one with this id; null = none. Two snapshots of one
   * zone may differ because one is older, so a pair once found stays.
   */
  of(id: string, actors: ReadonlyMap<string, ZoneActor>): Zone | null {
    const one = actors.get(id);
    if (one === undefined || actors.size < 2) return null;
    const known = [...actors].find(([other]) => this.#areAlike(id, other));
    if (known !== undefined) return known[1].zoneInput.zone;
    const others = [...actors].filter(([other]) => other !== id);
    const zone = twinOf(
      apexOf(one),
      others.map(([, actor]) => apexOf(actor)),
    );
    for (const [other, { zoneInput }] of others) if (zoneInput.zone === zone) this.#met(id, other);
    return zone;
  }

  /** The zone was closed: forgets its pairs. */
  closed(id: string): void {
    this.#alike.delete(id);
    for (const others of this.#alike.values()) others.delete(id);
  }

  #areAlike(id: string, other: string): boolean {
    return this.#alike.get(id)?.has(other) === true;
  }

  #met(id: string, other: string): void {
    for (const [one, two] of [
      [id, other],
      [other, id],
    ] as const)
      this.#alike.set(one, (this.#alike.get(one) ?? new Set()).add(two));
  }
}

function apexOf({ zoneInput: { zone }, state }: ZoneActor): ApexView {
  return { zone, apex: state?.table.at(zone.name) ?? null };
}
