/**
 * One TTL for the members of a routing policy, where the back end keeps them in one record set
 * (`membersShareTtl`). It is that of a foreign member, because we may not change that one; without
 * foreign members the first object in the conflict order that names a TTL decides. Pure.
 */
import {
  type DesiredRecordSet,
  isPart,
  type RecordSet,
  type RecordSetKey,
} from "../model/record-set.ts";
import type { Hold } from "./changes.ts";
import { rankDesired } from "./conflict-order.ts";
import { holdFor } from "./hold-at.ts";
import type { NameContext } from "./name-context.ts";
import { isOwnedByUs } from "./rights.ts";

/** The winner with the TTL of its fellow members; a hold where it says another one. */
export function settleMemberTtl(
  desired: DesiredRecordSet,
  context: NameContext,
): DesiredRecordSet | Hold {
  const isShared = context.rules.membersShareTtl === true || isPart(desired);
  if (!isShared || desired.setIdentifier === null) return desired;
  const shared = sharedTtl(desired, context);
  if (shared === null) return desired;
  const { ttlSeconds } = desired;
  if (ttlSeconds === null || ttlSeconds === shared.ttlSeconds)
    return { ...desired, ttlSeconds: shared.ttlSeconds };
  const remedy = `write ${shared.ttlSeconds} for ${ttlSeconds}, or change all members`;
  const message = `the member ${shared.who} has the TTL ${shared.ttlSeconds}, and members of a routing policy have one TTL; ${remedy}`;
  return holdFor(desired, "RoutingPolicyConflict", message);
}

/** The TTL of all members; `who` is the member that has it, for messages. */
interface SharedTtl {
  readonly who: string;
  readonly ttlSeconds: number;
}

/** Null = no object names a TTL, and no member exists. */
function sharedTtl({ type }: DesiredRecordSet, context: NameContext): SharedTtl | null {
  const { rules, current, winners } = context;
  const isMember = (one: RecordSetKey): boolean => one.type === type && one.setIdentifier !== null;
  const present = current.filter((one) => isMember(one) && one.data !== null);
  const foreign = present.find((one) => !isOwnedByUs(one, rules));
  if (foreign !== undefined) return ttlOf("of another owner", foreign.data);
  const first = firstToSay(winners.filter(isMember), context);
  return first ?? ttlOf("that exists", present[0]?.data ?? null);
}

function ttlOf(who: string, data: RecordSet | null): SharedTtl | null {
  return data === null ? null : { who, ttlSeconds: data.ttlSeconds };
}

/** The first in the conflict order; null = no object says a TTL. */
function firstToSay(members: readonly DesiredRecordSet[], context: NameContext): SharedTtl | null {
  for (const { desired } of rankDesired(members, context)) {
    const { setIdentifier, ttlSeconds } = desired;
    if (ttlSeconds !== null) return { who: setIdentifier ?? "", ttlSeconds };
  }
  return null;
}
