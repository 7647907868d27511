/** What the engine offers to its callers. Interfaces only. */
import type { DnsName } from "../../model/dns-name.ts";
import type { ObjectKey } from "../../model/provenance.ts";
import type { Contribution } from "./contribution.ts";
import type { ContributionReport, UnwantedRecordsListener } from "./contribution-report.ts";
import type { FenceTaking } from "./fence-status.ts";
import type { NameExplanation } from "./name-explanation.ts";
import type { OwnershipOrder, ZoneOwnership } from "./ownership-rows.ts";
import type { OpenZoneInput, ZoneCut, ZoneKey } from "./zone.ts";
import type { ZoneStatus } from "./zone-status.ts";

/**
 * The publishing half of the program. Methods without a promise are synchronous; work happens in
 * zone actors.
 */
export interface PublishEngine {
  /**
   * Starts an actor. Opening an open key replaces its setup without reloading when the zone is the
   * same.
   */
  openZone(setup: OpenZoneInput): void;
  /** Stops the actor after the call in flight. Removes nothing from the zone (S17). */
  closeZone(key: ZoneKey): Promise<void>;
  isOpen(key: ZoneKey): boolean;
  /**
   * What an object wants in a zone; null = in none that is known now, so that what it lists is kept
   * wherever it stands (Z-2).
   */
  contribute(key: ZoneKey | null, contribution: Contribution): void;
  /** The object was seen deleted or is missing from a newer complete list. */
  withdraw(object: ObjectKey, proof: "deleted-object" | "missing-from-list"): void;
  /** The object is no longer routed to this zone; no proof of anything: its records stay (Z-2). */
  unassign(key: ZoneKey, object: ObjectKey): void;
  /**
   * What the zone says about who answers for a name in it; null = the zone has not been read yet
   * (Z-18).
   */
  cutOf(key: ZoneKey, name: DnsName): ZoneCut | null;
  /**
   * Told when the name servers at some apex that is open, as its own zone or one above holds them,
   * became others.
   */
  onCuts(listener: () => void): () => void;
  /** A gate may have opened: names that waited for it are looked at again. */
  gatesChanged(): void;
  onReport(listener: (report: ContributionReport) => void): () => void;
  /** Told when what is held of an object at names that it no longer lists has changed. */
  onUnwantedRecords(listener: UnwantedRecordsListener): () => void;
  status(): readonly ZoneStatus[];
  /** One for each open zone that could hold the name. Never rejects for want of an answer. */
  explain(name: DnsName): Promise<readonly NameExplanation[]>;
  /**
   * Whose what is at these names (null = at all), in every open zone that could hold one of them.
   */
  ownership(names: ReadonlySet<DnsName> | null): Promise<readonly ZoneOwnership[]>;
  /**
   * Takes a person's orders for a zone; carried out in its next rounds. False = no such zone, or
   * too many at once.
   */
  order(key: ZoneKey, requests: readonly OwnershipOrder[]): boolean;
  /**
   * Approves the set of changes that a fuse holds under this hash (Z-16); answers the zones that
   * had it.
   */
  approve(hash: string): Promise<readonly ZoneKey[]>;
  /**
   * Takes our owner id from another installation, by its election domain, in every zone that it
   * stops us in (Z-17); `dryRun` only tells what would be written. One zone's trouble keeps no
   * other from being taken.
   */
  takeOwner(from: string, dryRun: boolean): Promise<readonly FenceTaking[]>;
  /** Lets calls in flight finish, starts none. */
  stop(): Promise<void>;
}
