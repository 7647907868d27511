/**
 * What the engine offers to controllers: zones are opened, objects contribute names to them, reports come back.
 * Interfaces only. The engine is level-based: the last contribution of an object to a zone is what counts.
 */
import type { DnsName } from "../model/dns-name.ts";
import type { ObjectKey } from "../model/provenance.ts";
import type { DesiredRecordSet, RecordSet, RecordSetKey } from "../model/record-set.ts";
import type { Zone } from "../model/zone.ts";
import type { Ownership } from "../ownership/ownership.ts";
import type { Hold, NamePlan } from "../plan/changes.ts";
import type { Adoption, Policy } from "../plan/rules.ts";
import type { ProviderSession } from "../providers/provider.ts";
import type { Found } from "../sources/source.ts";
import type { FenceRecord } from "./fence-record.ts";
import type { RightsRequest } from "./rights-desk.ts";

/** A zone of an account. */
export interface ZoneKey {
  /** Account id: equal for equal provider type, settings and secret. */
  readonly account: string;
  readonly zone: string;
}

/** What an opened zone works with. The session is shared by all zones of its account and not closed by the engine. */
export interface ZoneSetup {
  readonly key: ZoneKey;
  readonly zone: Zone;
  readonly session: ProviderSession;
  readonly ownership: Ownership;
  readonly policy: Policy;
  readonly adoption: Adoption;
  readonly managedTypes: ReadonlySet<string>;
  /** Seconds. */
  readonly defaultTtlSeconds: number;
}

/** What one object wants in one zone. Replaces what it contributed before, whole. */
export interface Contribution {
  readonly object: ObjectKey;
  /** `metadata.generation` that this was computed from; echoed in reports. */
  readonly generation: number;
  readonly found: Found<DesiredRecordSet>;
  /** The object has a deletionTimestamp: it wants nothing any more, and that is proven. `found.items` are ignored. */
  readonly deleting: boolean;
  /**
   * The object's names are published in that zone, of another apex, which is in charge of them now: what it has here may
   * go once a reading of that zone shows them (Z-18). Absent = it wants them here.
   */
  readonly movedTo?: ZoneKey;
}

/** Where the authority for a name passes on, as one zone holds it (RFC 9499 §7, zone cut). */
export interface ZoneCut {
  /** The topmost delegation at or above the name; the zone's own apex when it answers for the name itself. */
  readonly at: DnsName;
  /** Name servers there: values of its NS record set, sorted. */
  readonly servers: readonly string[];
}

/** How a name of a contribution stands. */
export type NameState =
  /** Confirmed in the zone by an outcome or a load. */
  | "published"
  /** Planned or in flight; nothing went wrong yet. */
  | "pending"
  /** Wanted and not made; see holds. */
  | "held"
  /** The last attempt failed and will be repeated. */
  | "failed"
  /** Withdrawn, and nothing of it is in the zone any more. */
  | "removed";

/** One name of one contribution. */
export interface NameReport {
  readonly name: DnsName;
  readonly state: NameState;
  /** Hold code, or the failure's code; null when published, pending or removed. */
  readonly code: string | null;
  /** For people: why; empty when published. */
  readonly message: string;
  /** What stands in the zone for this object's keys at that name. */
  readonly sets: readonly RecordSet[];
  /** True when records of this object are in the zone (Stale rather than Error). */
  readonly standing: boolean;
}

/** Where a contribution stands after something about it changed. */
export interface ContributionReport {
  readonly object: ObjectKey;
  readonly zone: ZoneKey;
  readonly generation: number;
  /** Sorted by name. Empty for a deleting object whose names are all gone. */
  readonly names: readonly NameReport[];
}

/** An object as the API server of one cluster has it now. */
export interface LiveObject {
  readonly cluster: string;
  /** `metadata.generation`; null where it is another object of that name than the one that was heard of. */
  readonly generation: number | null;
  /**
   * Of an object that contributes through others: whether it is complete and does not list the name. Absent = what it
   * wants is what it contributed in that generation.
   */
  omits?(name: DnsName): boolean;
}

