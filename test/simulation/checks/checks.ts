/**
 * The invariants that must hold at every step (docs/invariants.md): S1 and S2 at each write to the
 * zone, S3 and S4 at each call that is sent. A violation throws and names the record.
 */
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { hasSameData, type RecordSet } from "../../../src/model/record-set.ts";
import type { ChangeGroup, Precondition } from "../../../src/plan/changes.ts";
import { NAMING_KINDS } from "../world/instance.ts";
import { hasSameValues, type Truth, type WantedObject } from "../world/truth.ts";
import {
  type Claimed,
  claimOf,
  claimsOf,
  contentText,
  FOREIGN_VALUE,
  isMixed,
  keyText,
  MARKER_NAME,
  markerNames,
  namesAbout,
} from "../world/zone-truth.ts";
import { isOrphan } from "./arrival-checks.ts";

/** An invariant that did not hold. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** What a writer may change although it has no final marker of its own. */
export interface Exceptions {
  readonly owner: string;
  /** Names that a person has ordered to be taken over. */
  readonly handedOver: ReadonlySet<string>;
  /** Texts of data for which a final marker spoke until its owner began to repair it. */
  readonly repaired: ReadonlySet<string>;
}

/**
 * S1: nothing that was foreign just before the write is changed or gone after it, but what was
 * handed over.
 */
export function checkForeignUntouched(
  before: readonly RecordSet[],
  after: readonly RecordSet[],
  { owner, handedOver, repaired }: Exceptions,
): void {
  const now = new Map(after.map((set) => [keyText(set), contentText(set)]));
  for (const claim of claimsOf(before)) {
    if (claim.owner === owner || claim.set.type === "SOA") continue;
    if (claim.changedBy === owner && repaired.has(contentText(claim.set))) continue;
    if (namesAbout(claim.set.name).some((name) => handedOver.has(name))) continue;
    if (now.get(keyText(claim.set)) !== contentText(claim.set))
      throw new Violation(`S1: foreign ${contentText(claim.set)} was changed`);
  }
}

/**
 * S13: values that a person added to a record set of ours survive. Answers whether there were any.
 */
export function checkForeignValues(
  before: readonly RecordSet[],
  after: readonly RecordSet[],
): boolean {
  const shared = before.filter(({ values }) => values.includes(FOREIGN_VALUE));
  const now = new Map(after.map((set) => [keyText(set), set.values]));
  for (const set of shared)
    if (now.get(keyText(set))?.includes(FOREIGN_VALUE) !== true)
      throw new Violation(`S13: ${contentText(set)} lost what a person had added`);
  return shared.length > 0;
}

/**
 * Data for which a final marker of this owner spoke before the write, and its pending one after it.
 */
export function begunRepairs(
  before: readonly RecordSet[],
  after: readonly RecordSet[],
  owner: string,
): readonly string[] {
  const isOwnedByUs = (claim: Claimed): boolean => claim.owner === owner && !claim.isMarker;
  const own = new Set(
    claimsOf(before).flatMap((one) => (isOwnedByUs(one) ? contentText(one.set) : [])),
  );
  const changing = claimsOf(after).filter(({ changedBy }) => changedBy === owner);
  return changing.map(({ set }) => contentText(set)).filter((text) => own.has(text));
}

/**
 * S2: a write of ours leaves no data of ours without a marker, and adds no data without a marker.
 */
export function checkMarked(
  before: readonly RecordSet[],
  after: readonly RecordSet[],
  owner: string,
): void {
  const had = new Set(before.map(contentText));
  for (const claim of claimsOf(after)) {
    if (claim.isMarker || claim.set.type === "SOA" || had.has(contentText(claim.set))) continue;
    if (claim.owner !== owner)
      throw new Violation(`S2: ${contentText(claim.set)} was written without a marker of ours`);
  }
  checkNoOrphanedData(before, after, owner);
}

/** S2, the other half: a marker may only go together with its data. */
function checkNoOrphanedData(
  before: readonly RecordSet[],
  after: readonly RecordSet[],
  owner: string,
): void {
  const now = new Map(claimsOf(after).map((claim) => [keyText(claim.set), claim]));
  for (const claim of claimsOf(before)) {
    if (claim.owner !== owner || claim.isMarker) continue;
    const later = now.get(keyText(claim.set));
    if (later !== undefined && later.owner === null && later.changedBy !== owner)
      throw new Violation(`S2: ${contentText(claim.set)} lost its marker and stayed`);
  }
}

