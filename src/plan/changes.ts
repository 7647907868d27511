/**
 * The result of the planner: the changes of one name, with their preconditions. Data only; planner,
 * ownership, sync and providers share these types. Changes are carried out in list order (Z-10).
 * A marker states owner and object of a record; ours are those with an owner id of ours.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Provenance } from "../model/provenance.ts";
import {
  type DesiredRecordSet,
  plainKey,
  type RecordSet,
  type RecordSetKey,
} from "../model/record-set.ts";
import type { HoldCode } from "./hold-reasons.ts";

/**
 * A marker as it was read: its owner, and its exact form to compare and delete (external-dns §3.7).
 */
export interface Marker {
  readonly owner: string;
  /** The `resource` label; null when the marker has none. */
  readonly resource: string | null;
  /** The `external-dns/cluster` label; null when it has none. */
  readonly cluster: string | null;
  /** All labels without the `external-dns/` prefix. */
  readonly labels: Readonly<Record<string, string>>;
  /**
   * The record set that is the marker, raw, exactly as it was read. Null when it is not in the zone
   * (ConfigMap).
   */
  readonly record: RecordSet | null;
  /**
   * The marker is for any object that wants the record: ours by configuration (`--noop-owns`,
   * Z-14). Never read from a zone or a registry.
   */
  readonly anyObject?: true;
  /** Why its owner is unknown: `owner` is empty, and it gives no rights. Absent = it is known. */
  readonly trouble?: MarkerTrouble;
  /**
   * A second marker of the data names another object: the rest of an interrupted sequence (Z-10).
   * The next write of this marker removes it. Absent = there is none.
   */
  readonly hasStaleCopy?: true;
  /**
   * Its format, a value of `--registry`, if that differs from the registry of the zone. Such a
   * marker blocks every object that wants the record, and cannot be taken over. Absent = same
   * format.
   */
  readonly format?: string;
}

/**
 * `MarkerForged`: its signature is invalid. `MarkerUnsigned`: it has our owner id without a
 * required signature. `MarkerUnreadable`: it is encrypted with a key that we do not have.
 * `MarkerAmbiguous`: its name fits several existing records.
 */
export type MarkerTrouble =
  | "MarkerForged"
  | "MarkerUnsigned"
  | "MarkerUnreadable"
  | "MarkerAmbiguous";

/** A record by which the owner of a key permits an object of another owner to claim it (Z-13). */
export interface PermitRecord {
  /**
   * Owner id of the giver, as the permit has it; valid only while the marker has the same owner.
   */
  readonly owner: string;
  /** Owner id of the group that may claim. */
  readonly toOwner: string;
  /** `kind/namespace/name` of the object that may claim, or its short form. */
  readonly toResource: string;
  /** Why it permits nothing: an invalid signature, or a missing one. Absent = it is valid. */
  readonly trouble?: "forged" | "unsigned";
  /** True when its giver would now write it with a signature. Absent = its form is current. */
  readonly isOutdated?: true;
  /** Exactly as it was read. */
  readonly record: RecordSet;
}

/**
 * One key of a zone: its data and its marker. One of the two can be missing (Z-9): data without a
 * marker is foreign, a marker without data waits for its data or its removal.
 */
export interface OwnedRecordSet extends RecordSetKey {
  /** Null = only the marker exists. */
  readonly data: RecordSet | null;
  /** Null = no owner: foreign. */
  readonly marker: Marker | null;
  /** True when its markers have different owners: `Contested`, no owner may write. */
  readonly contested: boolean;
  /** Owner ids of all its markers, sorted, where they differ; absent = there is one or none. */
  readonly owners?: readonly string[];
  /**
   * Values of the data that its marker does not name as its owner's (Z-27). Absent = there are
   * none, or the marker names no values.
   */
  readonly foreignValues?: readonly string[];
  /** The permit for the key; absent = none. Without data and marker it is an orphaned permit. */
  readonly permit?: PermitRecord;
}

/**
 * A condition for applying a group. A provider that can compare checks it in the same call as the
 * write.
 */
export type Precondition =
  /** No record set at this key. */
  | { readonly is: "absent"; readonly key: RecordSetKey }
  /** Exactly these values at this key; TTL is not compared (RFC 2136 §2.4.2). */
  | { readonly is: "exact"; readonly set: RecordSet }
  /** No record of any type at this name (RFC 2136 §2.4.5). */
  | { readonly is: "name-unused"; readonly name: DnsName };

