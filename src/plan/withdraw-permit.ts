/**
 * Taking permits back: by whoever gave them, and what is left of one by whoever has used it. It
 * asks nothing of the record at the key: whatever holds that up, a right that was taken back ends
 * at once (DESIGN §6). Pure.
 */
import { isSameKey, plainKey } from "../model/record-set.ts";
import type { KeyChange, PermitRecord } from "./changes.ts";
import { isStillGiven } from "./claims.ts";
import type { NameContext } from "./name-context.ts";
import { isContestedWithUs, isOwnedByUs, type Marked, objectIn } from "./rights.ts";
import { type AbsenceVerdict, absenceOf, type PlanRules } from "./rules.ts";
import { transfersFor } from "./transfer-requests.ts";

/** A record set of ours with a permit. */
type Permitting = Marked & { readonly permit: PermitRecord };

/**
 * Each permit that its object gives no more, by itself; `decided`: what is done at the name
 * besides.
 */
export function withdrawEndedPermits(
  context: Pick<NameContext, "current" | "objectTransfers" | "rules">,
  decided: readonly KeyChange[],
): readonly KeyChange[] {
  const { current, rules } = context;
  const permitting = current.filter(
    (one): one is Permitting =>
      (isOwnedByUs(one, rules) || isContestedWithUs(one, rules)) && isPermitting(one),
  );
  if (permitting.length === 0) return [];
  // A permit is given when nothing else is to do; then it takes the place of the former one.
  const isGivenNow = decided.every(({ permit }) => permit?.is === "given");
  const isSettled = (one: Permitting): boolean =>
    decided.some(
      ({ key, permit }) =>
        isSameKey(key, one) && permit !== undefined && (permit.is !== "given" || isGivenNow),
    );
  return permitting
    .filter((one) => mayWithdraw(one, rules) && hasEnded(one, context) && !isSettled(one))
    .map((one) => withdrawPermit(one));
}

/**
 * The permit of a change that is not made now goes by itself; null = the change takes none along.
 */
export function permitWithdrawalOf({ current, permit }: KeyChange): KeyChange | null {
  return permit?.is === "withdrawn" && isPermitting(current) ? withdrawPermit(current) : null;
}

function isPermitting(one: KeyChange["current"]): one is Permitting {
  return one !== null && one.marker !== null && one.permit !== undefined;
}

function mayWithdraw({ permit }: Permitting, { owners }: PlanRules): boolean {
  return owners.has(permit.owner) || owners.has(permit.toOwner);
}

/** Its object was read and does not give it, or is proven gone; what is not known is no word. */
function hasEnded(
  one: Permitting,
  { objectTransfers, rules }: Pick<NameContext, "objectTransfers" | "rules">,
): boolean {
  const transfers = transfersFor(one, objectTransfers);
  if (transfers.length === 0) return isGone(absenceOf(rules, one));
  return !transfers.some(({ transfer }) => isStillGiven(one.permit, one, { transfer, rules }));
}

/** Its own object is: what others want by another account keeps the record, and no permit of it. */
function isGone(absence: AbsenceVerdict): boolean {
  return absence.proven || absence.unlessAnswered !== undefined;
}

function withdrawPermit(one: Permitting): KeyChange {
  const { name, type, marker, permit } = one;
  const provenance = objectIn(marker);
  const message = `"${permit.toOwner}" may no longer claim ${name} ${type}`;
  return {
    key: plainKey(one),
    current: one,
    desired: null,
    change: null,
    marker: provenance === null ? null : { owner: marker.owner, provenance },
    reason: { code: "PermitWithdrawn", message },
    proof: null,
    permit: { is: "withdrawn", alone: true },
  };
}
