/** Reasons to hold a change because of a marker; a part of the table in hold-reasons.ts. */
import { DEFERRED, type HoldReason, REFUSED } from "./hold-reason.ts";

/** By code (Z-9 to Z-13). */
export const MARKER_HOLD_REASONS = {
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
  MarkerPending: {
    meaning:
      "A write of the record is under way, step by step: until it ends its ownership marker is not brought to another form.",
    remedy:
      "Wait until zonekeeper plan shows the record no more, then give zonekeeper registry migrate again.",
    states: DEFERRED,
    resolvedBy: "nobody",
  },
  LooksLikeMarker: {
    meaning:
      "The desired text has the form of an ownership marker, which only Zonekeeper may write.",
    remedy: "Change the text.",
    states: REFUSED,
    resolvedBy: "user",
  },
} as const satisfies Readonly<Record<string, HoldReason>>;
