/** What a set that waits for approval is about, in zones as they are now. Reads actors; no I/O. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isSameKey } from "../../model/record-set.ts";
import type { Marker } from "../../plan/changes.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/** A record set that is held. */
export interface HeldRecord {
  readonly name: DnsName;
  /** Null = it is not known now. */
  readonly marker: Marker | null;
}

/** The record sets in the sets of this hash; empty = there is no such set. */
export function heldRecords(actors: readonly ZoneActor[], hash: string): readonly HeldRecord[] {
  return actors.flatMap(({ guard, state }) => {
    const items = guard.heldSets().flatMap((set) => (set.hash === hash ? set.items : []));
    return items.map((item) => {
      const present = state?.owned.at(item.name).find((one) => isSameKey(one, item));
      return { name: item.name, marker: present?.marker ?? null };
    });
  });
}
