/**
 * Gives the transfer and pause annotations of an entry to every zone that it contributes to, at
 * once. Where the decision changes nothing in a zone (the spec cannot be read, no provider serves
 * it, or the entry moves to another zone), the contribution there is repeated with the present
 * annotations. Pure.
 */
import { newContributions } from "../../controllers/publication/published-kind.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import { NO_TRANSFER, type ObjectTransfer } from "../../model/transfer-request.ts";
import { type Found, objectTransferOf } from "../../sources/source.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import { isSameZone } from "../../sync/contract/zone.ts";
import type { EntryContext, EntryDecision } from "./entry-context.ts";

/** The decision, with the present annotations contributed to every assigned zone. */
export function withCurrentRequests(context: EntryContext, decision: EntryDecision): EntryDecision {
  const transfer = objectTransferOf(context.found);
  if (transfer === null) return decision;
  const reached = [...decision.send.map(({ key }) => key), ...decision.unassign];
  const others = context.assignments.filter(
    ({ key, contribution }) =>
      !contribution.deleting && !reached.some((one) => isSameZone(one, key)),
  );
  const updates = newContributions(
    others.map(({ key, zone, contribution }) => ({
      ...{ key, zone, contribution: withRequest(contribution, transfer, context.found.paused) },
    })),
    others,
  );
  return updates.length === 0 ? decision : { ...decision, send: [...decision.send, ...updates] };
}

/** An unchanged request gives an equal contribution, which is not sent again. */
function withRequest(
  contribution: Contribution,
  transfer: ObjectTransfer,
  paused: Found<DesiredRecordSet>["paused"],
): Contribution {
  const items = contribution.found.items.map((item) => withTransfer(item, transfer));
  const { paused: before, ...rest } = contribution.found;
  const found = isSameJson(before, paused)
    ? contribution.found
    : { ...rest, ...(paused === undefined ? {} : { paused }) };
  const objectTransfer = found.objectTransfer === undefined ? {} : { objectTransfer: transfer };
  return { ...contribution, found: { ...found, items, ...objectTransfer } };
}

function withTransfer(desired: DesiredRecordSet, { transfer }: ObjectTransfer): DesiredRecordSet {
  const { transfer: before = NO_TRANSFER, ...item } = desired;
  if (isSameJson(before, transfer)) return desired;
  return isSameJson(transfer, NO_TRANSFER) ? item : { ...item, transfer };
}