/**
 * S3, S4: every removal that is sent has a reason that a user gave. S1 checks existing records of
 * other owners, and `checkRemoved` a group whose preconditions do not hold: they let the call fail.
 */
export function checkRemovals(
  groups: readonly ChangeGroup[],
  current: readonly RecordSet[],
  context: RemovalContext,
): void {
  const standing = new Map(current.map((set) => [keyText(set), set]));
  const holds = (one: Precondition): boolean => {
    if (one.is !== "exact") return true;
    const there = standing.get(keyText(one.set));
    return there !== undefined && hasSameData(there, one.set);
  };
  const removed = groups
    .filter(({ preconditions, withdraws }) => withdraws === undefined && preconditions.every(holds))
    .flatMap((group) => group.changes)
    .flatMap((change) => (change.op === "remove" ? [change.previous] : []));
  const next = groups.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.op === "remove" ? [] : [change.next])),
  );
  checkReasons(withoutTwins(removed, [...current, ...next], context), current, context);
}

/** S3, S4: so has what a call of ours did remove, whatever it had read. */
export function checkRemoved(
  before: readonly RecordSet[],
  after: readonly RecordSet[],
  context: RemovalContext,
): void {
  const standing = new Set(after.map(keyText));
  const removed = before.filter((set) => !standing.has(keyText(set)));
  checkReasons(withoutTwins(removed, after, context), before, context);
}

/**
 * What made no room for a type that cannot stand beside it, as a twin may have it: it is there, or
 * about to come (Z-10).
 */
function withoutTwins(
  removed: readonly RecordSet[],
  next: readonly RecordSet[],
  { hasTwin }: RemovalContext,
): readonly RecordSet[] {
  if (!hasTwin) return removed;
  const coming = new Set(
    claimsOf(next)
      .filter(({ set, isMarker }) => !isMarker || set.values.some((text) => PENDING.test(text)))
      .map(keyAbout),
  );
  const others = (type: string): readonly string[] =>
    type === "CNAME" ? ["A", "AAAA", "TXT"] : ["CNAME"];
  const makesRoom = ({ name, type }: RecordSet): boolean =>
    others(type).some((other) => coming.has(`${name} ${other}`));
  return removed.filter((set) => !makesRoom(set));
}

/** A marker whose data is about to be there. */
const PENDING = /external-dns\/data=[^,]*\+[0-9a-f]/;

function checkReasons(
  removed: readonly RecordSet[],
  current: readonly RecordSet[],
  { truth, owner, isGraceOver, mayRemove }: RemovalContext,
): void {
  const claims = new Map<string, Claimed>(claimsOf(current).map((c) => [keyText(c.set), c]));
  for (const set of removed) {
    if (claimOf(set) !== null) continue;
    const { name, type } = set;
    const claim = claims.get(keyText(set));
    const resource = claim?.owner === owner ? claim.resource : null;
    if (resource === null) continue;
    if (mayRemove?.(resource, name, type) === true) continue;
    if (!truth.mayRemove(resource, name, type) && !isGraceOver(resource))
      throw new Violation(`S3: removal of ${name} ${type}, but ${resource} still wants it`);
  }
}

/** Whose removals are looked at. */
export interface RemovalContext extends Pick<CheckContext, "truth" | "owner"> {
  /**
   * The object has had no address for the configured grace, all of it in the life of the present
   * process (Z-4).
   */
  readonly isGraceOver: (resource: string) => boolean;
  /**
   * What the call had a reason for when it was sent, where it arrives late; absent = it does not.
   */
  readonly mayRemove?: (resource: string, name: string, type: string) => boolean;
  /**
   * Another process of the owner lives, and no fence says who leads: then a wish in an older
   * version may come back for as long as one of them hears later of it, the type with it (ADR
   * 0021). The name answers all the while (S7).
   */
  readonly hasTwin: boolean;
}

/** Z-2: each removal carries its proof, unless it makes room for another type of the same name. */
export function checkProofs(groups: readonly ChangeGroup[]): void {
  for (const { desired, proof, reason, key } of groups.flatMap((group) => group.keys))
    if (desired === null && proof === null && reason.code !== "TypeChanged")
      throw new Violation(`Z-2: removal of ${key.name} ${key.type} sent without a proof`);
}

/**
 * S3, Z-3: nothing is removed for want of wishes while a kind that could name it cannot be read.
 */
export function checkGates(groups: readonly ChangeGroup[], view: ClusterView | null): void {
  const removal = groups.flatMap(({ keys }) => keys).find(({ proof }) => proof !== null);
  if (removal === undefined || view === null) return;
  for (const kind of NAMING_KINDS) {
    const state = view.state(kind);
    if (state === "live" || state === "absent") continue;
    const { name, type } = removal.key;
    throw new Violation(`S3: removal of ${name} ${type} sent while ${kind.plural} are ${state}`);
  }
}