/** What API servers say about an object when they are asked now. */
export type LiveAnswer =
  | { readonly is: "absent" }
  /** Wherever it was found; at least one. */
  | { readonly is: "alive"; readonly objects: readonly LiveObject[] }
  /** `code` is a hold reason: `KindGone` = not served or not allowed, `NotSynced` = no answer. */
  | {
      readonly is: "unknown";
      readonly code: "NotSynced" | "KindGone";
      /** For people. */
      readonly message: string;
    };

/** Answers about objects that markers name, and about whether absence can be known at all (Z-2, Z-3). */
export interface AbsenceOracle {
  /** `open` when every enabled kind that could name things is listed completely and live; else which and why. */
  gate(): { readonly open: true } | { readonly open: false; readonly reason: string };
  /** The object in a marker's `resource`; `cluster` null = this one. `unknown` when its kind is not watched and live. */
  object(cluster: string | null, resource: string): "alive" | "absent" | "unknown";
  /**
   * For objects that contribute through others made from them (a Service through its DNSEntries): true when the object
   * is alive and what it says now is complete and does not list the name (Z-2). No method = never known.
   */
  omits?(cluster: string | null, resource: string, name: DnsName): boolean;
  /**
   * For the same objects: true when one is seen alive whose source, looked at now, lists the name or cannot tell that it
   * does not. No method = never known.
   */
  lists?(cluster: string | null, resource: string, name: DnsName): boolean;
  /**
   * True when the object is alive and its source, looked at now, lists the name without any address for it. Asked before
   * a grace that is over lets its record go (Z-4). No method = never known, and nothing goes.
   */
  lacksTargets?(cluster: string | null, resource: string, name: DnsName): boolean;
  /**
   * Asks the API servers that may hold the object, past every cache; never rejects for want of an answer. Asked before a
   * removal is sent that rests on what was heard before its record was read (Z-2, ADR 0021). No method = that is proof
   * enough.
   */
  askNow?(cluster: string | null, resource: string): Promise<LiveAnswer>;
}

/** What is held of an object at names that it no longer lists; empty = nothing any more. */
export type LeftoverListener = (object: ObjectKey, names: readonly NameReport[]) => void;

/** A set of changes that the fuse of a zone holds; a person approves it by its hash (Z-16). */
export interface HeldSetStatus {
  readonly hash: string;
  /** `next-removals` came after `removals` had tripped; its hash changes while more join it. */
  readonly kind: "removals" | "next-removals" | "updates";
  /** How many changes are in it. */
  readonly changes: number;
}

/** How a zone is kept from stale writers and from another installation with our owner id (SAFETY Z-17). */
export interface FenceStatus {
  /**
   * `unused`: nothing was written yet. `record`: batches compare our record. `lease`: there is no record, and writing
   * stops early enough before the Lease ends. `stopped`: nothing is written until a person decides.
   */
  readonly mode: "unused" | "record" | "lease" | "stopped";
  /** Our election domain; null = it cannot be known. */
  readonly domain: string | null;
  readonly epoch: number;
  /** A hold reason; null unless `stopped`. */
  readonly code: string | null;
  /** For people: why it is stopped, or why there is no record; else empty. */
  readonly message: string;
  /** The other election domain; null = none is known. */
  readonly other: string | null;
}

/** An owner id that is taken from another installation in one zone: the fence record before and after, as text. */
export interface FenceTaken {
  /** Apex. */
  readonly zone: DnsName;
  readonly now: string;
  readonly next: string;
}

/** A zone where it was not taken. */
export interface FenceNotTaken {
  /** Apex. */
  readonly zone: DnsName;
  /** Why it cannot be read or written, for people. */
  readonly trouble: string;
}

