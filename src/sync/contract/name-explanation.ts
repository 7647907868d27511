/** Everything known about one name in one zone, for `explain`. Types only. */
import type { DnsName } from "../../model/dns-name.ts";
import type { ObjectKey } from "../../model/provenance.ts";
import type { DesiredRecordSet, RecordSet, RecordSetKey } from "../../model/record-set.ts";
import type { Hold } from "../../plan/changes.ts";
import type { FenceRecord } from "./fence-record.ts";
import type { FenceStatus } from "./fence-status.ts";
import type { ZoneKey } from "./zone.ts";
import type { HeldSetStatus } from "./zone-status.ts";

/** One object that lists a name. */
export interface NameClaim {
  readonly object: ObjectKey;
  /** Null = it wants no record there now. */
  readonly set: DesiredRecordSet | null;
  /**
   * `first`: has the name. `held`: has it, and cannot be written. `behind`: another object comes
   * first (Z-15). `refused`: takes no part. `waits`: has no address. `leaves`: is being deleted.
   */
  readonly place: "first" | "held" | "behind" | "refused" | "waits" | "leaves";
  /** Why, for people; empty with `first` and `leaves`. */
  readonly reason: string;
}

/** One record set that stands at a name, and whose it is. */
export interface ExistingSet {
  readonly type: string;
  readonly setIdentifier: string | null;
  /** Null = only its marker stands. */
  readonly data: RecordSet | null;
  readonly whose: "ours" | "another" | "nobody" | "contested";
  /** Owner ids in its markers; several only when contested. */
  readonly owners: readonly string[];
  readonly resource: string | null;
}

/** A record set at a name that is no record of a user: one of those that say whose records are. */
export interface MarkerRecord {
  /** As it stands. */
  readonly set: RecordSet;
  /** `unknown`: it has the form of a marker, and speaks for nothing that stands. */
  readonly is: "marker" | "permit" | "fence" | "unknown";
  /** The record sets that it speaks for; empty with `fence` and `unknown`. */
  readonly of: readonly RecordSetKey[];
  /**
   * Null = it is neither marker nor fence, or several markers in one record set that name different
   * owners.
   */
  readonly whose: "ours" | "another" | null;
  /** In the marker; empty = it proves nobody's right. Null = it is no marker, or several. */
  readonly owner: string | null;
  /** Null = the marker names none. */
  readonly resource: string | null;
  /**
   * Of a marker in another format than the zone's registry writes; null = it is the registry's own.
   */
  readonly format: string | null;
  /**
   * A further marker of records that have one: where those stand that count for them. Absent = it
   * counts itself, or none does.
   */
  readonly beside?: readonly DnsName[];
  /** What a fence says; null = nothing that this version can read. Absent = it is no fence. */
  readonly fence?: FenceRecord | null;
}

/** A name server of a zone. */
export interface ZoneServer {
  readonly name: string;
  /** Empty for a name outside the zone. */
  readonly addresses: readonly string[];
}

/** Everything known about one name in one zone. */
export interface NameExplanation {
  readonly zone: ZoneKey;
  /** Of the zone. */
  readonly apex: DnsName;
  /** Where the provider reaches the zone. */
  readonly endpoint: string;
  /** Why nothing is written to the zone; null = it is not paused. */
  readonly paused: string | null;
  /** Name servers at the zone's apex, with the addresses that the zone itself has for them. */
  readonly servers: readonly ZoneServer[];
  readonly name: DnsName;
  /**
   * `settled`: known, and as wanted. `open`: something is held, fails or is in the making.
   * `unknown`: nobody lists it and nothing stands there. `trouble`: the zone cannot be read now.
   */
  readonly verdict: "settled" | "open" | "unknown" | "trouble";
  readonly desired: readonly DesiredRecordSet[];
  /** Everybody who lists the name: first those that want a record, in the conflict order. */
  readonly claims: readonly NameClaim[];
  readonly standing: readonly ExistingSet[];
  /** Markers and the like that stand at this very name; absent = none. */
  readonly marks?: readonly MarkerRecord[];
  readonly current: readonly RecordSet[];
  readonly owner: string | null;
  readonly resource: string | null;
  readonly holds: readonly Hold[];
  /** Sets that wait for approval and that a change of this name is in. */
  readonly heldSets: readonly HeldSetStatus[];
  readonly lastOutcome: string | null;
  /** Unix milliseconds; null = nothing is scheduled. */
  readonly nextTryAtMs: number | null;
  /** Of the zone; absent = there is no fence. */
  readonly fence?: FenceStatus;
}
