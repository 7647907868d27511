/**
 * The last look before anything is sent: pause, dry run and the fuse (SAFETY Z-16, DESIGN §7.7). What is not
 * admitted becomes a hold. Interfaces only; the fuse's arithmetic is plan/fuse.ts.
 */
import type { Hold, NamePlan } from "../plan/changes.ts";

/** A plan with what may not be sent taken out of it. */
export interface Admitted {
  /** Same name; changes that may be sent. */
  readonly plan: NamePlan;
  /** What was taken out, as holds. */
  readonly held: readonly Hold[];
}

/** Decides over all plans of one round of one zone. */
export interface Guard {
  /** One answer for each plan, in order. `ownedSets` = owned record sets that stand in the zone now. */
  admit(plans: readonly NamePlan[], ownedSets: number): Promise<readonly Admitted[]>;
  /** Tells that these changes were confirmed, for counting. */
  applied(plan: NamePlan): Promise<void>;
}
