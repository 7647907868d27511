/**
 * Every reason to hold a change back, in one table: the docs page and the states of DNSEntries come
 * from it. No reason maps to Invalid (Z-19). The table explains holds; it decides none.
 */
import { ABSENCE_HOLD_REASONS } from "./absence-hold-reasons.ts";
import {
  ENDED_BY_OPERATOR,
  ENDED_BY_USER,
  type HoldReason,
  PASSES,
  REFUSED,
  WAITS,
  WAITS_FOR_OPERATOR,
} from "./hold-reason.ts";
import { TENANT_HOLD_REASONS } from "./tenant-hold-reasons.ts";

/** The table, by code. */
export const HOLD_REASONS = {
  ForeignRecord: {
    meaning:
      "A record at the name exists and has another owner, or none; Zonekeeper must not change it.",
    remedy:
      "Choose another name, or remove the record yourself. To take over a record without an owner: zonekeeper ownership adopt NAME. One with an owner: let that owner permit the claim (docs/guides/ownership.md).",
    ...ENDED_BY_USER,
  },
  ForeignValue: {
    meaning:
      "Somebody else added a value to a record of ours, on a provider that compares nothing; the record is neither changed nor removed.",
    remedy:
      "Remove that value from the zone, or add it to the object. To give the record up: the annotation zonekeeper.dev/release.",
    ...ENDED_BY_USER,
  },
  ApexAlias: {
    meaning:
      "The object wants a CNAME at the apex of a zone, where the records of the zone itself are; a CNAME stands alone (RFC 1034 §3.6.2).",
    remedy:
      "Write the addresses of the target instead of its name, or choose a name below the apex.",
    ...ENDED_BY_USER,
  },
  Fighting: {
    meaning:
      "Somebody else changed the record of ours, was corrected, and changed it again, five times within an hour. It is not written any more while that lasts.",
    remedy:
      "Find who writes there (zonekeeper history NAME says when) and stop that, or take the name out of the object. It is tried again by itself within the hour, and at once when the object changes.",
    ...ENDED_BY_OPERATOR,
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
    states: { ...REFUSED, present: "Ready" },
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
    ...ENDED_BY_OPERATOR,
  },
  Contested: {
    meaning:
      "Two markers with different owners claim the record, or the registry row was made for other data. Nothing is written.",
    remedy: "Remove the wrong marker or row, or restore the recorded data.",
    ...ENDED_BY_OPERATOR,
  },
  Superseded: {
    meaning: "Another object that comes first in the conflict order has the name.",
    remedy: "Remove the name from one of the two objects.",
    ...ENDED_BY_USER,
  },
  RoutingPolicyConflict: {
    meaning:
      "Another record of the name and type has another kind of routing policy, or none; providers take one kind. Or it has another TTL, where all members of a policy have one (Google).",
    remedy: "Give all members of the name the same kind and TTL; they change together.",
    ...ENDED_BY_USER,
  },
  ...TENANT_HOLD_REASONS,
  OwnerInactive: {
    meaning: "The object asks for an owner id that this instance does not use.",
    remedy: "Correct the owner id, or activate it with a DNSOwner.",
    // Gardener reports Stale for an unknown owner id, with or without a record.
    states: { absent: "Stale", present: "Stale" },
    resolvedBy: "operator",
  },
  HeldBy: {
    meaning:
      "Another installation has the owner id in this zone and was there first. It goes on, and this one waits.",
    remedy:
      "Give one of the two another --owner, or switch the DNSOwner off there; this one goes on by itself then. If that installation is gone for good: zonekeeper owner take --from DOMAIN.",
    ...WAITS_FOR_OPERATOR,
  },
  UnmanagedType: {
    meaning: "No enabled source manages records of this type.",
    remedy: "Enable the source that brings the type, or choose another type.",
    ...ENDED_BY_OPERATOR,
  },
  NotSupported: {
    meaning: "The provider of the zone cannot publish this record set.",
    remedy: "Change the value, type, TTL or routing policy that the message names.",
    ...ENDED_BY_USER,
  },
  PluginFailed: {
    meaning:
      "A plug-in module threw, did not answer in time, answered what cannot be an answer, or is left off because it looped. What it was asked about keeps its records; all else goes on.",
    remedy:
      "Mend the module that the message names, or start without it. In the line of the watchdog `next` says what the next start does.",
    ...ENDED_BY_OPERATOR,
  },
  PrivateTarget: {
    meaning:
      "The record would have a private address (RFC 1918, RFC 6598, RFC 4193, or in 240.0.0.0/4) in a zone that everybody can ask; whoever asks could not reach it.",
    remedy:
      "Name another target: in a DNSEntry or DNSEndpoint, or by the annotation target of external-dns. Or publish in a private zone. If it is meant so: --allow-private-targets.",
    ...ENDED_BY_USER,
  },
  PolicyForbids: {
    meaning: "The policy of the zone does not allow this change.",
    remedy: "Make the change by hand, or choose --policy sync.",
    ...ENDED_BY_OPERATOR,
  },
  Delegated: {
    meaning:
      "The name lies below a delegation of the zone, or below a DNAME; others answer for it.",
    remedy:
      "Choose another name, or remove the DNAME. Below a delegation: give Zonekeeper access to the delegated zone: the NS records of its apex equal the delegation, or spec.zones.include lists it by name.",
    ...ENDED_BY_USER,
  },
  NoMarkerPossible: {
    meaning: "No ownership marker can be written for the record, so the record is not written.",
    remedy:
      "Shorten the name, free a marker name, change the id that the message names, or choose another --registry where the provider has no TXT records.",
    ...ENDED_BY_USER,
  },
  MarkerTooLong: {
    meaning: "The ownership marker would have more than 255 bytes.",
    remedy: "Shorten the owner id or the namespace; encryption and a signature also need room.",
    ...ENDED_BY_OPERATOR,
  },
  MarkerShared: {
    meaning:
      "Our marker shares its record set with a text that has no owner and must not be changed.",
    remedy: "Move the other text to another name. The held change then follows by itself.",
    ...ENDED_BY_OPERATOR,
  },
  MarkerForged: {
    meaning:
      "The record's marker has our owner id and a signature that is not valid. The marker was copied, altered or written by another party, or its signing key was removed. Nothing is changed.",
    remedy: "Restore the signing key, or find out who wrote the marker and remove the marker.",
    ...ENDED_BY_OPERATOR,
  },
  MarkerUnsigned: {
    meaning:
      "Signatures are required, and the record's marker has our owner id without a signature. Nothing is changed.",
    remedy:
      "If the marker is not ours, remove it. If it is, start with --marker-signing write and sign it with zonekeeper registry migrate.",
    ...ENDED_BY_OPERATOR,
  },
  SigningRefused: {
    meaning:
      "Signatures are required, and the zone has unsigned markers of ours. Nothing is written to the zone until all are signed or removed.",
    remedy:
      "Start with --marker-signing write and run zonekeeper registry migrate --yes: it signs the markers and lists those that it cannot sign. Remove these, then require signatures.",
    ...WAITS_FOR_OPERATOR,
  },
  MarkerUnreadable: {
    meaning:
      "The record's marker is encrypted, and our key does not open it. The owner is unknown, so nothing is changed.",
    remedy: "Give the key that encrypted the marker, or ask the other writers of the zone.",
    ...ENDED_BY_OPERATOR,
  },
  MarkerAmbiguous: {
    meaning:
      "The name of the marker fits several existing records, by the prefixes, suffixes and wildcard replacements in use. Its record is unknown, so none is changed. Or the marker names no type (external-dns up to v0.11), and an unmarked record at the name would count as its record.",
    remedy:
      "Remove the --txt-also-read or --txt-wildcard-replacement that this zone never used, or remove the marker. Keep all of the records: otherwise the marker counts for the remaining one. If the marker names no type, adopt the unmarked record, or remove the marker.",
    ...ENDED_BY_OPERATOR,
  },
  MarkerPending: {
    meaning:
      "A write of the record is under way, step by step: until it ends its ownership marker is not brought to another form.",
    remedy:
      "Wait until zonekeeper plan shows the record no more, then give zonekeeper registry migrate again.",
    ...WAITS,
  },
  LooksLikeMarker: {
    meaning:
      "The desired text has the form of an ownership marker, which only Zonekeeper may write.",
    remedy: "Change the text.",
    ...ENDED_BY_USER,
  },
  NameInUse: {
    meaning:
      "A marker or another record already uses the name of the desired record or of its marker.",
    remedy: "Choose another name, or remove the existing record.",
    ...ENDED_BY_USER,
  },
  ...ABSENCE_HOLD_REASONS,
  FuseTripped: {
    meaning:
      "Too many changes at once, or the last name of the zone without a watched end of its object; a person has to approve exactly this set.",
    remedy:
      "Read the set with zonekeeper plan --all and approve its hash, or bring the objects back with zonekeeper restore and the hash.",
    ...WAITS_FOR_OPERATOR,
  },
  NotSelected: {
    meaning:
      "The object exists and did not change, but a new version or configuration of ours does not select its name.",
    remedy:
      "Widen the filter, namespace, class or dialect again, or approve the set: zonekeeper plan shows its hash.",
    ...WAITS_FOR_OPERATOR,
  },
  FirstContact: {
    meaning:
      "This installation meets the zone's records of its owner id for the first time; nothing is removed or replaced yet.",
    remedy:
      "Read zonekeeper plan --all and approve its hash. What an object asks for anew is followed at once.",
    ...WAITS_FOR_OPERATOR,
  },
  FuseBlind: {
    meaning: "The counters of the fuse cannot be read or stored, so nothing is removed.",
    remedy:
      "Allow get, create and update of ConfigMaps in the namespace of the Lease, or repair what the message names.",
    ...WAITS_FOR_OPERATOR,
  },
  MovedUnconfirmed: {
    meaning:
      "The name moves to another zone, and that zone is not yet confirmed to have its record. The record here stays.",
    remedy: "Wait until the other zone is written; see the hold of the other zone if it lasts.",
    ...PASSES,
  },
  MovedUndelegated: {
    meaning:
      "The record is published in a zone below, too, that this zone does not delegate: resolvers find the record here. It stays, and is not changed any more.",
    remedy:
      "Add the NS records of the zone below to this zone, or exclude the zone below by spec.domains.exclude of its DNSProvider.",
    ...ENDED_BY_OPERATOR,
  },
  GlueNeeded: {
    meaning:
      "The name moved to a delegated zone and is a name server of the delegation, so its address here stays as glue.",
    remedy: "Nothing to do: resolvers find the delegated zone by this address.",
    ...PASSES,
  },
  MaybeSameZone: {
    meaning:
      "A provider seems to show a zone that another one serves already, and it is not proven; nothing is written through it.",
    remedy:
      "Let its key write the TXT record that the message names. Or annotate the older DNSProvider: zonekeeper.dev/same-zone-as if it is the same zone, zonekeeper.dev/other-zone-than if not.",
    ...ENDED_BY_OPERATOR,
  },
  OwnerContested: {
    meaning:
      "A restored copy of this cluster writes to the zone, too (or an installation of an earlier version disputes the owner id), so neither writes.",
    remedy:
      "Stop one of the two, and run zonekeeper owner take --from DOMAIN against the one that stays.",
    ...ENDED_BY_OPERATOR,
  },
  OwnerTaken: {
    meaning: "A person gave the owner id of the zone to another installation.",
    remedy: "Stop this installation, give it another --owner, or take the owner id back.",
    ...ENDED_BY_OPERATOR,
  },
  FenceUnreadable: {
    meaning: "This version cannot read the fence record of the zone.",
    remedy: "Update this installation, or remove the record; Zonekeeper creates it again.",
    ...ENDED_BY_OPERATOR,
  },
  ReservedName: {
    meaning:
      "The name is reserved for Zonekeeper: its fence records or permits (_permit) are there.",
    remedy: "Choose another name.",
    ...ENDED_BY_USER,
  },
  Paused: {
    meaning:
      "The object, the name, its zone or everything is paused: none of its records is written or removed.",
    remedy:
      "Remove the annotation zonekeeper.dev/paused from the object, or run zonekeeper resume for the name, the zone or for all.",
    ...WAITS_FOR_OPERATOR,
  },
} as const satisfies Readonly<Record<string, HoldReason>>;

/** A code of the table; one without a row does not compile. */
export type HoldCode = keyof typeof HOLD_REASONS;

const BY_CODE: ReadonlyMap<string, HoldReason> = new Map(Object.entries(HOLD_REASONS));

/**
 * True for a hold of an object that has all that it wants, because another object's record has
 * equal data (Z-28): it is no work, and nobody waits for it.
 */
export function isSatisfied({ code }: { readonly code: HoldCode }): boolean {
  return code === "SharedRecord";
}

/** True for a code of the table. */
export function isHoldCode(code: string): code is HoldCode {
  return BY_CODE.has(code);
}

/** The row of a code; null for a code that is not in the table. */
export function holdReason(code: string): HoldReason | null {
  return BY_CODE.get(code) ?? null;
}
