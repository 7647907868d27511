/**
 * Moves of names between zones (SAFETY Z-18): the new zone first, then a reading of it, then the old one. Answers what
 * the move allows; it writes nothing.
 */
import { type DnsName, isAtOrBelow, parentOf } from "../model/dns-name.ts";
import { OperationError } from "../model/operation-error.ts";
import {
  type DesiredRecordSet,
  hasSameData,
  isSameKey,
  type RecordSet,
} from "../model/record-set.ts";
import type { AbsenceVerdict } from "../plan/rules.ts";
import type { Contribution, ZoneCut, ZoneKey } from "./contract.ts";
import type { ZoneActor } from "./zone-actor.ts";
import { cutOf, type NamesOfZone } from "./zone-cut.ts";

/** Names that are read in one call for a confirmation. */
const CONFIRM_MAX = 200;

/**
 * What a move adds to the proof that a record set at `name` may go. `proven` = the verdict without the move; `here` =
 * contributions that list the name in this zone; `delegation` = that of the name in this zone, null = none.
 */
export function verdictOnMove(
  name: DnsName,
  proven: AbsenceVerdict,
  {
    here,
    delegation,
  }: { readonly here: readonly Contribution[]; readonly delegation: ZoneCut | null },
): AbsenceVerdict {
  if (!proven.proven || !here.some((said) => said.movedTo !== undefined)) return proven;
  // An address below the cut that the delegation's own server has is glue (RFC 9499 §7): without it nobody gets there.
  if (delegation?.servers.includes(name) === true)
    return {
      proven: false,
      code: "GlueNeeded",
      message: `${name} serves the delegation of ${delegation.at}; its address stays beside it`,
    };
  return { proven: true, proof: "moved-zone" };
}

/** Of `names`, those that `from` holds because they move to `to`, while nothing is open about them there. */
export function movedNames(
  from: ZoneActor,
  to: ZoneActor,
  names: ReadonlySet<DnsName>,
): readonly DnsName[] {
  if (!isAtOrBelow(to.apex, from.apex) && !isAtOrBelow(from.apex, to.apex)) return [];
  const { account, zone } = to.setup.key;
  return from.ledger
    .heldNames()
    .filter((name) => names.has(name) && to.ledger.planAt(name) === null)
    .filter((name) =>
      from.index
        .listing(name)
        .some(({ movedTo }) => movedTo?.account === account && movedTo.zone === zone),
    );
}

/** Other zones by key; null = not open. */
export type FindZone = (key: ZoneKey) => ZoneActor | null;

/**
 * Which of `names`, that are leaving `from`, may go: their new zone holds them as they are wanted there, and a resolver
 * that comes from above does not end at `from` any more. Both by readings of now, because a snapshot may be behind a
 * delegation that just changed. A zone that cannot be read confirms nothing.
 */
export async function confirmMoves(
  from: ZoneActor,
  names: readonly DnsName[],
  find: FindZone,
): Promise<ReadonlySet<DnsName>> {
  const confirmed = new Set<DnsName>();
  for (const [to, moving] of byTarget(from, names, find)) {
    const above = isAtOrBelow(to.apex, from.apex) ? from : to;
    for (let at = 0; at < moving.length; at += CONFIRM_MAX) {
      const part = moving.slice(at, at + CONFIRM_MAX);
      const [read, path] = [await readOrNothing(to, part), await pathOf(above, part)];
      for (const name of part) {
        const cut = path === null ? null : cutOf(path, above.apex, name);
        const isFree = cut !== null && (above === from) === (cut.at !== above.apex);
        if (isFree && isStanding(to, name, read)) confirmed.add(name);
      }
    }
  }
  return confirmed;
}

/** What stands at the names and on the way up to the apex of a zone, where delegations are; null = not to be read. */
async function pathOf(zone: ZoneActor, names: readonly DnsName[]): Promise<NamesOfZone | null> {
  const way = new Set<DnsName>();
  for (const name of names)
    for (let at: DnsName | null = name; at !== null && at !== zone.apex; at = parentOf(at))
      way.add(at);
  try {
    const read = await zone.readNow([...way]);
    return { at: (name) => read.filter((set) => set.name === name) };
  } catch (error) {
    if (error instanceof OperationError) return null;
    throw error;
  }
}

/** The one zone that each name goes to; a name that goes to two, to none that is open, or to a namesake stays. */
function byTarget(
  from: ZoneActor,
  names: readonly DnsName[],
  find: FindZone,
): ReadonlyMap<ZoneActor, DnsName[]> {
  const targets = new Map<ZoneActor, DnsName[]>();
  for (const name of names) {
    const moves = from.index.listing(name).flatMap(({ movedTo }) => movedTo ?? []);
    const [to, ...others] = new Set(moves.map(find));
    if (to === undefined || to === null || others.length > 0) continue;
    if (to.apex === from.apex) continue;
    targets.set(to, [...(targets.get(to) ?? []), name]);
  }
  return targets;
}

async function readOrNothing(
  to: ZoneActor,
  names: readonly DnsName[],
): Promise<readonly RecordSet[]> {
  try {
    return await to.readNow(names);
  } catch (error) {
    if (error instanceof OperationError) return [];
    throw error;
  }
}

/** Everything wanted at the name is ours there, was just read, and is not hidden below a delegation. */
function isStanding(to: ZoneActor, name: DnsName, read: readonly RecordSet[]): boolean {
  const owned = to.state?.owned;
  const wanted = to.index.wanted(name);
  if (owned === undefined || wanted.length === 0) return false;
  if (to.cutOf(name)?.at !== to.apex) return false;
  const ours = owned.at(name).filter((set) => owned.isOurs(set));
  return wanted.every(
    (wish) =>
      ours.some((set) => isSameKey(set, wish)) &&
      read.some((set) => isSameKey(set, wish) && holds(to, set, wish)),
  );
}

function holds({ setup }: ZoneActor, set: RecordSet, wish: DesiredRecordSet): boolean {
  const ttlSeconds = wish.ttlSeconds ?? setup.defaultTtlSeconds;
  const { provenance: _, owner: __, createdAtMs: ___, ...data } = wish;
  return hasSameData(set, setup.session.normalize({ ...data, ttlSeconds }));
}
