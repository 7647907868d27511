/** The record sets of a held set, which waits for approval, as zones are now. No I/O. */
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
  /** The hold at its key; null = nothing is held there now. */
  readonly hold: Hold | null;
  /** Since when the name is not as wanted, in this process, Unix milliseconds; null = not known. */
  readonly sinceMs: number | null;
  /** How its object was edited last; absent = not known. */
  readonly edit?: ObjectEdit;
}

/** What the API server tells of the last edit of an object. */
export interface ObjectEdit {
  /** Field manager; absent = not known, or it is this program. */
  readonly editor?: string;
  /** When its deletion was ordered, Unix milliseconds; absent = it was not deleted. */
  readonly deletedAtMs?: number;
}

/** The record sets in the sets of this hash; empty = there is no such set. */
export function heldRecords(actors: readonly ZoneActor[], hash: string): readonly HeldRecord[] {
  return actors.flatMap(({ apex, guard, state, ledger }) => {
    const items = guard.heldSets().flatMap((set) => (set.hash === hash ? set.items : []));
    return items.map(({ name, type, setIdentifier }) => {
      const key = { name, type, setIdentifier };
      const present = state?.owned.at(name).find((one) => isSameKey(one, key));
      const hold = ledger.planAt(name)?.holds.find((one) => isSameKey(one.key, key));
      const sinceMs = ledger.openSinceMs(name);
      return { zone: apex, ...key, marker: present?.marker ?? null, hold: hold ?? null, sinceMs };
    });
  });
}