/** What became of one zone. */
export type FenceTaking = FenceTaken | FenceNotTaken;

/** A zone as `plan`, `explain` and the web page show it. */
export interface ZoneStatus {
  readonly key: ZoneKey;
  readonly zone: Zone;
  readonly state: "loading" | "ready" | "failed";
  /** Why nothing is written to the zone; null = it is not paused. */
  readonly paused: string | null;
  /** Several record sets of a name change in one call; else one after the other, and a change of type leaves a gap. */
  readonly isAtomic: boolean;
  /** Last failure of a load or null. */
  readonly message: string | null;
  readonly ownedNames: number;
  readonly foreignNames: number;
  /** Everything that is wanted and not (yet) so, sorted by name. */
  readonly open: readonly NamePlan[];
  /** Names whose object has had no address for over an hour, and whose record stands (Z-4). */
  readonly danglingNames: number;
  /** Sets that wait for a person's approval, in the order in which they are to be looked at. */
  readonly heldSets: readonly HeldSetStatus[];
  /** Absent = there is no fence, because nobody else could write. */
  readonly fence?: FenceStatus;
}

/** One object that lists a name. */
export interface NameClaim {
  readonly object: ObjectKey;
  /** Null = it wants no record there now. */
  readonly set: DesiredRecordSet | null;
  /**
   * `first`: has the name. `held`: has it, and cannot be written. `behind`: another object comes first (Z-15).
   * `refused`: takes no part. `waits`: has no address. `leaves`: is being deleted.
   */
  readonly place: "first" | "held" | "behind" | "refused" | "waits" | "leaves";
  /** Why, for people; empty with `first` and `leaves`. */
  readonly reason: string;
}

