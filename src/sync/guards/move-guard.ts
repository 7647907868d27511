/**
 * Holds removals that rest on a move between zones, until the other zone was read through its
 * provider and has the desired records (Z-18, order: guard.ts). Other changes pass. It comes
 * before the fuse, so that the fuse counts only removals that are about to be sent.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KeyChange, NamePlan } from "../../plan/changes.ts";
import { type HoldCause, holdChange } from "../../plan/hold-at.ts";
import { type Guard, OuterGuard, type ZoneCounts } from "./guard.ts";

/**
 * Answers the names whose desired records were just read in the zones that they move to: null =
 * resolvers end there, else why the former record is still needed. The others are not confirmed.
 */
export type ConfirmMoves = (
  names: readonly DnsName[],
) => Promise<ReadonlyMap<DnsName, HoldCause | null>>;

const UNCONFIRMED: HoldCause = {
  code: "MovedUnconfirmed",
  message:
    "the zone that now answers for the name has not been read with the record yet; the record stays here until then",
};

/** The guard of moves out of one zone. */
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
    const admitted = plans.map((plan) => {
      const cause = confirmed.get(plan.name);
      return cause === null ? plan : holdMoves(plan, cause ?? UNCONFIRMED);
    });
    return this.inner.admit(admitted, zone);
  }
}

function restsOnMove({ proof }: KeyChange): boolean {
  return proof === "moved-zone";
}

function holdMoves(plan: NamePlan, cause: HoldCause): NamePlan {
  const held = plan.changes.filter(restsOnMove).map((one) => ({
    ...holdChange(one, cause),
    // A move that is not confirmed proves nothing.
    proof: null,
  }));
  return {
    ...plan,
    changes: plan.changes.filter((change) => !restsOnMove(change)),
    holds: [...plan.holds, ...held],
  };
}
