/** Everything known about one name in one zone, for `explain`. Types only. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ObjectKey } from "../../model/provenance.ts";
import type { DesiredRecordSet, RecordSet, RecordSetKey } from "../../model/record-set.ts";
import type { Hold } from "../../plan/changes.ts";
import type { FenceRecord } from "./fence-record.ts";
import type { FenceStatus, OwnerFence } from "./fence-status.ts";
import type { ZoneKey } from "./zone.ts";
import type { HeldSetStatus } from "./zone-status.ts";

/** One object that lists a name. */
export interface NameClaim {
  readonly object: ObjectKey;
  /** Null = it wants no record there now. */
  readonly set: DesiredRecordSet | null;
  /**
   * `first`: wins the name. `held`: wins it, and its change is held. `behind`: another object comes
   * first (Z-15). `shares`: the record of the first object has equal data and is its record, too.
   * `refused`: may not have it. `waits`: has no address. `leaves`: is being deleted.
   */
  readonly place: "first" | "held" | "behind" | "shares" | "refused" | "waits" | "leaves";
  /** Why, for people; empty with `first` and `leaves`. */
  readonly reason: string;
}

/** One existing record set at a name, and its owner. */
export interface ExistingSet {
  readonly type: string;
  readonly setIdentifier: string | null;
  /** Null = there is only its marker. */
  readonly data: RecordSet | null;
  readonly whose: "ours" | "another" | "nobody" | "contested";
  /** Owner ids in its markers; several only when contested. */
  readonly owners: readonly string[];
  readonly resource: string | null;
}

/** A record set at a name that is no user's: a marker, a permit or a fence. */
export interface MarkerRecord {
  /** As the zone has it. */
  readonly set: RecordSet;
  /** `unknown`: it has the form of a marker, and applies to no existing record set. */
  readonly is: "marker" | "permit" | "fence" | "unknown";
  /** The record sets that it applies to; empty with `fence` and `unknown`. */
  readonly of: readonly RecordSetKey[];
  /**
   * Null = it is neither marker nor fence, or several markers in one record set that name different
   * owners.
   */
  readonly whose: "ours" | "another" | null;
  /**
   * Owner id in the marker; empty = it proves no ownership. Null = no marker, or several. Of a
   * fence: its owner id, where this installation acts or waits for it.
   */
  readonly owner: string | null;
  /** Null = the marker names none. */
  readonly resource: string | null;
  /**
   * The format, where it is not the one that the zone's registry writes; null = it is that one.
   */
  readonly format: string | null;
  /**
   * For a secondary marker, names of the markers that count for its record sets. Absent = this
   * marker counts, or none does.
   */
  readonly beside?: readonly DnsName[];
  /** Content of a fence; null = this version cannot read it. Absent = it is no fence. */
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
  /** Apex of the zone. */
  readonly apex: DnsName;
  /** Where the provider reaches the zone. */
  readonly endpoint: string;
  /** Its DNSProviders are in trusted namespaces: any address of theirs may be dialled (Z-29). */
  readonly isTrusted: boolean;
  /** Why nothing is written to the zone; null = it is not paused. */
  readonly paused: string | null;
  /** Name servers at the zone's apex, with the addresses that the zone itself has for them. */
  readonly servers: readonly ZoneServer[];
  readonly name: DnsName;
  /**
   * `settled`: published as wanted. `open`: a change is held, fails or is in progress.
   * `unknown`: no object lists it and no record set exists. `trouble`: the zone cannot be read now.
   */
  readonly verdict: "settled" | "open" | "unknown" | "trouble";
  readonly desired: readonly DesiredRecordSet[];
  /** All objects that list the name: first those that want a record, in the conflict order. */
  readonly claims: readonly NameClaim[];
  readonly standing: readonly ExistingSet[];
  /** Markers, permits and fences at this very name; absent = none. */
  readonly marks?: readonly MarkerRecord[];
  readonly current: readonly RecordSet[];
  readonly owner: string | null;
  readonly resource: string | null;
  readonly holds: readonly Hold[];
  /** Sets that wait for approval and that a change of this name is in. */
  readonly heldSets: readonly HeldSetStatus[];
  /** Asks whether our owner id was changed: all wanted records have one other. Absent = no. */
  readonly ownerQuestion?: string;
  readonly lastOutcome: string | null;
  /** Unix milliseconds since when it is not as wanted, in this process; absent = it is. */
  readonly openSinceMs?: number;
  /** Unix milliseconds; null = nothing is scheduled. */
  readonly nextTryAtMs: number | null;
  /** The fence of the zone for our main owner id; absent = there is none. */
  readonly fence?: FenceStatus;
  /** The fences of all owner ids that this installation has or waits for; absent = none. */
  readonly fences?: readonly OwnerFence[];
  /** What servers answer there without a record at the name. Absent = nothing, or its records. */
  readonly synthesized?: SynthesizedAnswer;
  /** Other servers answer for the name. Absent = the zone does. */
  readonly isDelegated?: true;
  /** Absent = the zone was read, and can be. What it holds is shown as it was read last. */
  readonly unread?: UnreadZone;
}

/** An answer that the server makes of a record at another name. */
export interface SynthesizedAnswer {
  readonly is: "wildcard" | "dname";
  /** The name of the wildcard, or of the DNAME above. */
  readonly at: DnsName;
  /** All sets of the wildcard, or the DNAME; never empty. */
  readonly sets: readonly RecordSet[];
}

/** A zone that is not known as it is now. */
export interface UnreadZone {
  /** Unix milliseconds; null = it is read for the first time now. */
  readonly sinceMs: number | null;
  /** Why it cannot be read; empty with a null `sinceMs`. */
  readonly message: string;
  /** Unix milliseconds of the last reading; null = there was none since the start. */
  readonly readAtMs: number | null;
}
