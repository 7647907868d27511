/**
 * Withdraws permits, the records by which an owner lets one object of another owner claim a record:
 * the owner that gave a permit removes it, or the one that used it. It does not wait where the
 * record at the key is held: a withdrawn right ends at once (docs/safety.md#transfer). Pure.
 */
import { isSameKey } from "../model/record-set.ts";
import { changeAt, type KeyChange, type PermitRecord } from "./changes.ts";
import { isStillGiven } from "./claims.ts";
import type { NameContext } from "./name-context.ts";
import { isContestedWithUs, isOwnedByUs, type Marked, objectIn } from "./rights.ts";
import { absenceOf, mayObjectWant } from "./rules.ts";
import { transfersFor } from "./transfer-requests.ts";

/** A record set of ours with a permit. */
type Permitting = Marked & { readonly permit: PermitRecord };

/**
 * One change for each permit that its object no longer gives. `decided`: the other changes at the
 * name, which may settle a permit already.
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
  // A new permit is given when no other change is left; it then replaces the former permit.
  const isGivenNow = decided.every(({ permit }) => permit?.is === "given");
  const isSettled = (one: Permitting): boolean =>
    decided.some(
      ({ key, permit }) =>
        isSameKey(key, one) && permit !== undefined && (permit.is !== "given" || isGivenNow),
    );
  return permitting
    .filter(({ permit }) => rules.owners.has(permit.owner) || rules.owners.has(permit.toOwner))
    .filter((one) => hasEnded(one, context) && !isSettled(one))
    .map((one) => withdrawPermit(one));
}

/** The withdrawal of a permit whose data change is held; null = the change removes no permit. */
export function permitWithdrawalOf({ current, permit }: KeyChange): KeyChange | null {
  return permit?.is === "withdrawn" && isPermitting(current) ? withdrawPermit(current) : null;
}

function isPermitting(one: KeyChange["current"]): one is Permitting {
  return one !== null && one.marker !== null && one.permit !== undefined;
}

/**
 * True when the object in the marker was read and does not give the permit, or is proven not to
 * want the record: objects of another account may keep the record then, but not the permit. An
 * object that was not read counts as giving it.
 */
function hasEnded(
  one: Permitting,
  { objectTransfers, rules }: Pick<NameContext, "objectTransfers" | "rules">,
): boolean {
  const transfers = transfersFor(one, objectTransfers);
  if (transfers.length === 0) return !mayObjectWant(absenceOf(rules, one));
  return !transfers.some(({ transfer }) => isStillGiven(one.permit, one, { transfer, rules }));
}

function withdrawPermit(one: Permitting): KeyChange {
  const { name, type, marker, permit } = one;
  const provenance = objectIn(marker);
  const message = `"${permit.toOwner}" may no longer claim ${name} ${type}`;
  return changeAt(
    one,
    { code: "PermitWithdrawn", message },
    {
      marker: provenance === null ? null : { owner: marker.owner, provenance },
      permit: { is: "withdrawn", alone: true },
    },
  );
}