/** What one write to the zone did. */
export interface ZoneWrite {
  readonly before: readonly RecordSet[];
  readonly after: readonly RecordSet[];
  readonly owner: string;
  /** Virtual ms. */
  readonly atMs: number;
}

/** Tells the truth which records of live objects were put there by this write. */
export function notePublished({ before, after, owner, atMs }: ZoneWrite, truth: Truth): void {
  const had = new Set(before.map(contentText));
  for (const { set, resource, owner: claimed, isMarker } of claimsOf(after)) {
    if (claimed !== owner || isMarker || resource === null || had.has(contentText(set))) continue;
    truth.published(resource, set, atMs);
  }
}

/** Whose convergence is looked at. */
export interface CheckContext {
  readonly truth: Truth;
  readonly owner: string;
  readonly clusterId: string;
  /** Seconds; what is outside is clamped by the provider (F11). */
  readonly ttl: { readonly minSeconds: number; readonly maxSeconds: number };
  /** S14: a name whose changes are refused, and of which nothing is expected; null = none. */
  readonly poisoned: string | null;
}

/**
 * L1, L4: after the faults, everything wanted stands unless somebody else is in the way, and
 * nothing else is ours.
 */
export function checkConverged(sets: readonly RecordSet[], context: CheckContext): void {
  const { truth, owner, poisoned } = context;
  const claims = claimsOf(sets);
  const isRefused = (name: string): boolean =>
    poisoned !== null && [...namesAbout(name), ...allMarkerNames(name)].includes(poisoned);
  for (const object of truth.objects()) {
    if (!object.settled) continue;
    for (const name of object.names)
      if (!isRefused(name) && !hasSharedMarker(sets, name)) checkName(claims, { name, ...context });
  }
  for (const claim of claims) {
    const { set, resource, owner: claimed } = claim;
    if (isOrphan(claim, context)) continue;
    // The marker of an orphan may have moved: another one wanted its name.
    const isAbout = (one: Claimed): boolean => !one.isMarker && keyAbout(one) === keyAbout(claim);
    if (claims.some((one) => isAbout(one) && isOrphan(one, context))) continue;
    if (claimed !== owner || resource === null || isRefused(set.name)) continue;
    if (isContested(claim, claims)) continue;
    // Z-27: a record set with a value of somebody else is held.
    if (claims.some((one) => isMixed(one.set) && keyAbout(one) === keyAbout(claim))) continue;
    if (namesAbout(set.name).some((name) => hasSharedMarker(sets, name))) continue;
    // Z-2: while an object lists the name and nobody knows what it wants, nothing goes from there.
    const about = namesAbout(set.name);
    const mayList = (resource: string): boolean =>
      about.some((name) => truth.everNamed(resource).has(name));
    if (truth.objects().some((one) => !one.settled && mayList(one.resource))) continue;
    if (truth.get(resource) === null)
      throw new Violation(`L4: ${contentText(set)} is left of ${resource}, which is gone`);
  }
}

/**
 * S13: nothing is changed where a person has put something into the marker's record set: it is
 * held, and said (`MarkerShared`).
 */
export function hasSharedMarker(sets: readonly RecordSet[], name: string): boolean {
  const positions = allMarkerNames(name);
  return sets.some((set) => positions.includes(set.name) && set.values.includes(FOREIGN_VALUE));
}

/**
 * Z-9: if one record has markers of two owners, no owner writes it; a person decides. The record is
 * held, and the hold is reported.
 */
function isContested(claim: Claimed, claims: readonly Claimed[]): boolean {
  const about = keyAbout(claim);
  return claims.some(
    (other) => other.isMarker && other.owner !== claim.owner && keyAbout(other) === about,
  );
}

/** Name and type of the record that is claimed. */
function keyAbout({ set, isMarker }: Claimed): string {
  if (!isMarker) return `${set.name} ${set.type}`;
  const [, typed, label, name = ""] = MARKER_NAME.exec(set.name) ?? [];
  return `${name.replace(/^_wildcard\./, "*.")} ${(typed ?? label ?? "").toUpperCase()}`;
}

interface NameCheck extends CheckContext {
  readonly name: string;
}

