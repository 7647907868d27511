/**
 * Moves of names between zones (Z-18): the same name is served by another zone, `to`, instead of
 * `from`. It is written to the new zone, read there, and then removed from the old one. Decides
 * which removals a move allows; writes nothing. A host of an Ingress that is changed is not a move
 * but two names: source-controllers/entries/plan-entries.ts.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { type DnsName, isAtOrBelow, parentOf } from "@zonekeeper/dns/names/dns-name";
import { isMarkOf, resourceOf } from "../../model/provenance.ts";
import {
  asPlain,
  type DesiredRecordSet,
  hasSameData,
  isPart,
  isSameKey,
  type RecordSet,
} from "../../model/record-set.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { HoldCause } from "../../plan/hold-at.ts";
import { isSatisfied } from "../../plan/hold-reasons.ts";
import type { Contribution } from "../contract/contribution.ts";
import { zoneKeyText } from "../contract/zone.ts";
import { cutIn, cutOf, type NamesOfZone } from "../delegation/zone-cuts.ts";
import type { Elsewhere } from "../zone/name-planner.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/** Names that one call reads for a confirmation. */
const CONFIRM_MAX = 200;

/**
 * What objects want in other zones than that of `from`. `apart`: contributions at a name through
 * ways that are not proven to lead into an open zone.
 */
export function elsewhereOf(
  from: () => ZoneActor | null,
  open: () => readonly ZoneActor[],
  apart: (name: DnsName) => readonly Contribution[],
): Elsewhere {
  return {
    wants(set) {
      const actor = from();
      return actor !== null && isWantedElsewhere(actor, set, open());
    },
    inOtherZones: (name) => [
      ...open()
        .filter((zone) => zone !== from() && zone.state !== null)
        .flatMap((zone) => zone.index.listing(name)),
      ...apart(name),
    ],
  };
}

/**
 * True when the object in this marker desires the name in the one zone to which the name can have
 * moved.
 */
function isWantedElsewhere(
  from: ZoneActor,
  set: OwnedRecordSet,
  open: readonly ZoneActor[],
): boolean {
  const target = targetOf(from, set.name, open);
  const wanted = target?.index.wanted(set.name) ?? [];
  return wanted.some(({ provenance }) => isMarkOf(set.marker, provenance));
}

/**
 * The open zone that a name moves to; null for none, for two, and for a zone of the same apex.
 */
function targetOf(from: ZoneActor, name: DnsName, open: readonly ZoneActor[]): ZoneActor | null {
  const listing = from.index.listing(name);
  const [to, ...others] = open.filter(
    (zone) =>
      zone.apex !== from.apex &&
      isAtOrBelow(name, zone.apex) &&
      (listing.length === 0
        ? zone.index.wanted(name).length > 0
        : listing.some(({ movedTo }) => movedTo && zone.ways.get(zoneKeyText(movedTo)) !== null)),
  );
  return others.length > 0 ? null : (to ?? null);
}

/** Held names of `from` whose records may go, because `names` are published in `to` now. */
export function freedNames(
  from: ZoneActor,
  to: ZoneActor,
  names: ReadonlySet<DnsName> | "all",
): readonly DnsName[] {
  // clause: published-name-frees-former
  const renamed = from.ledger.awaited.freedBy(names, (name) => resourcesAt(to, name));
  return from === to ? [...renamed] : [...renamed, ...movedNames(from, to, names)];
}

/** Objects in markers at the name, and objects that share a record there because data is equal. */
function resourcesAt({ state, index, ledger }: ZoneActor, name: DnsName): readonly string[] {
  const marked = state?.owned.at(name).flatMap(({ marker }) => marker?.resource ?? []) ?? [];
  if (ledger.planAt(name)?.holds.every(isSatisfied) === false) return marked;
  return [...marked, ...index.wanted(name).map(({ provenance }) => resourceOf(provenance))];
}

/**
 * Held names of `from` among `names` (or all) that move to `to`, and are in sync there.
 */
function movedNames(
  from: ZoneActor,
  to: ZoneActor,
  names: ReadonlySet<DnsName> | "all",
): readonly DnsName[] {
  if (!isAtOrBelow(to.apex, from.apex) && !isAtOrBelow(from.apex, to.apex)) return [];
  return from.ledger
    .heldNames()
    .filter((name) => (names === "all" || names.has(name)) && to.ledger.planAt(name) === null)
    .filter((name) => targetOf(from, name, [to]) !== null);
}

