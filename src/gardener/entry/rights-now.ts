/**
 * What an entry says about rights counts at once, also in zones that hear nothing else of it now: its spec cannot be read,
 * no provider serves it, or it is on its way to another zone. What it wanted there stays; what it permits does not. Pure.
 */
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { NO_TRANSFER, type TransferStatement } from "../../model/transfer-wish.ts";
import { statementOf } from "../../sources/source.ts";
import type { Contribution } from "../../sync/contract.ts";
import {
  type EntryDecision,
  type EntryWorld,
  isSameZone,
  newSendings,
  type Route,
} from "./world.ts";

/** The decision, with every zone told of the annotations as they are now. */
export function withRights(world: EntryWorld, decision: EntryDecision): EntryDecision {
  const said = statementOf(world.found);
  if (said === null) return decision;
  const heard = [...decision.send.map(({ key }) => key), ...decision.unroute];
  const others = world.routes.filter(
    ({ key, contribution }) => !contribution.deleting && !heard.some((one) => isSameZone(one, key)),
  );
  const told = newSendings(
    others.map((route) => toldOf(route, said)),
    others,
  );
  return told.length === 0 ? decision : { ...decision, send: [...decision.send, ...told] };
}

function toldOf({ key, zone, contribution }: Route, said: TransferStatement) {
  return { key, zone, contribution: saying(contribution, said) };
}

function saying(contribution: Contribution, said: TransferStatement): Contribution {
  const { found } = contribution;
  const items = found.items.map((item) => wishing(item, said));
  const spoken = found.said === undefined ? {} : { said };
  return { ...contribution, found: { ...found, items, ...spoken } };
}

function wishing(
  { transfer: _, ...item }: DesiredRecordSet,
  { transfer }: TransferStatement,
): DesiredRecordSet {
  const isSaid = JSON.stringify(transfer) !== JSON.stringify(NO_TRANSFER);
  return isSaid ? { ...item, transfer } : item;
}
