/**
 * What the planner hands to providers: changes of one name with their preconditions. Data only;
 * providers, ownership and sync all speak this. Changes are carried out in the order in which they
 * stand (Z-10).
 */
import type { DnsName } from "../model/dns-name.ts";
import type { Provenance } from "../model/provenance.ts";
import type { DesiredRecordSet, RecordSet, RecordSetKey } from "../model/record-set.ts";

/**
 * A marker as it was found: whose it is and its exact form, for compare and deletion (external-dns
 * §3.7).
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
   * It is for whatever object wants the record: ours by configuration (`--noop-owns`, Z-14). Never
   * read from anywhere.
   */
  readonly anyObject?: true;
  /**
   * Why nobody can say whose it is: then `owner` is empty, and it gives rights to nobody. Absent =
   * it can be read.
   */
  readonly trouble?: MarkerTrouble;
  /**
   * Another marker of the data says something else of its object: left of a sequence that was
   * broken off (Z-10). It goes with the next write of this one. Absent = there is none.
   */
  readonly hasStaleCopy?: true;
  /**
   * The format that it is written in, as `--registry` has it, where that is not the format of the
   * zone's registry: it gives no right that could be taken over here, and bars whoever else wants
   * the record. Absent = it is the registry's own.
   */
  readonly format?: string;
}

/**
 * `MarkerForged`: its signature does not fit. `MarkerUnsigned`: it claims to be ours without one,
 * where one is required. `MarkerUnreadable`: it is encrypted with a key we lack. `MarkerAmbiguous`:
 * its name is read in several ways, and more than one of these records stands.
 */
export type MarkerTrouble =
  | "MarkerForged"
  | "MarkerUnsigned"
  | "MarkerUnreadable"
  | "MarkerAmbiguous";

/** A record in which the holder of a key permits another object to claim it (Z-13). */
export interface PermitRecord {
  /**
   * Owner id of the giver, by its own statement; a permit counts only while the marker says the
   * same.
   */
  readonly owner: string;
  /** Owner id of the group that may claim. */
  readonly toOwner: string;
  /** `kind/namespace/name` of the object that may claim, or its short form. */
  readonly toResource: string;
  /**
   * Why nobody may claim by it: its signature is not right, or it has to have one. Absent = it
   * counts.
   */
  readonly trouble?: "forged" | "unsigned";
  /** True when its giver would sign it now. Absent = it is as it would be written. */
  readonly isOutdated?: true;
  /** Exactly as it was read. */
  readonly record: RecordSet;
}

/**
 * What one key of a zone holds, with its marker. Half pairs are here too (Z-9): data without marker
 * is foreign, a marker without data waits for its data or its removal.
 */
export interface OwnedRecordSet extends RecordSetKey {
  /** Null = only the marker is there. */
  readonly data: RecordSet | null;
  /** Null = nobody claims it: foreign. */
  readonly marker: Marker | null;
  /** More than one marker with different owners: `Contested`, nobody writes. */
  readonly contested: boolean;
  /** Owner ids of all its markers, sorted, where they differ; absent = there is one or none. */
  readonly owners?: readonly string[];
  /**
   * The permit that stands for the key; absent = none does. With neither data nor marker: it was
   * left behind.
   */
  readonly permit?: PermitRecord;
}

/**
 * What must be true in the zone for a group to be applied; checked by the provider together with
 * the write where it can.
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

/** Why a change is made; for people, logs and the fuse. */
export interface ChangeReason {
  /**
   * `Wanted`, `ValueChanged`, `TtlChanged`, `TypeChanged`, `NotWanted`, `MarkerMissing`,
   * `MarkerOnly`, `MarkerUpdate` …
   */
  readonly code: string;
  readonly message: string;
}

/**
 * How it is known that nobody wants a name any more; the strength decides the fuse's threshold
 * (Z-16).
 */
export type AbsenceProof =
  /** Each object in the markers had its own DELETED event. */
  | "deleted-object"
  /** The object is alive with a complete contribution that omits the name. */
  | "object-omits-name"
  /** Missing from a complete list that is newer than anything seen before. */
  | "missing-from-list"
  /**
   * The object's name is published in another zone, which is in charge of it; read from there
   * before it is sent.
   */
  | "moved-zone"
  /**
   * The object is alive and lists the name, but has had no address for longer than
   * `--no-targets-grace` (Z-4).
   */
  | "no-targets-grace";

/**
 * A data change of one key with the marker it needs; made by the planner, completed by
 * ownership.prepare.
 */