/** The name shows what one of the objects that list it wants. */
function checkName(claims: readonly Claimed[], check: NameCheck): void {
  const { name, truth, owner } = check;
  const at = claims.filter(({ set }) => set.name === name);
  const wanting = truth.objects().filter((object) => object.names.includes(name));
  if (wanting.some((object) => !object.settled)) return;
  // What an unsettled object published before may stand for as long as nobody knows what it wants
  // (Z-5).
  const unsettled = (resource: string | null): boolean =>
    resource !== null && truth.get(resource)?.settled === false;
  const inTheWay =
    at.some((claim) => claim.owner !== owner || unsettled(claim.resource)) ||
    at.some((claim) => isOrphan(claim, check)) ||
    // Z-28: an object that is of another cluster is another tenant's.
    claims.some((one) => isAround(one, name) && isOrphan(one, check)) ||
    isKeptForUnread(at, { name, wanting, truth }) ||
    at.some(({ set, isMarker }) => isMarker && set.values.includes(FOREIGN_VALUE)) ||
    at.some(({ set }) => isMixed(set)) ||
    hasForeignMarker(claims, name, owner);
  if (inTheWay) return;
  const shown = at.filter(({ isMarker }) => !isMarker).map(({ set }) => set);
  const fits = wanting.some((object) =>
    object.types.every((type) => isShown(shown, { object, type, ttl: check.ttl })),
  );
  if (fits || isShared(shown, wanting, check)) return;
  const list = wanting.map(({ resource, values }) => `${resource} ${JSON.stringify(values)}`);
  throw new Violation(
    `L1: ${name} shows [${shown.map(contentText).join("; ")}], wanted by ${list.join(", ")}`,
  );
}

/** Below this wildcard, or the wildcard that covers this name. */
function isAround({ set }: Claimed, name: string): boolean {
  const isBelow = (below: string, wildcard: string): boolean =>
    wildcard.startsWith("*.") && below !== wildcard && below.endsWith(wildcard.slice(1));
  return isBelow(set.name, name) || isBelow(name, set.name);
}

/**
 * Z-15 decides for each key: two objects may have a type of the name each. Then everything shown is
 * what somebody wants there, and nothing is missing that could stand beside it.
 */
function isShared(
  shown: readonly RecordSet[],
  wanting: readonly WantedObject[],
  { ttl }: NameCheck,
): boolean {
  const isWanted = (set: RecordSet): boolean =>
    wanting.some((object) => isShown([set], { object, type: set.type, ttl }));
  const isBlocked = (type: string): boolean =>
    shown.some((set) => set.type === type || (set.type === "CNAME") !== (type === "CNAME"));
  return (
    shown.length > 1 &&
    shown.every(isWanted) &&
    wanting.every(({ types }) => types.every(isBlocked))
  );
}

/**
 * Z-2: what was made for somebody who does not want it any more stays while an object of which
 * nobody knows what it wants was the last to list the name.
 */
function isKeptForUnread(
  at: readonly Claimed[],
  {
    name,
    wanting,
    truth,
  }: Pick<NameCheck, "name" | "truth"> & { readonly wanting: readonly WantedObject[] },
): boolean {
  const isLeft = ({ resource }: Claimed): boolean =>
    resource !== null && wanting.every((one) => one.resource !== resource);
  const isUnread = ({ settled, resource }: WantedObject): boolean =>
    !settled && truth.everNamed(resource).has(name);
  return at.some(isLeft) && truth.objects().some(isUnread);
}

function hasForeignMarker(claims: readonly Claimed[], name: string, owner: string): boolean {
  const positions = allMarkerNames(name);
  return claims.some(
    ({ set, owner: claimed }) => positions.includes(set.name) && claimed !== owner,
  );
}

function allMarkerNames(name: string): readonly string[] {
  const types = ["A", "AAAA", "CNAME", "TXT"];
  return types.flatMap((type) => markerNames({ ...blank, name: asName(name), type }));
}

interface DesiredName {
  readonly object: WantedObject;
  readonly type: string;
  readonly ttl: CheckContext["ttl"];
}

function isShown(shown: readonly RecordSet[], { object, type, ttl }: DesiredName): boolean {
  const set = shown.find((candidate) => candidate.type === type);
  if (set === undefined || !hasSameValues(object.values[type] ?? [], set.values)) return false;
  const seconds = object.ttlSeconds;
  if (seconds === null) return true;
  return set.ttlSeconds === Math.min(ttl.maxSeconds, Math.max(ttl.minSeconds, seconds));
}

const asName = (name: string): RecordSet["name"] => name as RecordSet["name"];
const blank = {
  setIdentifier: null,
  ttlSeconds: 0,
  values: [],
  properties: {},
  routingPolicy: null,
} as const;
