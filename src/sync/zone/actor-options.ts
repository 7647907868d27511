/** What a zone actor works with. Interface only. */
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
  /** Of the zone's markers to another form, if somebody asks for it. */
  readonly migration: Migration;
  /** Absent = nobody else can write. */
  readonly fence?: FenceOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: SyncSettings;
  /** Of the account. */
  readonly budget: AccountBudget;
  /** A zone that may be this one seen through another identity (Z-18); null = none. */
  readonly twin: () => OpenZoneInput["zone"] | null;
  readonly elsewhere: Elsewhere;
  /** What people ordered about rights in this zone. */
  readonly orders: OwnershipOrders;
  /** Called with raw names that a call of ours has written, or may have written. */
  readonly onWrote: (names: ReadonlySet<string>) => void;
  /** Called with names whose records may be others than before; never from inside `touch`. */
  readonly onMoved: (names: SomeNames) => void;
  /**
   * Called with names whose reports may have changed, or with all; never from inside `touch`.
   * Resolves when they went out, or at once when others are still going out before them.
   */
  readonly onSettled: (names: ReadonlySet<DnsName> | "all") => Promise<void>;
}
