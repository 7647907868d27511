/**
 * The last look before anything is sent: pause, and the fuse (SAFETY Z-16, DESIGN §7.7). What is
 * not admitted becomes a hold of its plan. Interface only.
 */
import type { DnsName } from "../../model/dns-name.ts";
import type { NamePlan } from "../../plan/changes.ts";
import type { HeldSet } from "../../plan/fuse.ts";

/** What of ours stands in the zone now. */
export interface ZoneCounts {
  /** Owned record sets with data. */
  readonly owned: number;
  /** Names with at least one of them. */
  readonly ownedNames: number;
  /** How many of them stand at one name. */
  readonly ownedAt: (name: DnsName) => number;
  /** Markers that claim to be ours without the signature that is required; absent = 0. */
  readonly unsigned?: number;
  /**
   * At most `most` of the names at which these markers stand, in no special order; absent = nobody
   * knows.
   */
  readonly unsignedNames?: (most: number) => readonly string[];
  /**
   * True for a name that holds exactly what is wanted, so that it needs no plan; absent = nobody
   * knows.
   */
  readonly isAsWanted?: (name: DnsName) => boolean;
}

/** Decides over all plans of one round of one zone. */
export interface Guard {
  /**
   * The plans with what may not be sent turned into holds; one for each plan, in order. Whatever
   * must survive a crash is stored when this resolves; what rests on something that could not be
   * stored is among the holds.
   */
  admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]>;
  /** Lets a held set pass that a person has approved by its hash; false when none has it. */
  approve(hash: string): Promise<boolean>;
  /** Sets that wait for approval, as of the last `admit`. */
  heldSets(): readonly HeldSet[];
  /** Why the whole zone is paused; null and absent = it is not. */
  pauseReason?(): string | null;
  /** The zone is left; nothing is looked at any more. Absent = there is nothing to end. */
  close?(): void;
}
