/**
 * What an entry's annotations say of rights and of a pause counts at once, also in zones that hear
 * nothing else of it now: its spec cannot be read, no provider serves it, or it is on its way to
 * another zone. What it wanted there stays. Pure.
 */
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { NO_TRANSFER, type ObjectTransfer } from "../../model/transfer-request.ts";
import { type Found, objectTransferOf } from "../../sources/source.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import {
  type Assignment,
  type EntryContext,
  type EntryDecision,
  isSameZone,
  type NewContribution,
  newContributions,
} from "./entry-context.ts";

/** The decision, with every zone told of the annotations as they are now. */
export function withRights(world: EntryContext, decision: EntryDecision): EntryDecision {
  const said = objectTransferOf(world.found);
  if (said === null) return decision;
  const heard = [...decision.send.map(({ key }) => key), ...decision.unassign];
  const others = world.assignments.filter(
    ({ key, contribution }) => !contribution.deleting && !heard.some((one) => isSameZone(one, key)),
  );
  const told = newContributions(
    others.map((route) => toldOf(route, { said, paused: world.found.paused })),
    others,
  );
  return told.length === 0 ? decision : { ...decision, send: [...decision.send, ...told] };
}

/** What the annotations say now. */
interface Said {
  readonly said: ObjectTransfer;
  readonly paused: Found<DesiredRecordSet>["paused"];
}

function toldOf({ key, zone, contribution }: Assignment, now: Said): NewContribution {
  return { key, zone, contribution: saying(contribution, now) };
}

/** What says the same stays the very same text, or it would be sent for ever. */
function saying(contribution: Contribution, { said, paused }: Said): Contribution {
  const items = contribution.found.items.map((item) => wishing(item, said));
  const { paused: before, ...rest } = contribution.found;
  const found = isSame(before, paused)
    ? contribution.found
    : { ...rest, ...(paused === undefined ? {} : { paused }) };
  const spoken = found.objectTransfer === undefined ? {} : { objectTransfer: said };
  return { ...contribution, found: { ...found, items, ...spoken } };
}

function wishing(wish: DesiredRecordSet, { transfer }: ObjectTransfer): DesiredRecordSet {
  const { transfer: before = NO_TRANSFER, ...item } = wish;
  if (isSame(before, transfer)) return wish;
  return isSame(transfer, NO_TRANSFER) ? item : { ...item, transfer };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
