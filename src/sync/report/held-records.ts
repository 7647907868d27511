/** What a set that waits for approval is about, in zones as they are now. Reads actors; no I/O. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isSameKey, type RecordSetKey } from "../../model/record-set.ts";
import type { Hold, Marker } from "../../plan/changes.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/** A record set that is held. */
export interface HeldRecord extends RecordSetKey {
  /** Apex. */
  readonly zone: DnsName;
  /** Null = it is not known now. */
  readonly marker: Marker | null;
  /** What is held there; null = it is not planned now. */
  readonly hold: Hold | null;
}

/** The record sets in the sets of this hash; empty = there is no such set. */
export function heldRecords(actors: readonly ZoneActor[], hash: string): readonly HeldRecord[] {
  return actors.flatMap(({ apex, guard, state, ledger }) => {
    const items = guard.heldSets().flatMap((set) => (set.hash === hash ? set.items : []));
    return items.map(({ name, type, setIdentifier }) => {
      const key = { name, type, setIdentifier };
      const present = state?.owned.at(name).find((one) => isSameKey(one, key));
      const hold = ledger.planAt(name)?.holds.find((one) => isSameKey(one.key, key));
      return { zone: apex, ...key, marker: present?.marker ?? null, hold: hold ?? null };
    });
  });
}