/**
 * Which of `names` may be removed from `from` (null), and why others may not: their new zone
 * publishes them as desired, and a resolver that follows the delegations does not end at `from` any
 * more. Both are read now, because a snapshot may be older than a change of the delegation. A zone
 * that cannot be read confirms nothing.
 */
export async function confirmMoves(
  from: ZoneActor,
  names: readonly DnsName[],
  open: readonly ZoneActor[],
): Promise<ReadonlyMap<DnsName, HoldCause | null>> {
  const confirmed = new Map<DnsName, HoldCause | null>();
  for (const [to, moving] of byTarget(from, names, open))
    for (let at = 0; at < moving.length; at += CONFIRM_MAX)
      for (const [name, cause] of await confirmPart(from, to, moving.slice(at, at + CONFIRM_MAX)))
        confirmed.set(name, cause);
  return confirmed;
}

async function confirmPart(
  from: ZoneActor,
  to: ZoneActor,
  names: readonly DnsName[],
): Promise<readonly Confirmed[]> {
  const above = isAtOrBelow(to.apex, from.apex) ? from : to;
  const read = await readOrNothing(to, names);
  const path = await pathOf(above, names);
  if (path === null) return [];
  // The upper zone decides where a resolver ends: in this zone, or in the zone that it delegates.
  const endsAtFrom = (name: DnsName): boolean =>
    (cutOf(path, above.apex, name).at === above.apex) === (above === from);
  const causeAt = (name: DnsName): HoldCause | null =>
    // clause: moved-name-is-delegated
    endsAtFrom(name) ? notDelegated(name, from.apex, to.apex) : null;
  return names
    .filter(/* clause: moved-name-is-published */ (name) => isPublished(to, name, read))
    .map((name) => [name, causeAt(name)]);
}

type Confirmed = readonly [name: DnsName, cause: HoldCause | null];

/** The hold where the new zone has the record, and the old one does not delegate to it. */
function notDelegated(name: DnsName, from: DnsName, to: DnsName): HoldCause {
  return {
    code: "MovedUndelegated",
    message: `${name} is published in ${to}, and ${from} does not delegate it there, so that resolvers find the record of ${from}, which stays as it is: add the NS records of ${to} to ${from}, or exclude ${to} by spec.domains.exclude of its DNSProvider`,
  };
}

/**
 * The records at the names and at each name between them and the apex, where delegations are; null
 * = they cannot be read.
 */
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

function byTarget(
  from: ZoneActor,
  names: readonly DnsName[],
  open: readonly ZoneActor[],
): ReadonlyMap<ZoneActor, readonly DnsName[]> {
  const targets = new Map<ZoneActor, DnsName[]>();
  for (const name of names) {
    const to = targetOf(from, name, open);
    if (to === null) continue;
    const moving = targets.get(to) ?? [];
    moving.push(name);
    targets.set(to, moving);
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

/**
 * All desired record sets at the name are owned by us, were just read, and are below no delegation.
 */
function isPublished(to: ZoneActor, name: DnsName, read: readonly RecordSet[]): boolean {
  const owned = to.state?.owned;
  const wanted = to.index.wanted(name);
  if (owned === undefined || wanted.length === 0) return false;
  if (cutIn(to, name)?.at !== to.apex) return false;
  const ours = owned.at(name).filter((set) => owned.isOwnedByUs(set));
  return wanted.every(
    (wish) =>
      ours.some((set) => isSameKey(set, wish)) &&
      read.some((set) => isSameKey(set, asPlain(wish)) && holds(to, set, wish)),
  );
}

function holds({ zoneInput }: ZoneActor, set: RecordSet, wish: DesiredRecordSet): boolean {
  const ttlSeconds = wish.ttlSeconds ?? zoneInput.defaultTtlSeconds;
  const { provenance: _, owner: __, createdAtMs: ___, ...data } = asPlain(wish);
  const wanted = zoneInput.session.normalize({ ...data, ttlSeconds }, zoneInput.zone);
  if (!isPart(wish) && zoneInput.joins !== true) return hasSameData(set, wanted);
  return wanted.values.every((value) => set.values.includes(value));
}
