/**
 * How an entry leaves zones that it contributed to before: never before the new place is published.
 * Pure.
 */
import { type DnsName, isAtOrBelow } from "../../model/dns-name.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import {
  type Assignment,
  type EntryContext,
  isSameZone,
  type NewContribution,
  type StatusZone,
  zonesOf,
} from "./entry-context.ts";

/** What becomes of the zones that are not the entry's any more. */
export interface Leaving {
  readonly send: readonly NewContribution[];
  readonly unroute: readonly ZoneKey[];
  /**
   * The stored status may name the new place: nothing is wanted any more where the entry was
   * before.
   */
  readonly isDone: boolean;
}

/** The zone that is chosen now, and how the entry stands in it. */
export interface Target {
  readonly contribution: Contribution;
  readonly key: ZoneKey;
  readonly apex: DnsName;
  readonly isPublished: boolean;
}

/**
 * Zones the entry contributed to before, of three kinds. *Renamed*: the old name was taken out of
 * the spec; the contribution to the new place is the proof that it is omitted, and the old route
 * goes. *Moved*: the same name, now in a zone of another apex, which cannot be the same zone; its
 * records go once the engine has read the new ones (Z-18).
 * *Namesakes*: the same apex under another account; that is no proof (Z-2) and may be the very same zone: kept equal.
 */
export function leave(
  world: EntryContext,
  items: readonly DesiredRecordSet[],
  target: Target,
): Leaving {
  const others = zonesOf(world).filter((zone) => !isSameZone(zone.key, target.key));
  const renamed = others.filter((zone) => !isNamedIn(items, zone));
  const namesakes = others.filter((zone) => isNamedIn(items, zone) && zone.zone === target.apex);
  const moved = others.filter((zone) => isNamedIn(items, zone) && zone.zone !== target.apex);
  const equal = namesakes.map((zone) => sendingTo(zone, target.contribution));
  if (!target.isPublished)
    return {
      send: [...equal, ...moved.map((zone) => sendingTo(zone, target.contribution))],
      unroute: [],
      isDone: renamed.length + moved.length === 0,
    };
  const routed = renamed.filter((zone) => routeOf(world, zone) !== null);
  const isCleared = (zone: StatusZone): boolean => hasCleared(routeOf(world, zone), target);
  const farewell = { ...target.contribution, movedTo: target.key };
  const open = moved.filter((zone) => !isCleared(zone));
  return {
    send: [...equal, ...open.map((zone) => sendingTo(zone, farewell))],
    unroute: [...routed, ...moved.filter(isCleared)].map(({ key }) => key),
    isDone: routed.length + open.length === 0,
  };
}

/** Nothing of the entry is left in the zone that it moved away from. */
function hasCleared(route: Assignment | null, target: Target): boolean {
  const { movedTo } = route?.contribution ?? {};
  if (movedTo === undefined || !isSameZone(movedTo, target.key)) return false;
  return route?.report?.names.length === 0;
}

function routeOf(world: EntryContext, zone: StatusZone): Assignment | null {
  return world.assignments.find((route) => isSameZone(route.key, zone.key)) ?? null;
}

function isNamedIn(items: readonly DesiredRecordSet[], zone: { readonly zone: DnsName }): boolean {
  return items.some((item) => isAtOrBelow(item.name, zone.zone));
}

function sendingTo(zone: StatusZone, contribution: Contribution): NewContribution {
  return { key: zone.key, zone: zone.zone, contribution };
}
