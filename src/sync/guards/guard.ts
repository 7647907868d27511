/**
 * What checks the plans of one round before anything is sent (docs/safety.md#no-calls). A change
 * that a guard does not admit becomes a hold of its plan. Each guard wraps the next one:
 *
 *   plans of a round
 *     │ FenceGuard     holds changes at the names that are reserved for fences
 *     │   MoveGuard      holds removals that rest on a move, until the other zone was read (Z-18)
 *     │     PauseGuard     holds everything while the zone is paused
 *     │       SigningGuard   holds everything while own markers lack a required signature (Z-13)
 *     │         FuseGuard      holds removals and updates beyond its limits (Z-16)
 *     │ FenceGuard     holds everything while another installation has our owner id (Z-17)
 *     ▼
 *   admitted changes and holds
 *
 * The fuse is the innermost, because it must count only changes that no other guard holds. The
 * fence itself comes last, because the first plan that the fuse sees must be whole. Interface only.
 */

import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { NamePlan } from "../../plan/changes.ts";
import type { HeldSet } from "../../plan/fuse-state.ts";
import type { ReadProgress } from "./first-plan.ts";

/** Counts of the records that we own in the zone now. */
export interface ZoneCounts {
  /** Owned record sets with data. */
  readonly owned: number;
  /** Names with at least one of them. */
  readonly ownedNames: number;
  /** How many of them exist at one name. */
  readonly ownedAt: (name: DnsName) => number;
  /** How many of the owned record sets have a marker of an object of the namespace. */
  readonly ownedIn: (namespace: string) => number;
  /** Markers that claim to be ours without the signature that is required; absent = 0. */
  readonly unsigned?: number;
  /**
   * At most `most` owner names of these markers, in no special order; absent = not known.
   */
  readonly unsignedNames?: (most: number) => readonly string[];
  /**
   * True for a name whose records are exactly the desired ones, so that it needs no plan; absent =
   * not known.
   */
  readonly isAsWanted?: (name: DnsName) => boolean;
  /** The fence record says that first contact with the zone is over (Z-24); absent = not known. */
  readonly wasMet?: boolean;
  /** Owner ids of DNSOwners that are on here; absent = none. */
  readonly furtherOwners?: ReadonlySet<string>;
  /** The zone has records of this owner id. Absent = none of a further id. */
  readonly hasRecordsOf?: (owner: string) => boolean;
  /** The object changed since this process first read it; absent = not known. */
  readonly hasChanged?: (desired: DesiredRecordSet) => boolean;
  readonly readProgress?: ReadProgress;
}

/** Decides over all plans of one round of one zone. */
export interface Guard {
  /**
   * Turns changes that may not be sent into holds; answers one plan for each, in order. When this
   * resolves, all state that must survive a crash is stored. A change that needs state which could
   * not be stored is held.
   */
  admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]>;
  /** Lets a held set pass that a person has approved by its hash; false when none has it. */
  approve(hash: string): Promise<boolean>;
  /** Sets that wait for approval, as of the last `admit`. */
  heldSets(): readonly HeldSet[];
  /** First contact with the zone is over (Z-24); absent = not known. */
  isMet?(): boolean;
  /** Why the whole zone is paused; null and absent = it is not. */
  pauseReason?(): string | null;
  /** Why no removal is made now (`FuseBlind`), for people; null and absent = some are. */
  removalTrouble?(): string | null;
  /** The zone is closed: ends timers and subscriptions. Absent = there are none. */
  close?(): void;
}

/** A guard that wraps another one. */
export abstract class OuterGuard implements Guard {
  protected readonly inner: Guard;

  constructor(inner: Guard) {
    this.inner = inner;
  }

  abstract admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]>;

  approve(hash: string): Promise<boolean> {
    return this.inner.approve(hash);
  }

  heldSets(): readonly HeldSet[] {
    return this.inner.heldSets();
  }

  isMet(): boolean {
    return this.inner.isMet?.() === true;
  }

  pauseReason(): string | null {
    return this.inner.pauseReason?.() ?? null;
  }

  removalTrouble(): string | null {
    return this.inner.removalTrouble?.() ?? null;
  }

  close(): void {
    this.inner.close?.();
  }
}