/** One change of one record set. `replace` and `remove` carry what was read. */
export type Change =
  | { readonly op: "create"; readonly next: RecordSet }
  | { readonly op: "replace"; readonly previous: RecordSet; readonly next: RecordSet }
  | { readonly op: "remove"; readonly previous: RecordSet };

/** Why a change is made. */
export type ChangeCode =
  | "Wanted"
  | "DataMissing"
  | "ValueChanged"
  | "TtlChanged"
  | "TypeChanged"
  | "NotWanted"
  | "MarkerOnly"
  | "MarkerUpdate"
  | "MarkerMigrated"
  | "Adopted"
  | "Transferred"
  | "Released"
  | "PermitGiven"
  | "PermitWithdrawn"
  | "PermitTidied"
  /** A person took an earlier change back (ADR 0122). */
  | "Undone";

/** The reason for a change; for people, logs and the fuse. */
export interface ChangeReason {
  readonly code: ChangeCode;
  readonly message: string;
}

/** The proof that no object wants a record; its strength decides the fuse's threshold (Z-16). */
export type AbsenceProof =
  /** The end of an object that was seen to list the name was watched. */
  | "deleted-object"
  /** The same, and every other object of its kind ended within ten seconds of it (Z-16). */
  | "deleted-with-kind"
  /** The definition of its kind is younger than the object, which ended with the former one. */
  | "ended-with-definition"
  /** The object had its deletionTimestamp before it was seen to list the name. */
  | "found-deleting"
  /** The object exists and lists the name no more; the change that took it off was watched. */
  | "object-dropped-name"
  /** The object exists, and its complete contribution does not list the name. */
  | "object-omits-name"
  /** The object is missing from a complete list that is newer than all earlier lists. */
  | "missing-from-list"
  /**
   * The record is published in another zone that is responsible for the name; that zone is read
   * right before the removal is sent.
   */
  | "moved-zone"
  /**
   * The object exists and lists the name, but has had no address for longer than
   * `--no-targets-grace` (Z-4).
   */
  | "no-targets-grace"
  /** A person ordered it: no object is known (Z-22). */
  | "approved"
  /** A person removed the cluster of its object, with its records (ADR 0149). */
  | "removed-cluster";

/** Proofs that are the order of a person: the fuse does not count such removals. */
export const ORDERED_PROOFS: ReadonlySet<string | null> = new Set<AbsenceProof>([
  "approved",
  "removed-cluster",
]);

/** A change of one key with its marker; made by the planner, completed by `Ownership.prepare`. */
export interface KeyChange {
  readonly key: RecordSetKey;
  readonly current: OwnedRecordSet | null;
  /** Null = remove. */
  readonly desired: DesiredRecordSet | null;
  /** Null for a marker-only write. */
  readonly change: Change | null;
  /** The marker after the change; null = none. */
  readonly marker: MarkerSpec | null;
  readonly reason: ChangeReason;
  /** Only with removals. */
  readonly proof: AbsenceProof | null;
  /**
   * Objects whose values are taken out of a record set that other objects want (ADR 0126), as
   * markers would name them: their API servers are asked before the write. Absent = none.
   */
  readonly leavers?: readonly Marker[];
  /** The change of the permit at the key; absent = it stays as it is. */
  readonly permit?: PermitChange;
  /**
   * Owner id whose markers are also removed from the key, as a person ordered: the transfer of the
   * record was interrupted. Absent = none.
   */
  readonly ends?: string;
  /**
   * The present content of the marker is rewritten in this form; `marker` is for messages only.
   * Absent = the marker is written as `marker` has it.
   */
  readonly migration?: MarkerTarget;
  /** Hash of the set with which a person approved it (Z-16). Absent = it needed no approval. */
  readonly approved?: string;
}

/** The form that a migration gives to markers; null and false = as the registry writes new ones. */
export interface MarkerTarget {
  readonly location: "typed" | "label" | null;
  /** True = encrypted, even if new markers are plain. */
  readonly encrypt: boolean;
  /** Desired record sets at the name: markers are to name their clusters. Absent = none. */
  readonly wanted?: readonly DesiredRecordSet[];
}

/** One change of a permit record (Z-13). */
export type PermitChange =
  /** Written, for this owner id and this `kind/namespace/name`. */
  | { readonly is: "given"; readonly owner: string; readonly resource: string }
  /** Removed; the key stays ours or is removed too. `alone`: neither marker nor data is written. */
  | { readonly is: "withdrawn"; readonly alone?: true }
  /** Used by a transfer and removed in the same batch: one permit, one transfer. */
  | { readonly is: "used" }
  /** Removed at a key that is not ours any more; marker and data of its owner stay. */
  | { readonly is: "tidied" };

