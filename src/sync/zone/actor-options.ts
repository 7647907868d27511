/** The collaborators of a zone actor. Interface only. */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { Random } from "@zonekeeper/base/ports/random";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { AbsenceTracker } from "../absence/absence-tracker.ts";
import type { DesiredState } from "../cache/desired-index.ts";
import type { SomeNames } from "../cache/zone-state.ts";
import type { FurtherIds } from "../contract/fence-status.ts";
import type { SyncSettings } from "../contract/settings.ts";
import type { ZoneTenancy } from "../contract/zone.ts";
import type { ZoneChange } from "../contract/zone-change.ts";
import type { FenceOptions } from "../fence/zone-fence.ts";
import type { Guard } from "../guards/guard.ts";
import type { Migration } from "./marker-migration.ts";
import type { Elsewhere, Identity } from "./name-planner.ts";
import type { OwnershipOrders } from "./ownership-orders.ts";
import type { Way } from "./way.ts";

/** What an actor works with. */
export interface ActorOptions {
  /** The first account that leads into the zone; its registry and rules stay when it is left. */
  readonly way: Way;
  readonly desiredState: DesiredState;
  readonly identity: Identity;
  readonly absences: AbsenceTracker;
  readonly guard: Guard;
  /** Brings the markers of the zone to another form when an operator asks for it. */
  readonly migration: Migration;
  /** Absent = no other installation can write. */
  readonly fence?: FenceOptions;
  /** Owner ids of DNSOwners, besides the main one; absent = none. */
  readonly furtherIds?: FurtherIds;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Called with changes that the zone has taken from us. */
  readonly onApplied: (changes: readonly ZoneChange[]) => void;
  /** True = nothing is sent; what is planned stays in the ledger. Absent = false. */
  readonly isPreview?: boolean;
  readonly metrics: Metrics;
  readonly settings: SyncSettings;
  readonly elsewhere: Elsewhere;
  /** What the DNSProviders of the zone say about its tenants now. */
  readonly tenancy: () => ZoneTenancy;
  /** Orders of people about ownership in this zone. */
  readonly orders: OwnershipOrders;
  /** Called with names whose records may have changed; never from inside `enqueue`. */
  readonly onMoved: (names: SomeNames) => void;
  /**
   * Called at the end of each round, and with names whose reports may have changed, or with all;
   * never from inside `enqueue`. Resolves when the reports of few names were sent.
   */
  readonly onSettled: (names: ReadonlySet<DnsName> | "all") => Promise<void>;
}
