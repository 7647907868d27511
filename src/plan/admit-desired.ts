/**
 * Which desired record sets may compete for the name. Refused are: a text in the form of an
 * ownership marker, a type that is not managed, an owner id that is not active, a name below a
 * delegation. Reads no current record.
 */
import type { DesiredRecordSet } from "../model/record-set.ts";
import type { Hold } from "./changes.ts";
import { holdAt, holdFor } from "./hold-at.ts";
import type { Blocker, PlanRules } from "./rules.ts";

/** Types that belong to the parent side of a delegation, RFC 1034 §4.2.1 and RFC 4035 §2.4. */
const AT_THE_CUT: ReadonlySet<string> = new Set(["NS", "DS"]);

/** Types of a delegation's servers whose names lie below it, RFC 1034 §4.2.1. */
const GLUE: ReadonlySet<string> = new Set(["A", "AAAA"]);

/**
 * Each desired record set is in `contenders` or in `refused`, never in both. Each refused one has a
 * hold with `isRefused`.
 */
export interface Admitted {
  readonly contenders: readonly DesiredRecordSet[];
  readonly refused: readonly DesiredRecordSet[];
  readonly holds: readonly Hold[];
}

/** Separates the contenders for the name from the record sets that are held in any case. */
export function admitDesired(desired: readonly DesiredRecordSet[], rules: PlanRules): Admitted {
  const contenders: DesiredRecordSet[] = [];
  const refused: DesiredRecordSet[] = [];
  const holds: Hold[] = [];
  for (const one of desired) {
    const hold = refusal(one, rules);
    if (hold === null) contenders.push(one);
    else {
      refused.push(one);
      holds.push({ ...hold, isRefused: true });
    }
  }
  return { contenders, refused, holds };
}

function refusal(desired: DesiredRecordSet, rules: PlanRules): Hold | null {
  const { provenance } = desired;
  const blocker = rules.refused?.get(desired);
  if (blocker !== undefined) return holdAt(desired, { ...blocker, provenance });
  if (!rules.managedTypes.has(desired.type))
    return holdFor(
      desired,
      "UnmanagedType",
      `records of type ${desired.type} are not written here: no enabled source manages them`,
    );
  // Only Zonekeeper writes permits (docs/safety.md#user-texts): a user's text at such a name could
  // count as one.
  if (/^_(?:permit|claim)[.-]/.test(desired.name))
    return holdFor(
      desired,
      "ReservedName",
      "names that begin with _permit or _claim are reserved for permits",
    );
  if (desired.owner !== null && !rules.owners.has(desired.owner))
    return holdAt(desired, { ...ownerTrouble(desired.owner, rules), provenance });
  if (rules.delegatedAt === null) return null;
  // The delegation itself is written in the parent zone.
  if (desired.name === rules.delegatedAt && AT_THE_CUT.has(desired.type)) return null;
  if (rules.isGlue === true && GLUE.has(desired.type)) return null;
  return holdFor(
    desired,
    "Delegated",
    `${rules.delegatedAt} is delegated to other servers; resolvers would not find a record in this zone`,
  );
}

function ownerTrouble(owner: string, { waitingOwners }: PlanRules): Blocker {
  const waits = waitingOwners?.get(owner);
  return waits === undefined
    ? {
        code: "OwnerInactive",
        message: `the owner id "${owner}" is not active on this instance; create a DNSOwner for it or switch its DNSOwner on, or name no owner id`,
      }
    : { code: waits.code, message: `owner id "${owner}": ${waits.message}` };
}
