/**
 * The planner: compares the desired with the current record sets of one name, and returns changes
 * and holds. Pure. Rights are decided here (Z-7). Preconditions and markers are added by
 * ownership/, limits over many names by the fuse.
 *
 *   desired ─► admitDesired ─► resolveConflicts ─► decideWanted ──► create, replace, mark ─┐
 *              may it exist    which object        is the key ours? or hold                │
 *              at all?         gets the name?      what differs?                           ├─► plan
 *   current ────────────────────────┴────────────► decideUnwanted ► remove, or hold ───────┘
 *                                                  is absence proven?
 *
 * Example: an Ingress host changes to a name that another owner has in another zone. The plan of
 * the new name holds the record (decideWanted: ForeignRecord), and its entry is Error. The plan of
 * the old name removes our record once absence is proven (decideUnwanted), without waiting for the
 * new one (source-controllers/entries/plan-entries.ts). If one name moves between zones, its old
 * record stays until the other zone has it (sync/guards/move-guard.ts: MovedUnconfirmed, Z-18).
 */
import { compareText } from "@zonekeeper/base/compare-text";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { objectKeyText } from "../model/provenance.ts";
import { compareKeys, type DesiredRecordSet } from "../model/record-set.ts";
import { admitDesired } from "./admit-desired.ts";
import type { Hold, KeyChange, NamePlan, OwnedRecordSet } from "./changes.ts";
import { claimFormerKeys, putPermitsInOrder, removeStalePermits } from "./claims.ts";
import { decideUnwanted } from "./decide-unwanted.ts";
import { decideWanted } from "./decide-wanted.ts";
import { settleMemberTtl } from "./member-ttl.ts";
import { type Decision, isChange, isCreate, isHold } from "./name-context.ts";
import { isReleaseRequested } from "./release.ts";
import { holdSharer, resolveConflicts } from "./resolve-conflicts.ts";
import { isOwnedByUs, type Marked } from "./rights.ts";
import type { PlanRules } from "./rules.ts";
import { collectTransfers } from "./transfer-requests.ts";
import { withdrawEndedPermits } from "./withdraw-permit.ts";

/**
 * Plans one name. `desired` and `current` are the record sets at that name, in any order; they are
 * not changed. The same input gives the same plan; a name that is as desired has an empty plan.
 * Changes are sorted by key, holds by key and then by the held object.
 */
export function planName(
  name: DnsName,
  desired: readonly DesiredRecordSet[],
  current: readonly OwnedRecordSet[],
  rules: PlanRules,
): NamePlan {
  const inOrder = current.length < 2 ? current : [...current].sort(compareKeys);
  const present = inOrder.filter(isPresent);
  const admitted = admitDesired(desired, rules);
  const resolved = resolveConflicts(admitted.contenders, { current: present, rules });
  const objectTransfers = collectTransfers(desired, rules);
  const own = present.filter((one): one is Marked => isOwnedByUs(one, rules));
  const context = {
    current: present,
    own,
    released: own.filter((one) => isReleaseRequested(one, objectTransfers, rules)),
    winners: resolved.winners,
    contenders: admitted.contenders,
    objectTransfers,
    rules,
  };

  const wanted = context.winners.map((winner) => {
    const settled = settleMemberTtl(winner, context);
    return { winner, decision: "code" in settled ? settled : decideWanted(settled, context) };
  });
  const winnersWhere = (test: (decision: Decision) => boolean) =>
    wanted.filter(({ decision }) => test(decision)).map(({ winner }) => winner);
  const unwanted = decideUnwanted({
    ...context,
    created: winnersWhere(isCreate),
    held: winnersWhere(isHold),
    refused: admitted.refused,
  });

  const decisions = wanted.map(({ decision }) => decision).concat(unwanted);
  const changes = decisions
    .filter(isChange)
    .concat(/* clause: former-keys-are-claimed */ claimFormerKeys(context));
  const permits = [
    ...withdrawEndedPermits(context, changes),
    ...removeStalePermits(current, rules),
  ];
  const shared = resolved.sharers.map((sharer) => {
    const row = wanted.find(({ winner }) => winner === sharer.winner);
    return holdSharer(sharer, row?.decision ?? null, rules);
  });
  const holds = admitted.holds.concat(resolved.holds, shared, decisions.filter(isHold));
  return {
    name,
    changes: putPermitsInOrder(
      /* clause: type-change-is-one-call */ [...changes, ...permits].sort(byKey),
    ),
    holds: holds.sort(byKeyAndObject),
  };
}

/** False for an orphaned permit: a permit record without data and marker. */
function isPresent({ data, marker }: OwnedRecordSet): boolean {
  return data !== null || marker !== null;
}

function byKey(a: KeyChange | Hold, b: KeyChange | Hold): number {
  return compareKeys(a.key, b.key);
}

function byKeyAndObject(a: Hold, b: Hold): number {
  return byKey(a, b) || compareText(objectText(a), objectText(b)) || compareText(a.code, b.code);
}

function objectText(hold: Hold): string {
  return hold.provenance === null ? "" : objectKeyText(hold.provenance);
}