/** One record set that stands at a name, and whose it is. */
export interface StandingSet {
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
export interface MarkRecord {
  /** As it stands. */
  readonly set: RecordSet;
  /** `unknown`: it has the form of a marker, and speaks for nothing that stands. */
  readonly is: "marker" | "permit" | "fence" | "unknown";
  /** The record sets that it speaks for; empty with `fence` and `unknown`. */
  readonly of: readonly RecordSetKey[];
  /** Null = it is neither marker nor fence, or several markers in one record set that name different owners. */
  readonly whose: "ours" | "another" | null;
  /** In the marker; empty = it proves nobody's right. Null = it is no marker, or several. */
  readonly owner: string | null;
  /** Null = the marker names none. */
  readonly resource: string | null;
  /** Of a marker in another format than the zone's registry writes; null = it is the registry's own. */
  readonly format: string | null;
  /**
   * A further marker of records that have one: where those stand that count for them. Absent = it counts itself, or none
   * does.
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
   * `settled`: known, and as wanted. `open`: something is held, fails or is in the making. `unknown`: nobody lists it
   * and nothing stands there. `trouble`: the zone cannot be read now.
   */
  readonly verdict: "settled" | "open" | "unknown" | "trouble";
  readonly desired: readonly DesiredRecordSet[];
  /** Everybody who lists the name: first those that want a record, in the conflict order. */
  readonly claims: readonly NameClaim[];
  readonly standing: readonly StandingSet[];
  /** Markers and the like that stand at this very name; absent = none. */
  readonly marks?: readonly MarkRecord[];
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

/** One record set and whose it is, as `ownership list` shows it. */
export interface RightsRow extends RecordSetKey {
  /** What stands there; null = only a marker, or a permit that was left behind. */
  readonly values: readonly string[] | null;
  readonly whose: "ours" | "another" | "nobody" | "contested";
  /** Owner ids in its markers; several only when contested, none when its marker proves nobody's right. */
  readonly owners: readonly string[];
  /** Why the marker proves nobody's right: `MarkerUnsigned`, `MarkerForged`, … Absent = it does, or there is none. */
  readonly trouble?: string;
  readonly resource: string | null;
  /** Exact state of its marker, for orders; null = it has none. */
  readonly marker: string | null;
  /** The format of its marker where that is not the zone's: then it cannot be transferred. Absent = it is. */
  readonly format?: string;
  /** Its marker is in the middle of a sequence (Z-10). */
  readonly isPending: boolean;
  /** `kind/namespace/name` of an object here that wants this very record set; null = none does. */
  readonly wantedBy: string | null;
  /** One that wants it by another account of this zone, where an order for it would have to be given. Absent = none does. */
  readonly wantedBeside?: string;
  /** The adoption rule takes it for that object as soon as it stands without a marker. */
  readonly isAdoptable: boolean;
  /** Who may claim it; null = nobody. */
  readonly permit: { readonly owner: string; readonly resource: string } | null;
}

/** Rights in one open zone. */
export interface ZoneRights {
  readonly key: ZoneKey;
  readonly zone: Zone;
  /** Owner ids that this process acts for, sorted. */
  readonly owners: readonly string[];
  /** The policy and adoption that hold here. */
  readonly adoption: Adoption["mode"];
  /** Why the zone cannot tell now; null = it can. */
  readonly trouble: string | null;
  /** As they were read last; empty until then. */
  readonly rows: readonly RightsRow[];
}

/** The publishing half of the program. Methods without a promise are synchronous; work happens in zone actors. */
export interface PublishEngine {
  /** Starts an actor. Opening an open key replaces its setup without reloading when the zone is the same. */
  openZone(setup: ZoneSetup): void;
  /** Stops the actor after the call in flight. Removes nothing from the zone (S17). */
  closeZone(key: ZoneKey): Promise<void>;
  isOpen(key: ZoneKey): boolean;
  /** What an object wants in a zone; null = in none that is known now, so that what it lists is kept wherever it stands (Z-2). */
  contribute(key: ZoneKey | null, contribution: Contribution): void;
  /** The object was seen deleted or is missing from a newer complete list. */
  withdraw(object: ObjectKey, proof: "deleted-object" | "missing-from-list"): void;
  /** The object is no longer routed to this zone; no proof of anything: its records stay (Z-2). */
  unroute(key: ZoneKey, object: ObjectKey): void;
  /** What the zone says about who answers for a name in it; null = the zone has not been read yet (Z-18). */
  cutOf(key: ZoneKey, name: DnsName): ZoneCut | null;
  /** Told when the name servers at some apex that is open, as its own zone or one above holds them, became others. */
  onCuts(listener: () => void): () => void;
  /** A gate may have opened: names that waited for it are looked at again. */
  gatesChanged(): void;
  onReport(listener: (report: ContributionReport) => void): () => void;
  /** Told when what is held of an object at names that it no longer lists has changed. */
  onLeftover(listener: LeftoverListener): () => void;
  status(): readonly ZoneStatus[];
  /** One for each open zone that could hold the name. Never rejects for want of an answer. */
  explain(name: DnsName): Promise<readonly NameExplanation[]>;
  /** Whose what is at these names (null = at all), in every open zone that could hold one of them. */
  rights(names: ReadonlySet<DnsName> | null): Promise<readonly ZoneRights[]>;
  /** Takes a person's orders for a zone; carried out in its next rounds. False = no such zone, or too many at once. */
  order(key: ZoneKey, requests: readonly RightsRequest[]): boolean;
  /** Approves the set of changes that a fuse holds under this hash (Z-16); answers the zones that had it. */
  approve(hash: string): Promise<readonly ZoneKey[]>;
  /**
   * Takes our owner id from another installation, by its election domain, in every zone that it stops us in (Z-17); `dryRun`
   * only tells what would be written. One zone's trouble keeps no other from being taken.
   */
  takeOwner(from: string, dryRun: boolean): Promise<readonly FenceTaking[]>;
  /** Lets calls in flight finish, starts none. */
  stop(): Promise<void>;
}
