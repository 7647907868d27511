/**
 * Several instances in one zone that share nothing else, for laws about transfers: who reads, plans
 * and writes when is the test's.
 */
import type { DesiredRecordSet } from "../../../src/model/record-set.ts";
import { NO_TRANSFER, type TransferRequest } from "../../../src/model/transfer-request.ts";
import { openTxtOwnership } from "../../../src/ownership/txt/ownership.ts";
import type { MarkerSigning } from "../../../src/ownership/txt/signature.ts";
import type { ChangeGroup } from "../../../src/plan/changes.ts";
import type { PlanRules } from "../../../src/plan/rules.ts";
import { rulesWith } from "../values/plan-rules.ts";
import { nameOf, ORIGIN, parseDesired } from "../values/zone-text.ts";
import { type Step, step } from "./reconcile.ts";
import type { ZoneModel } from "./zone-model.ts";

/** One instance: its owner id, and what its one object wants. */
export interface TransferParty {
  readonly owner: string;
  readonly desired: readonly DesiredRecordSet[];
  /** Absent = it signs nothing. */
  readonly signing?: MarkerSigning;
}

/**
 * A party whose object `service/default/<owner>` wants this line of zone text, and says this about
 * transfers.
 */
export function party(
  owner: string,
  desired: string | null,
  transfer: Partial<TransferRequest> = {},
): TransferParty {
  const answer = { transfer: { ...NO_TRANSFER, ...transfer } };
  const lines = desired === null ? [] : parseDesired(`${desired} ; from=service/default/${owner}`);
  return { owner, desired: lines.map((one) => ({ ...one, ...answer })) };
}

/** A permit for the object of `party(owner, …)`. */
export function permitFor(owner: string): Partial<TransferRequest> {
  return { permit: { owner, resource: `service/default/${owner}` } };
}

/** What a party would do now, from what it sees in `seen`. */
export function planned(
  { owner, desired, signing }: TransferParty,
  seen: ZoneModel,
  name = "www",
  { atomic = true, ...more }: { readonly atomic?: boolean } & Partial<PlanRules> = {},
): Promise<Step> {
  const isOwnedByUs = (one: string): boolean => one === owner;
  const signed = signing === undefined ? {} : { signing };
  const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs, atomic, ...signed });
  const rules = rulesWith({ owners: new Set([owner]), mainOwner: owner, ...more });
  return step(nameOf(name), { zone: seen, ownership, desired, rules });
}

/** Each party in turn until nobody writes; answers the groups that were written. */
export async function settleParties(
  parties: readonly TransferParty[],
  zone: ZoneModel,
  options: { readonly name?: string; readonly atomic?: boolean } = {},
): Promise<readonly ChangeGroup[]> {
  const written: ChangeGroup[] = [];
  for (let count = 0; count < 20; count++) {
    const before = written.length;
    for (const one of parties) {
      const { group } = await planned(one, zone.copy(), options.name, options);
      if (group === null || group.changes.length === 0) continue;
      if (!zone.apply(group)) throw new Error(`${one.owner}: a precondition failed alone`);
      written.push(group);
    }
    if (written.length === before) return written;
  }
  throw new Error("still writing after 20 rounds");
}