export interface KeyChange {
  readonly key: RecordSetKey;
  readonly current: OwnedRecordSet | null;
  /** Null = remove. */
  readonly desired: DesiredRecordSet | null;
  /** Null for a marker-only write. */
  readonly change: Change | null;
  /** The marker to stand afterwards; null = none. */
  readonly marker: MarkerSpec | null;
  readonly reason: ChangeReason;
  /** Only with removals. */
  readonly proof: AbsenceProof | null;
  /** What becomes of the permit at the key; absent = it is left as it is. */
  readonly permit?: PermitChange;
  /**
   * Owner id whose markers go from the key besides, as a person ordered: a claim that moved in
   * part. Absent = nobody's.
   */
  readonly ends?: string;
  /**
   * The marker says what it said, in this form; `marker` is for messages then. Absent = it says
   * what `marker` says.
   */
  readonly migration?: MarkerTarget;
}

/**
 * The form that markers are brought to; what is null or false is as the registry writes new ones.
 */
export interface MarkerTarget {
  readonly location: "typed" | "label" | null;
  /** Encrypted also where new ones are plain. */
  readonly encrypt: boolean;
}

/** One change of a permit record (Z-13). */
export type PermitChange =
  /** It is to stand and to name this owner id and this `kind/namespace/name`. */
  | { readonly is: "given"; readonly owner: string; readonly resource: string }
  /**
   * It goes, and the key stays ours or goes too. `alone`: nothing else is written, the marker
   * neither.
   */
  | { readonly is: "withdrawn"; readonly alone?: true }
  /** It is what a transfer rests on, and goes in the same batch: one permit, one transfer. */
  | { readonly is: "used" }
  /**
   * It is ours and stands at a key that is not: it goes, marker and data stay, whoever's they are.
   */
  | { readonly is: "tidied" };

/** What a marker is to say. */
export interface MarkerSpec {
  readonly owner: string;
  readonly provenance: Provenance;
}

/**
 * All changes of one name, markers included once `prepare` has run; never split over two batches.
 * Where a group cannot be one call (Z-10) `prepare` gives the next step of its sequence, one write,
 * and `rest`.
 */
export interface ChangeGroup {
  readonly name: DnsName;
  /** What the planner decided, key by key; kept for reports. */
  readonly keys: readonly KeyChange[];
  /**
   * The writes in the order in which they are carried out: removals first (RFC 2136 §3.4.2.2 drops
   * silently).
   */
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
  /** Only with a step of a sequence that has more steps: what follows it. Absent = nothing does. */
  readonly rest?: SequenceRest;
  /**
   * True for a step that goes on from what stands, by a call that sees nothing but the record set
   * that it writes: the name must have been read just before (Z-10). Absent = the call itself
   * asserts what it rests on.
   */
  readonly resumes?: true;
}

/**
 * What is still to be written after one step of a sequence (Z-10). The name is read after each
 * step, and the next one is planned from what the zone holds then: a call sees only the record set
 * that it writes, a server may have dropped that in silence, and whoever goes on, after a crash
 * too, needs nothing but the zone.
 */
export interface SequenceRest {
  /** The writes that follow if nobody interferes, in order; never empty. */
  readonly writes: readonly Change[];
  /** Milliseconds until the next step; 0 = at once. An edit of what is wanted does not wait. */
  readonly afterMs: number;
}

/** A change that was wanted and not made (DESIGN §1). */
export interface Hold {
  readonly key: RecordSetKey;
  /** One table in `plan/hold-reasons.ts`: `ForeignRecord`, `NoTargets`, `FuseTripped`, … */
  readonly code: string;
  readonly message: string;
  readonly provenance: Provenance | null;
  /**
   * What would be written, where a planned change is held: by a pause, the fuse, a fence. Null =
   * its marker alone. Absent = not known, nothing was planned.
   */
  readonly change?: Change | null;
  /**
   * Of a held removal, how it is known that nobody wants the record. Null or absent = it is none,
   * or rests on no proof.
   */
  readonly proof?: AbsenceProof | null;
  /**
   * Its wish takes no part in the contest for the name, whoever else wants it (admit.ts). Absent =
   * it does, or there is none.
   */
  readonly isRefused?: true;
}

/** The plan of one name. Sorted by key. */
export interface NamePlan {
  readonly name: DnsName;
  readonly changes: readonly KeyChange[];
  readonly holds: readonly Hold[];
}

/** What became of one group. Exactly one for each group handed to `apply`. */
export type Outcome =
  | { readonly name: DnsName; readonly status: "applied" }
  | { readonly name: DnsName; readonly status: "precondition-failed"; readonly message: string }
  | {
      readonly name: DnsName;
      readonly status: "rejected";
      readonly code: string;
      readonly message: string;
    }
  | {
      readonly name: DnsName;
      readonly status: "retry";
      readonly afterMs: number | null;
      readonly message: string;
      /**
       * True = not done as far as the server knows, and all the same it may take effect. Absent =
       * nothing was written.
       */
      readonly mayStand?: true;
    }
  | { readonly name: DnsName; readonly status: "unknown"; readonly message: string };