/** The content of a marker to write. */
export interface MarkerSpec {
  readonly owner: string;
  readonly provenance: Provenance;
}

/**
 * All changes of one name, with its markers after `prepare`; never split over two batches. If one
 * call cannot write the group (Z-10), `prepare` returns one write, the next step of the sequence,
 * and `rest`.
 */
export interface ChangeGroup {
  readonly name: DnsName;
  /** The decisions of the planner by key; kept for reports. */
  readonly keys: readonly KeyChange[];
  /**
   * The writes in their order: removals first, for RFC 2136 §3.4.2.2 drops conflicts in silence.
   */
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
  /** The later steps of a sequence. Absent = this is the last step. */
  readonly rest?: SequenceRest;
  /**
   * True for a step that continues a sequence with a call that compares only the record set it
   * writes: the name must be read right before (Z-10). Absent = the call asserts its preconditions.
   */
  readonly resumes?: true;
  /**
   * Why the group takes back what our own calls wrote (Z-27): another writer took the name in the
   * same moment. It has no keys then. Absent = it is made from a plan.
   */
  readonly withdraws?: string;
}

/**
 * The later writes of a sequence (Z-10). The name is read after each step, and the next step is
 * planned from the zone alone: a call compares only its own record set, a server may drop a write
 * in silence, and another replica can continue after a crash.
 */
export interface SequenceRest {
  /** The expected later writes, in order; never empty. */
  readonly writes: readonly Change[];
  /** Milliseconds until the next step; 0 = at once. An edit of a desired record does not wait. */
  readonly afterMs: number;
}

/** A change that is wanted and not made, with the reason (docs/glossary.md). */
export interface Hold {
  readonly key: RecordSetKey;
  /** Its meaning, remedy and states: `plan/hold-reasons.ts`. */
  readonly code: HoldCode;
  readonly message: string;
  /** The hash in the message, of the set that it waits in; absent = a person approves none. */
  readonly set?: string;
  readonly provenance: Provenance | null;
  /**
   * The planned change that a pause, the fuse or a fence holds. Null = a marker-only write. Absent
   * = no change was planned.
   */
  readonly change?: Change | null;
  /** The proof of absence of a held removal. Null or absent = no removal, or one without proof. */
  readonly proof?: AbsenceProof | null;
  /**
   * Its desired record set does not compete for the name (admit-desired.ts). Absent = it competes,
   * or the hold has no desired record set.
   */
  readonly isRefused?: true;
}

/** The plan of one name. Sorted by key. */
export interface NamePlan {
  readonly name: DnsName;
  readonly changes: readonly KeyChange[];
  readonly holds: readonly Hold[];
}

/** The result of one group. Exactly one for each group that `apply` was given. */
export type Outcome =
  | {
      readonly name: DnsName;
      readonly status: "applied";
      /** The provider's id of the change while not all its servers have it; absent = none. */
      readonly receipt?: string;
    }
  | {
      readonly name: DnsName;
      readonly status: "precondition-failed";
      readonly message: string;
      /** Why, where the provider knows more than that something changed. */
      readonly code?: string;
    }
  | {
      readonly name: DnsName;
      readonly status: "rejected";
      readonly code: string;
      readonly message: string;
    }
  /**
   * Nothing was written: the provider refused the call because of another group, which has an
   * outcome of its own. It is sent again at once, without that group.
   */
  | { readonly name: DnsName; readonly status: "refused-together"; readonly message: string }
  | {
      readonly name: DnsName;
      readonly status: "retry";
      readonly afterMs: number | null;
      readonly message: string;
      /**
       * True = the server reported no success, but the write may still take effect. Absent =
       * nothing was written.
       */
      readonly mayStand?: true;
    }
  | { readonly name: DnsName; readonly status: "unknown"; readonly message: string };

/** The change; where `more` says nothing else, the data stays and the marker is removed. */
export function changeAt(
  one: OwnedRecordSet,
  reason: ChangeReason,
  more: Partial<KeyChange> = {},
): KeyChange {
  const nothing = { desired: null, change: null, marker: null, proof: null };
  return { key: plainKey(one), current: one, ...nothing, reason, ...more };
}

/** The field of a change that removes the marker: a permit that its owner gave is removed, too. */
export function withPermit(
  one: OwnedRecordSet & { readonly marker: Marker },
): Pick<KeyChange, "permit"> {
  return one.permit?.owner === one.marker.owner ? { permit: { is: "withdrawn" } } : {};
}
