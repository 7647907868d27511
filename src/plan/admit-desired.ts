/**
 * Which wishes may take part at all: no marker's form, managed type, active owner, no delegation.
 * Looks at no record.
 */
import type { DesiredRecordSet } from "../model/record-set.ts";
import type { Hold } from "./changes.ts";
import { holdAt } from "./hold-reasons.ts";
import type { PlanRules } from "./rules.ts";

/** Types that belong to the parent side of a delegation, RFC 1034 §4.2.1 and RFC 4035 §2.4. */
const AT_THE_CUT: ReadonlySet<string> = new Set(["NS", "DS"]);

/**
 * Every wish is in `wants` or in `refused`, never in both; each refused one has its hold, which
 * says so.
 */
export interface Admitted {
  readonly contenders: readonly DesiredRecordSet[];
  readonly refused: readonly DesiredRecordSet[];
  readonly holds: readonly Hold[];
}

/** Parts wishes that may compete for the name from those that are held whoever else wants it. */
export function admitDesired(desired: readonly DesiredRecordSet[], rules: PlanRules): Admitted {
  const contenders: DesiredRecordSet[] = [];
  const refused: DesiredRecordSet[] = [];
  const holds: Hold[] = [];
  for (const wish of desired) {
    const hold = refusal(wish, rules);
    if (hold === null) contenders.push(wish);
    else {
      refused.push(wish);
      holds.push({ ...hold, isRefused: true });
    }
  }
  return { contenders, refused, holds };
}

function refusal(wish: DesiredRecordSet, rules: PlanRules): Hold | null {
  const { provenance } = wish;
  const blocker = rules.refused?.get(wish);
  if (blocker !== undefined) return holdAt(wish, { ...blocker, provenance });
  if (!rules.managedTypes.has(wish.type))
    return holdAt(wish, {
      code: "UnmanagedType",
      message: `records of type ${wish.type} are not managed here`,
      provenance,
    });
  if (isReserved(wish.name))
    return holdAt(wish, {
      code: "ReservedName",
      message: "names that begin with _permit or _claim carry transfers of rights",
      provenance,
    });
  if (wish.owner !== null && !rules.owners.has(wish.owner))
    return holdAt(wish, {
      code: "OwnerInactive",
      message: `the owner id "${wish.owner}" is not active here`,
      provenance,
    });
  if (rules.delegatedAt === null || isAtCut(wish, rules.delegatedAt)) return null;
  return holdAt(wish, {
    code: "Delegated",
    message: `${rules.delegatedAt} is delegated to other servers; a record here would not be answered`,
    provenance,
  });
}

/**
 * Only the program writes permits (DESIGN §6): a user's text at such a name could be read as one.
 */
function isReserved(name: string): boolean {
  return /^_(?:permit|claim)[.-]/.test(name);
}

/** The delegation itself is written in the parent zone. */
function isAtCut(wish: DesiredRecordSet, delegatedAt: string): boolean {
  return wish.name === delegatedAt && AT_THE_CUT.has(wish.type);
}
