/**
 * The last look at removals that rest on a move between zones (SAFETY Z-18): right before they are
 * sent the other zone is read through its provider. What it does not hold becomes a hold here.
 * Everything else passes unseen.
 */
import type { DnsName } from "../../model/dns-name.ts";
import type { KeyChange, NamePlan } from "../../plan/changes.ts";
import { holdChange } from "../../plan/held-change.ts";
import type { Guard, ZoneCounts } from "./guard.ts";
import { OuterGuard } from "./outer-guard.ts";

/** Which of these names the zones that they move to were just seen to hold as wanted. */
export type ConfirmMoves = (names: readonly DnsName[]) => Promise<ReadonlySet<DnsName>>;

/** Stands before another guard, so that a fuse counts only what is really about to go. */
export class MoveGuard extends OuterGuard {
  readonly #confirm: ConfirmMoves;

  constructor(inner: Guard, confirm: ConfirmMoves) {
    super(inner);
    this.#confirm = confirm;
  }

  async admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]> {
    const moving = plans.filter((plan) => plan.changes.some(restsOnMove)).map(({ name }) => name);
    if (moving.length === 0) return this.inner.admit(plans, zone);
    const confirmed = await this.#confirm(moving);
    return this.inner.admit(
      plans.map((plan) => (confirmed.has(plan.name) ? plan : holdMoves(plan))),
      zone,
    );
  }
}

function restsOnMove({ proof }: KeyChange): boolean {
  return proof === "moved-zone";
}

function holdMoves(plan: NamePlan): NamePlan {
  const held = plan.changes.filter(restsOnMove).map((one) => ({
    ...holdChange(one, {
      code: "MovedUnconfirmed",
      message: "the zone that is in charge of the name now was not seen to hold it yet",
    }),
    // What was not confirmed proves nothing.
    proof: null,
  }));
  return {
    ...plan,
    changes: plan.changes.filter((change) => !restsOnMove(change)),
    holds: [...plan.holds, ...held],
  };
}
