/**
 * What the engine offers, one interface for each kind of caller. A caller takes only those that it
 * needs. Interfaces only.
 *
 * Methods without a promise return at once; zone actors do the work later.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ViewedZone } from "../../inbound/zone-view.ts";
import type { ObjectKey } from "../../model/provenance.ts";
import type { Zone } from "../../model/zone.ts";
import type { Propagation, ProviderSession } from "../../providers/provider.ts";
import type { Contribution, ObjectReport } from "./contribution.ts";
import type { FenceTaking } from "./fence-status.ts";
import type { NameExplanation } from "./name-explanation.ts";
import type { NameObjects, NamePage, NameQuery } from "./name-page.ts";
import type { MarkedKind } from "./object-observation.ts";
import type {
  MigrationReport,
  MigrationRequest,
  OwnershipOrder,
  UndoPreview,
  UndoQuery,
  ZoneOwnership,
} from "./ownership-rows.ts";
import type { OpenZoneInput, ZoneCut, ZoneKey } from "./zone.ts";
import type { ChangeHistory, ChangeQuery, ZoneChange } from "./zone-change.ts";
import type { ZoneHealth, ZoneStatus } from "./zone-status.ts";

/** For accounts: which zones the engine works on. */
export interface ZoneHost {
  /**
   * The zones that a session lists, paid from the budget of the account: the call waits for its
   * turn, and a refusal because of too many calls holds the account up. Rejects as the session
   * does.
   */
  listZones(
    account: string,
    session: ProviderSession,
    signal: AbortSignal,
  ): Promise<readonly Zone[]>;
  /**
   * Opens a way into a zone. It gets an actor, unless it leads into an open zone or may do so
   * (Z-18). If the key is open already, its actor gets the new input.
   */
  openZone(input: OpenZoneInput): void;
  /**
   * What is known of a way that waits has changed (Z-18): whether it leads into an open zone is
   * found out again.
   */
  retryZone(key: ZoneKey): void;
  /** Stops the actor after the call in flight. Removes nothing from the zone (S17). */
  closeZone(key: ZoneKey): Promise<void>;
  /** What remains in zones that only this DNSProvider (`namespace/name`) leads into. */
  awaitedRemovals(provider: string): AwaitedRemovals;
}

/** What would be left in zones if nobody led into them any more. */
export interface AwaitedRemovals {
  /** False = a zone is not loaded yet, or its names wait for their first plan. */
  readonly isSettled: boolean;
  /** Names that have records of ours. */
  readonly ownedNames: number;
  /**
   * Record sets of ours that are to be removed because their objects are gone, or that may be once
   * a person has accepted their cluster.
   */
  readonly removals: number;
  /** Hashes of sets that a person has to approve first (Z-16). */
  readonly hashes: readonly string[];
}

/** For controllers of objects: what objects want, and whether they still exist. */
export interface Publisher {
  /** Whether the zone is open; contributions to a closed zone wait until somebody opens it. */
  isOpen(key: ZoneKey): boolean;
  /**
   * Replaces what an object wants in a zone. A null key means that no zone for it is known now:
   * records at the names that the object lists are kept in every zone (Z-2).
   */
  contribute(key: ZoneKey | null, contribution: Contribution): void;
  /** The object was seen deleted, or is missing from a newer complete list. */
  withdraw(object: ObjectKey, proof: "deleted-object" | "missing-from-list"): void;
  /** The object is no longer assigned to the zone. That proves nothing: its records stay (Z-2). */
  unassign(key: ZoneKey, object: ObjectKey): void;
}

/** For controllers that show objects' status. */
export interface ReportSource {
  /**
   * Calls the listener with each new report on objects of this kind and cluster, and on those whose
   * markers name no cluster; absent = on all. The answer ends the subscription.
   */
  onReport(listener: (report: ObjectReport) => void, of?: MarkedKind): () => void;
}

/** For the choice of zones: delegations as open zones hold them (Z-18). */
export interface CutSource {
  /** Where the zone passes authority for the name on; null = the zone is not read yet. */
  cutOf(key: ZoneKey, name: DnsName): ZoneCut | null;
  /**
   * Calls the listener when the name servers of an open apex changed, in its own zone or in one
   * above it; the answer ends the subscription.
   */
  onCuts(listener: () => void): () => void;
}

/** For imports: what open zones hold, and when it changed. */
export interface ZoneViews {
  /** The zone with this apex or id. */
  view(zone: string): ViewedZone;
  /**
   * Calls the listener when records of a zone, or what is known of these names, may have changed,
   * and, without names, when the zone has taken changes of ours; the answer ends it.
   */
  onChange(
    listener: (
      apex: DnsName,
      id: string,
      names: Iterable<DnsName> | "all",
      taken?: readonly ZoneChange[],
    ) => void,
  ): () => void;
}

/** For `plan`, `explain`, metrics and the web page: what zones hold and why. Changes nothing. */
export interface Explainer {
  status(): readonly ZoneStatus[];

  /** The health of each zone; costs a little for each zone, whatever it holds. */
  health(): readonly ZoneHealth[];
  /** One for each open zone that could hold the name. Rejects for no zone that cannot be read. */
  explain(name: DnsName): Promise<readonly NameExplanation[]>;
  /**
   * What became of the last change that this process made of the name, as the provider says; null =
   * nobody knows. Costs a call of the account at the most; never rejects.
   */
  propagationOf(key: ZoneKey, name: DnsName): Promise<Propagation | null>;
  /** Names of zones, in their order. */
  names(query: NameQuery): Promise<NamePage>;
  /** Whose the name is; both empty = nobody lists it, and no marker of ours is there. */
  objectsAt(name: DnsName): NameObjects;
  /** What zones have taken from us, the newest first; empty where no journal is kept. */
  history(query: ChangeQuery): Promise<ChangeHistory>;
}

/** For people who decide about ownership and held changes. */
export interface OwnershipControl {
  /**
   * Who owns the record sets at these names (null = at all), in every open zone that may hold one.
   */
  ownership(names: ReadonlySet<DnsName> | null): Promise<readonly ZoneOwnership[]>;
  /**
   * Takes orders for a zone; its next rounds carry them out. False = no such zone is open, or too
   * many orders wait.
   */
  order(key: ZoneKey, orders: readonly OwnershipOrder[]): boolean;
  /** What can be taken back now of the changes that are asked for (ADR 0122). Never rejects. */
  undo(query: UndoQuery): Promise<UndoPreview>;
  /** Approves the set of changes that a fuse holds under this hash (Z-16); answers its zones. */
  approve(hash: string): Promise<readonly ZoneKey[]>;
  /** Brings markers to another form, or reports what that would write; one report for each zone. */
  migrate(request: MigrationRequest): Promise<readonly MigrationReport[]>;
}

/** For people who settle which of two installations has an owner id. */
export interface FenceControl {
  /**
   * Takes our owner id from another installation, by its election domain, in every zone that it
   * stops us in (Z-17). With `dryRun` it only reports what it would write. A zone that fails stops
   * no other zone.
   */
  takeOwner(from: string, dryRun: boolean): Promise<readonly FenceTaking[]>;
}

/** What controllers of objects and accounts use together. */
export type PublishEngine = ZoneHost & Publisher & ReportSource & CutSource;
