/**
 * Every reason to hold a change back, in one table: the docs page and the states of DNSEntries come
 * from it. No reason maps to Invalid (Z-19). The table explains holds; it decides none.
 */
import type { HeldStates, HoldReason } from "./hold-reason.ts";

/** The record is written only after a person has acted. */
const REFUSED: HeldStates = { absent: "Error", present: "Stale" };
/** The record is written by itself once its condition is met. */
const DEFERRED: HeldStates = { absent: "Pending", present: "Stale" };

/** The desired record exists in another zone; only the removal of the former record is held. */
const PASSING: HeldStates = { absent: "Ready", present: "Ready" };

/** The table, by code. */
export const HOLD_REASONS = {
  ForeignRecord: {
    meaning:
      "A record at the name exists and has another owner, or none; Zonekeeper must not change it.",
    remedy:
      "Choose another name, or remove the record yourself. To take it over, adopt it, or let its owner permit the claim: docs/guides/ownership.md.",
    states: REFUSED,
    resolvedBy: "user",
  },
  HandedOver: {
    meaning: "The owner that this object's permit names has claimed the record.",
    remedy: "Remove the name from this object, then remove its permit annotations.",
    states: { absent: "Stale", present: "Stale" },
    resolvedBy: "user",
  },
  PermitRefused: {
    meaning:
      "The object permits another owner to claim its record; this zone cannot carry permits.",
    remedy:
      "Use --registry txt and a provider that compares before it writes, or remove the permit annotations from the object.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  Released: {
    meaning:
      "The object releases its records: their markers are removed, and the records stay in the zone without an owner.",
    remedy: "Remove the annotation zonekeeper.dev/release from the object to publish again.",
    states: { absent: "Stale", present: "Stale" },
    resolvedBy: "user",
  },
  ForeignMarker: {
    meaning:
      "A marker of another owner claims the name, perhaps in the format of another registry.",
    remedy:
      "Ask that owner to release the name, or remove the marker if its owner no longer exists.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  Contested: {
    meaning:
      "Two markers with different owners claim the record, or the registry row was made for other data. Nothing is written.",
    remedy: "Remove the wrong marker or row, or restore the recorded data.",
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
    meaning: "The object asks for an owner id that this instance does not use.",
    remedy: "Correct the owner id, or activate it with a DNSOwner.",
    // Gardener reports Stale for an unknown owner id, with or without a record.
    states: { absent: "Stale", present: "Stale" },
    resolvedBy: "operator",
  },
  UnmanagedType: {
    meaning: "Zonekeeper does not manage records of this type here.",
    remedy: "Add the type to the managed types.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  PolicyForbids: {
    meaning: "The policy of the zone does not allow this change.",
    remedy: "Make the change by hand, or choose --policy sync.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  Delegated: {
    meaning: "The name lies below a delegation of the zone; other servers answer for it.",
    remedy:
      "Give Zonekeeper access to the delegated zone: the NS records of its apex equal the delegation, or spec.zones.include lists it by name. Or choose another name.",
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
    remedy: "Shorten the owner id or the namespace; encryption and a signature also need room.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  MarkerShared: {
    meaning:
      "Our marker shares its record set with a text that has no owner and must not be changed.",
    remedy: "Move the other text to another name. The held change then follows by itself.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  MarkerForged: {
    meaning:
      "The record's marker has our owner id and a signature that is not valid. The marker was copied, altered or written by another party, or its signing key was removed. Nothing is changed.",
    remedy: "Restore the signing key, or find out who wrote the marker and remove the marker.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  MarkerUnsigned: {
    meaning:
      "Signatures are required, and the record's marker has our owner id without a signature. Nothing is changed.",
    remedy:
      "If the marker is not ours, remove it. If it is, start with --marker-signing write and sign it with zonekeeper registry migrate.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  SigningRefused: {
    meaning:
      "Signatures are required, and the zone has unsigned markers of ours. Nothing is written to the zone until all are signed or removed.",
    remedy:
      "Start with --marker-signing write and run zonekeeper registry migrate --yes: it signs the markers and lists those that it cannot sign. Remove these, then require signatures.",
    states: DEFERRED,
    resolvedBy: "operator",
  },
  MarkerUnreadable: {
    meaning:
      "The record's marker is encrypted, and our key does not open it. The owner is unknown, so nothing is changed.",
    remedy: "Give the key that encrypted the marker, or ask the other writers of the zone.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  MarkerAmbiguous: {
    meaning:
      "The name of the marker fits several existing records, by the prefixes, suffixes and wildcard replacements in use. Its record is unknown, so none is changed. Or the marker names no type (external-dns up to v0.11), and an unmarked record at the name would count as its record.",
    remedy:
      "Remove the --txt-also-read or --txt-wildcard-replacement that this zone never used, or remove the marker. Keep all of the records: otherwise the marker counts for the remaining one. If the marker names no type, adopt the unmarked record, or remove the marker.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  LooksLikeMarker: {
    meaning:
      "The desired text has the form of an ownership marker, which only Zonekeeper may write.",
    remedy: "Change the text.",
    states: REFUSED,
    resolvedBy: "user",
  },
  NameInUse: {
    meaning:
      "A marker or another record already uses the name of the desired record or of its marker.",
    remedy: "Choose another name, or remove the existing record.",
    states: REFUSED,
    resolvedBy: "user",
  },
  NoTargets: {
    meaning: "The object exists but has no address now; its published records stay.",
    remedy: "Wait for the load balancer, or remove the name from the object.",
    states: DEFERRED,
    resolvedBy: "nobody",
  },
  Unresolved: {
    meaning: "A target could not be resolved; the last published addresses stay.",
    remedy: "Correct the target, or wait until it resolves.",
    states: REFUSED,
    resolvedBy: "user",
  },
  SourceIncomplete: {
    meaning: "The object could not be read completely, so none of its records is removed.",
    remedy: "Correct the field that the object's condition names.",
    states: REFUSED,
    resolvedBy: "user",
  },
  SourceAlive: {
    meaning:
      "The object in the marker exists, and nothing proves that it no longer lists the name.",
    remedy: "Remove the name from the object, or delete the object.",
    states: REFUSED,
    resolvedBy: "user",
  },
  OriginalAlive: {
    meaning:
      "The DNSEntry of the object in the marker is gone, and that object still lists the name.",
    remedy:
      "Nothing to do: the entry is created again. To remove the record, remove the name from the object, or delete the object.",
    states: DEFERRED,
    resolvedBy: "nobody",
  },
  WantedElsewhere: {
    meaning:
      "An object that is not assigned to this zone lists the name: it uses another account, or has no zone yet.",
    remedy:
      "The record stays for that object. Correct the DNSProvider of the object, or create one for its zone.",
    states: REFUSED,
    resolvedBy: "user",
  },
  NotSynced: {
    meaning: "Not every kind of object that could list the name has been read yet.",
    remedy: "Wait until the clusters are listed; see the conditions if it lasts.",
    states: { absent: "Pending", present: "Pending" },
    resolvedBy: "nobody",
  },
  KindGone: {
    meaning:
      "The kind of the object in the marker no longer exists in its cluster, or may not be read.",
    remedy: "Restore the kind or the permission, or remove the source from the configuration.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  KindUnknown: {
    meaning: "The marker of the record names no object, so nothing proves that the object is gone.",
    remedy: "Remove the record and its marker by hand if no object needs them.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  FuseTripped: {
    meaning: "Too many changes at once; a person has to approve exactly this set.",
    remedy: "Read the set with zonekeeper plan --all and approve its hash, or restore the objects.",
    states: DEFERRED,
    resolvedBy: "operator",
  },
  FuseBlind: {
    meaning: "The counters of the fuse cannot be read or stored, so nothing is removed.",
    remedy:
      "Allow get, create and update of ConfigMaps in the namespace of the Lease, or repair what the message names.",
    states: DEFERRED,
    resolvedBy: "operator",
  },
  MovedUnconfirmed: {
    meaning:
      "The name moves to another zone, and that zone is not yet confirmed to have its record. The record here stays.",
    remedy: "Wait until the other zone is written; see the hold of the other zone if it lasts.",
    states: PASSING,
    resolvedBy: "nobody",
  },
  GlueNeeded: {
    meaning:
      "The name moved to a delegated zone and is a name server of the delegation, so its address here stays as glue.",
    remedy: "Nothing to do: resolvers find the delegated zone by this address.",
    states: PASSING,
    resolvedBy: "nobody",
  },
  MaybeSameZone: {
    meaning: "Two providers seem to show the same zone; nothing is removed from either.",
    remedy:
      "Exclude the zone from one of the two providers, then restart: the zone stays open until then.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  OwnerContested: {
    meaning: "Another installation writes to the zone with our owner id, so neither writes.",
    remedy:
      "Give one of the two another --owner. Or choose the one that stays: run zonekeeper owner take --from OTHER against it.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  OwnerTaken: {
    meaning: "A person gave the owner id of the zone to another installation.",
    remedy: "Stop this installation, give it another --owner, or take the owner id back.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  FenceUnreadable: {
    meaning: "This version cannot read the fence record of the zone.",
    remedy: "Update this installation, or remove the record; Zonekeeper creates it again.",
    states: REFUSED,
    resolvedBy: "operator",
  },
  ReservedName: {
    meaning:
      "The name is reserved for Zonekeeper: its fence records or permits (_permit) are there.",
    remedy: "Choose another name.",
    states: REFUSED,
    resolvedBy: "user",
  },
  Paused: {
    meaning:
      "The object, its zone or everything is paused: none of its records is written or removed.",
    remedy:
      "Remove the annotation zonekeeper.dev/paused from the object, or run zonekeeper resume for the zone or for all.",
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
