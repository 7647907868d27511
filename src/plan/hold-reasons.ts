/**
 * Every reason why a wanted change is not made, in one table; the docs page and entry states come from it.
 * No reason maps to Invalid (Z-19). Nothing here decides whether a change is held.
 */
import type { Provenance } from "../model/provenance.ts";
import type { RecordSetKey } from "../model/record-set.ts";
import type { Hold } from "./changes.ts";

/** The DNSEntry state that a hold leads to; `Ready` = what the user asked for stands. */
export type HeldState = "Ready" | "Stale" | "Error" | "Pending";

/** Who can end a hold: the author of the object, whoever runs Zonekeeper, or time alone. */
export type Turn = "user" | "operator" | "nobody";

/** What people read about one reason. */
export interface HoldReason {
  readonly meaning: string;
  readonly remedy: string;
  readonly state: HeldState;
  readonly turn: Turn;
}

/** The table, by code. */
export const HOLD_REASONS = {
  ForeignRecord: {
    meaning: "A record that is not ours stands at the name and must not be changed.",
    remedy: "Choose another name, remove that record yourself, or adopt it by listing it.",
    state: "Error",
    turn: "user",
  },
  ForeignMarker: {
    meaning: "Another owner has marked the name, although no record stands there yet.",
    remedy: "Ask that owner to give the name up, or remove the marker if its owner is gone.",
    state: "Error",
    turn: "operator",
  },
  Contested: {
    meaning: "Two markers with different owners claim the record; nobody writes.",
    remedy: "Remove the marker of the owner that is wrong.",
    state: "Stale",
    turn: "operator",
  },
  Superseded: {
    meaning: "Another object that comes first in the conflict order has the name.",
    remedy: "Remove the name from one of the two objects.",
    state: "Error",
    turn: "user",
  },
  OwnerInactive: {
    meaning: "The object asks for an owner id that this instance does not act for.",
    remedy: "Correct the owner id, or activate it with a DNSOwner.",
    state: "Stale",
    turn: "operator",
  },
  UnmanagedType: {
    meaning: "Records of this type are not managed here.",
    remedy: "Add the type to the managed types.",
    state: "Error",
    turn: "operator",
  },
  PolicyForbids: {
    meaning: "The policy of the zone does not allow this change.",
    remedy: "Make the change by hand, or choose the policy sync.",
    state: "Stale",
    turn: "operator",
  },
  Delegated: {
    meaning: "The name lies in a part of the zone that is delegated to other servers.",
    remedy:
      "Give Zonekeeper access to the delegated zone, with the NS records of its apex as the delegation has them or listed by name in spec.zones.include; or choose another name.",
    state: "Error",
    turn: "user",
  },
  NoMarkerPossible: {
    meaning: "No ownership marker can be written for the record, so the record is not written.",
    remedy: "Shorten the name, or free one of its marker names.",
    state: "Error",
    turn: "user",
  },
  MarkerTooLong: {
    meaning: "The ownership marker would have more than 255 bytes.",
    remedy: "Shorten the owner id or the namespace.",
    state: "Error",
    turn: "operator",
  },
  MarkerShared: {
    meaning:
      "Our marker shares its record set with a text that is not ours and must not be touched.",
    remedy: "Move the other text to another name.",
    state: "Stale",
    turn: "operator",
  },
  LooksLikeMarker: {
    meaning:
      "The wanted text has the form of an ownership marker, which only the program may write.",
    remedy: "Change the text.",
    state: "Error",
    turn: "user",
  },
  NameInUse: {
    meaning: "A marker or another record stands where the record is wanted.",
    remedy: "Choose another name, or remove what stands there.",
    state: "Error",
    turn: "user",
  },
  NoTargets: {
    meaning: "The object is alive but has no address now; what was published stays.",
    remedy: "Wait for the load balancer, or remove the name from the object.",
    state: "Stale",
    turn: "nobody",
  },
  Unresolved: {
    meaning: "A target could not be resolved; the last answer stays.",
    remedy: "Correct the target, or wait until it resolves.",
    state: "Stale",
    turn: "user",
  },
  SourceUnknown: {
    meaning: "The source could not say whether the name is wanted.",
    remedy: "Wait until the cluster answers again.",
    state: "Stale",
    turn: "nobody",
  },
  SourceIncomplete: {
    meaning: "The object could not be read completely, so nothing of it is removed.",
    remedy: "Correct what its condition names.",
    state: "Stale",
    turn: "user",
  },
  SourceAlive: {
    meaning: "The object in the marker is alive, and it is not known that it gave the name up.",
    remedy: "Remove the name from the object, or delete the object.",
    state: "Stale",
    turn: "user",
  },
  NotSynced: {
    meaning: "Not every kind of object that could want the name has been listed yet.",
    remedy: "Wait until the clusters are listed; see the conditions if it lasts.",
    state: "Pending",
    turn: "nobody",
  },
  KindGone: {
    meaning: "The kind of the object in the marker is gone from its cluster or may not be read.",
    remedy: "Restore the kind or the permission, or drop the source from the configuration.",
    state: "Stale",
    turn: "operator",
  },
  ClusterUnknown: {
    meaning: "The cluster in the marker is not connected.",
    remedy: "Connect the cluster, or drain it by name.",
    state: "Stale",
    turn: "operator",
  },
  FuseTripped: {
    meaning: "Too many changes at once; a person has to approve this very set.",
    remedy: "Look at the set and approve its hash, or bring the objects back.",
    state: "Stale",
    turn: "operator",
  },
  FuseBlind: {
    meaning: "The counters of the fuse cannot be read or stored, so nothing is removed.",
    remedy:
      "Allow get, create and update of ConfigMaps in the Lease's namespace, or repair what the message names.",
    state: "Stale",
    turn: "operator",
  },
  MovedUnconfirmed: {
    meaning:
      "The name moves to another zone, and that zone was not seen to hold it; it stays here.",
    remedy: "Wait until the other zone is written; see what is reported about it if it lasts.",
    state: "Ready",
    turn: "nobody",
  },
  GlueNeeded: {
    meaning: "The name moved to a delegated zone, but is that of a server of the delegation.",
    remedy: "Nothing; the address here is how resolvers find the delegated zone.",
    state: "Ready",
    turn: "nobody",
  },
  MaybeSameZone: {
    meaning: "Two providers seem to show the same zone; nothing is removed from either.",
    remedy: "Exclude the zone from one of the two providers.",
    state: "Stale",
    turn: "operator",
  },
  UnsupportedByProvider: {
    meaning: "The provider cannot take the record.",
    remedy: "Correct what the message names.",
    state: "Error",
    turn: "user",
  },
  Paused: {
    meaning: "The zone is paused.",
    remedy: "Resume it.",
    state: "Stale",
    turn: "operator",
  },
} as const satisfies Readonly<Record<string, HoldReason>>;

/** A code of the table. */
export type HoldCode = keyof typeof HOLD_REASONS;

/** The row of a code; null for a code that is not in the table. */
export function holdReason(code: string): HoldReason | null {
  const table: Readonly<Record<string, HoldReason>> = HOLD_REASONS;
  return Object.hasOwn(table, code) ? (table[code] ?? null) : null;
}

/** What a hold says besides its key. */
export interface HoldDetail {
  /** Of the table above, or an absence code that the engine gave. */
  readonly code: string;
  readonly message: string;
  readonly provenance: Provenance | null;
}

/** A hold at a key; takes only the key's own fields of `key`. */
export function holdAt(key: RecordSetKey, detail: HoldDetail): Hold {
  const { name, type, setIdentifier } = key;
  return { key: { name, type, setIdentifier }, ...detail };
}
