/**
 * Every reason why a wanted change is not made, in one table; the docs page and entry states come
 * from it. No reason maps to Invalid (Z-19). Nothing here decides whether a change is held.
 */

import { printable } from "../model/printable.ts";
import type { Provenance } from "../model/provenance.ts";
import type { RecordSetKey } from "../model/record-set.ts";
import type { Hold } from "./changes.ts";
import type { HeldStates, HoldReason } from "./hold-reason.ts";

/** Somebody has to do something before the record can be written. */
const REFUSED: HeldStates = { absent: "Error", present: "Stale" };
/** It is written as soon as what it waits for has happened. */
const DEFERRED: HeldStates = { absent: "Pending", present: "Stale" };

/** What the user asked for stands elsewhere; only what it leaves behind is held. */
const PASSING: HeldStates = { absent: "Ready", present: "Ready" };

/** The table, by code. */
export const HOLD_REASONS = {
  ForeignRecord: {
    meaning: "A record that is not ours stands at the name and must not be changed.",
    remedy:
      "Choose another name, remove that record yourself, adopt it by listing it, or let its holder permit this object to claim it.",
    states: REFUSED,
    resolvedBy: "user",
  },
  HandedOver: {
    meaning: "The record was handed over to the owner that this object permits to have it.",
    remedy: "Take the name off this object, and then its permit.",
    states: { absent: "Stale", present: "Stale" },
    resolvedBy: "user",
  },
  PermitRefused: {
    meaning:
      "The object permits another instance to claim its record, and here that is impossible.",
    remedy:
      "Use the registry txt and a provider that compares before it writes, or take the permit off the object.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  Released: {
    meaning: "The object gives its records up: they stay in the zone and become nobody's.",
    remedy: "Take its annotation zonekeeper.dev/release off to publish again.",
    states: { absent: "Stale", present: "Stale" },
    resolvedBy: "user",
  },
  ForeignMarker: {
    meaning: "Another owner has marked the name, perhaps in the format of another registry.",
    remedy: "Ask that owner to give the name up, or remove the marker if its owner is gone.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  Contested: {
    meaning:
      "Two markers with different owners claim the record, or the registry's row was made for other data than stands there; nobody writes.",
    remedy: "Remove the marker or row that is wrong, or put the recorded data back.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  Superseded: {
    meaning: "Another object that comes first in the conflict order has the name.",
    remedy: "Remove the name from one of the two objects.",
    states: REFUSED,
    resolvedBy: "user",
  },
  OwnerInactive: {
    meaning: "The object asks for an owner id that this instance does not act for.",
    remedy: "Correct the owner id, or activate it with a DNSOwner.",
    // Gardener says Stale for an unknown owner id, whatever stands.
    states: { absent: "Stale", present: "Stale" },
    resolvedBy: "operator",
  },
  UnmanagedType: {
    meaning: "Records of this type are not managed here.",
    remedy: "Add the type to the managed types.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  PolicyForbids: {
    meaning: "The policy of the zone does not allow this change.",
    remedy: "Make the change by hand, or choose the policy sync.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  Delegated: {
    meaning: "The name lies in a part of the zone that is delegated to other servers.",
    remedy:
      "Give Zonekeeper access to the delegated zone, with the NS records of its apex as the delegation has them or listed by name in spec.zones.include; or choose another name.",
    states: REFUSED,
    resolvedBy: "user",
  },
  NoMarkerPossible: {
    meaning: "No ownership marker can be written for the record, so the record is not written.",
    remedy: "Shorten the name, free a marker name, or change the id that the message names.",
    states: REFUSED,
    resolvedBy: "user",
  },
  MarkerTooLong: {
    meaning: "The ownership marker would have more than 255 bytes.",
    remedy: "Shorten the owner id or the namespace; encryption and a signature need room, too.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  MarkerShared: {
    meaning:
      "Our marker shares its record set with a text that is not ours and must not be touched.",
    remedy:
      "Move the other text to another name; the marker is then ours alone and the held change follows by itself.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  MarkerForged: {
    meaning:
      "The record's ownership marker names our owner id with a signature that does not fit: it was written, copied or altered by somebody else, or signed with a key that was dropped. Nothing is changed.",
    remedy: "Give the key back, or find out who wrote the marker and remove it.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  MarkerUnsigned: {
    meaning:
      "Signatures are required, and the record's ownership marker names our owner id without one. Nothing is changed.",
    remedy:
      "Remove the marker if it is not ours. If it is, start with --marker-signing write and let zonekeeper registry migrate sign it.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  SigningRefused: {
    meaning:
      "Signatures are required, and the zone still has unsigned ownership markers of ours: nothing is written there until they are signed or gone.",
    remedy:
      "Start with --marker-signing write, give zonekeeper registry migrate --yes, which signs them and lists those that it cannot sign; remove these, then require signatures.",
    states: DEFERRED,
    resolvedBy: "operator",
  },
  MarkerUnreadable: {
    meaning:
      "The record's ownership marker is encrypted and the key given does not open it, so nobody knows whose it is. Nothing is changed.",
    remedy: "Give the key it was written with, or ask whoever else writes to the zone.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  MarkerAmbiguous: {
    meaning:
      "The name of the record's ownership marker is read in several ways by the prefixes, suffixes and wildcard replacements in use, and more than one of these records stands. Nobody knows whose marker it is, so none of them is changed. Or the marker names no type (external-dns up to v0.11), and a record without a marker stands beside it that external-dns would take it for.",
    remedy:
      "Drop the --txt-also-read or --txt-wildcard-replacement that was never used in this zone, or remove the marker. Do not remove one of the records: the marker would then speak for the other. Where the marker names no type, adopt the record beside it, or remove the marker.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  LooksLikeMarker: {
    meaning:
      "The wanted text has the form of an ownership marker, which only the program may write.",
    remedy: "Change the text.",
    states: REFUSED,
    resolvedBy: "user",
  },
  NameInUse: {
    meaning: "A marker or another record stands where the record is wanted.",
    remedy: "Choose another name, or remove what stands there.",
    states: REFUSED,
    resolvedBy: "user",
  },
  NoTargets: {
    meaning: "The object is alive but has no address now; what was published stays.",
    remedy: "Wait for the load balancer, or remove the name from the object.",
    states: DEFERRED,
    resolvedBy: "nobody",
  },
  Unresolved: {
    meaning: "A target could not be resolved; the last answer stays.",
    remedy: "Correct the target, or wait until it resolves.",
    states: REFUSED,
    resolvedBy: "user",
  },
  SourceUnknown: {
    meaning: "The source could not say whether the name is wanted.",
    remedy: "Wait until the cluster answers again.",
    states: DEFERRED,
    resolvedBy: "nobody",
  },
  SourceIncomplete: {
    meaning: "The object could not be read completely, so nothing of it is removed.",
    remedy: "Correct what its condition names.",
    states: REFUSED,
    resolvedBy: "user",
  },
  SourceAlive: {
    meaning: "The object in the marker is alive, and it is not known that it gave the name up.",
    remedy: "Remove the name from the object, or delete the object.",
    states: REFUSED,
    resolvedBy: "user",
  },
  OriginalAlive: {
    meaning: "The DNSEntry made for the object in the marker is gone; the object lists the name.",
    remedy: "Nothing, the entry is made again; or take the name off the object, or delete it.",
    states: DEFERRED,
    resolvedBy: "nobody",
  },
  WantedElsewhere: {
    meaning:
      "An object without a place in this zone wants the name: by another account, or nowhere yet.",
    remedy: "The record stays for it; mend that object's DNSProvider, or make one for its zone.",
    states: REFUSED,
    resolvedBy: "user",
  },
  NotSynced: {
    meaning: "Not every kind of object that could want the name has been listed yet.",
    remedy: "Wait until the clusters are listed; see the conditions if it lasts.",
    states: { absent: "Pending", present: "Pending" },
    resolvedBy: "nobody",
  },
  KindGone: {
    meaning: "The kind of the object in the marker is gone from its cluster or may not be read.",
    remedy: "Restore the kind or the permission, or drop the source from the configuration.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  KindUnknown: {
    meaning: "The marker of the record names no object, so nobody can say that it is gone.",
    remedy: "Remove the record and its marker by hand if nobody needs them.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  ClusterUnknown: {
    meaning: "The cluster in the marker is not connected.",
    remedy: "Connect the cluster, or drain it by name.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  FuseTripped: {
    meaning: "Too many changes at once; a person has to approve this very set.",
    remedy: "Look at the set with plan --all and approve its hash, or bring the objects back.",
    states: DEFERRED,
    resolvedBy: "operator",
  },
  FuseBlind: {
    meaning: "The counters of the fuse cannot be read or stored, so nothing is removed.",
    remedy:
      "Allow get, create and update of ConfigMaps in the Lease's namespace, or repair what the message names.",
    states: DEFERRED,
    resolvedBy: "operator",
  },
  MovedUnconfirmed: {
    meaning:
      "The name moves to another zone, and that zone was not seen to hold it; it stays here.",
    remedy: "Wait until the other zone is written; see what is reported about it if it lasts.",
    states: PASSING,
    resolvedBy: "nobody",
  },
  GlueNeeded: {
    meaning: "The name moved to a delegated zone, but is that of a server of the delegation.",
    remedy: "Nothing; the address here is how resolvers find the delegated zone.",
    states: PASSING,
    resolvedBy: "nobody",
  },
  MaybeSameZone: {
    meaning: "Two providers seem to show the same zone; nothing is removed from either.",
    remedy:
      "Exclude the zone from one of the two providers and restart: until then it stays open there.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  OwnerContested: {
    meaning: "Another installation writes to the zone with our owner id, so neither writes.",
    remedy:
      "Give one of the two another --owner, or choose the one that stays: zonekeeper owner take --from the other, asked of it.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  OwnerTaken: {
    meaning: "A person gave the owner id of the zone to another installation.",
    remedy: "Stop this installation or give it another --owner; or take the owner id back.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  FenceUnreadable: {
    meaning: "The fence record of the zone is not one that this version can read.",
    remedy: "Update this installation, or remove the record; it is made anew.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  ReservedName: {
    meaning: "The name belongs to the program: its fence records or permits (_permit) stand there.",
    remedy: "Choose another name.",
    states: REFUSED,
    resolvedBy: "user",
  },
  Paused: {
    meaning: "The object, its zone or everything is paused: nothing of it is written or removed.",
    remedy:
      "Take the annotation zonekeeper.dev/paused off the object, or use zonekeeper resume for the zone or for all.",
    states: DEFERRED,
    resolvedBy: "operator",
  },
} as const satisfies Readonly<Record<string, HoldReason>>;

/** A code of the table. */
export type HoldCode = keyof typeof HOLD_REASONS;

const BY_CODE: ReadonlyMap<string, HoldReason> = new Map(Object.entries(HOLD_REASONS));

/** The row of a code; null for a code that is not in the table. */
export function holdReason(code: string): HoldReason | null {
  return BY_CODE.get(code) ?? null;
}

/** What a hold says besides its key. */
export interface HoldDetail {
  /** Of the table above, or an absence code that the engine gave. */
  readonly code: string;
  readonly message: string;
  readonly provenance: Provenance | null;
}

/**
 * A hold at a key; takes only the key's own fields of `key`. Its message may quote what stands in a
 * zone.
 */
export function holdAt({ name, type, setIdentifier }: RecordSetKey, detail: HoldDetail): Hold {
  return { key: { name, type, setIdentifier }, ...detail, message: printable(detail.message) };
}
