/** The collaborators of a zone actor. Interface only. */
import type { DnsName } from "../../model/dns-name.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Random } from "../../ports/random.ts";
import type { AbsenceTracker } from "../absence/absence-tracker.ts";
import type { DesiredState } from "../cache/desired-state.ts";
import type { SomeNames } from "../cache/zone-state.ts";
import type { AccountBudget } from "../calls/account-budget.ts";
import type { SyncSettings } from "../contract/settings.ts";
import type { OpenZoneInput } from "../contract/zone.ts";
import type { FenceOptions } from "../fence/zone-fence.ts";
import type { Guard } from "../guards/guard.ts";
import type { Migration } from "./marker-migration.ts";
import type { Elsewhere, Identity } from "./name-planner.ts";
import type { OwnershipOrders } from "./ownership-orders.ts";

/** What an actor works with. */
export interface ActorOptions {
  readonly zoneInput: OpenZoneInput;
  readonly desiredState: DesiredState;
  readonly identity: Identity;
  readonly absences: AbsenceTracker;
  readonly guard: Guard;
  /** Brings the markers of the zone to another form when an operator asks for it. */
  readonly migration: Migration;
  /** Absent = no other installation can write. */
  readonly fence?: FenceOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: SyncSettings;
  /** Of the account. */
  readonly budget: AccountBudget;
  /** A zone that may be this one under another identity (Z-18); null = none. */
  readonly twin: () => OpenZoneInput["zone"] | null;
  readonly elsewhere: Elsewhere;
  /** Orders of people about ownership in this zone. */
  readonly orders: OwnershipOrders;
  /** Called with raw names that one of our calls has written, or may have written. */
  readonly onWrote: (names: ReadonlySet<string>) => void;
  /** Called with names whose records may have changed; never from inside `enqueue`. */
  readonly onMoved: (names: SomeNames) => void;
  /**
   * Called with names whose reports may have changed, or with all; never from inside `enqueue`.
   * Resolves when the reports were sent, or at once while earlier reports are being sent.
   */
  readonly onSettled: (names: ReadonlySet<DnsName> | "all") => Promise<void>;
}
