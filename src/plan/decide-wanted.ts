/**
 * One wanted record set: may it be written here (Z-7, Z-9), and what differs (Z-21)? Decides for
 * winners only; what nobody wants is the business of leave.ts.
 */
import { resourceOf } from "../model/provenance.ts";
import {
  type DesiredRecordSet,
  hasSameData,
  isSameKey,
  type RecordSet,
  recordSetKeyText,
} from "../model/record-set.ts";
import type { Hold, KeyChange, Marker, OwnedRecordSet } from "./changes.ts";
import {
  claimAdvice,
  endedClaim,
  isHandedOver,
  isPermittedByNeighbour,
  mayTakeOver,
  permitDifference,
  permitRefusal,
} from "./claims.ts";
import { barsCreate, mayCoexist } from "./coexistence.ts";
import { type HoldCode, holdAt } from "./hold-reasons.ts";
import type { Decision, NameContext } from "./name-context.ts";
import { isPending } from "./pending.ts";
import { giveUp, isToRelease, release } from "./release.ts";
import {
  ANY_TYPE,
  contestText,
  isNamedByNameMarker,
  isOwnedByUs,
  isShared,
  type Marked,
  mayAdopt,
  names,
  ownerText,
  sharedText,
  troubleText,
} from "./rights.ts";
import { absenceOf, type PlanRules } from "./rules.ts";

/** Decides about one winner of resolve.ts. */
export function decideWanted(wish: DesiredRecordSet, scene: NameContext): Decision {
  const { rules } = scene;
  if (wish.transfer?.release === true) return giveUp(wish, scene);
  const bar = barOnKey(wish, scene);
  if (bar !== null) return bar;
  const current = existingAt(wish, scene);
  if (current === null || !hasData(current))
    return barOnName(wish, scene) ?? create(wish, current, rules);
  if (isOwnedByUs(current, rules))
    return isToRelease(current, scene) ? release(current) : update(wish, current, scene);
  return mayTakeOver(current, wish, rules)
    ? takeOver(wish, current, rules)
    : adopt(wish, current, rules);
}

/** An owned record set whose data is there. */
type ExistingRecordSet = OwnedRecordSet & { readonly data: RecordSet };

function hasData(one: OwnedRecordSet): one is ExistingRecordSet {
  return one.data !== null;
}

/**
 * Data goes before a marker without data: a pending marker of ours may stand beside what somebody
 * else put there.
 */
function existingAt(wish: DesiredRecordSet, { current }: NameContext): OwnedRecordSet | null {
  const here = current.filter((one) => isSameKey(one, wish));
  return here.find(hasData) ?? here[0] ?? null;
}

/** Another's data or marker at the very key; null = the key is ours, free, or may be adopted. */
function barOnKey(wish: DesiredRecordSet, { current, rules }: NameContext): Hold | null {
  const others = current.filter((one) => speaksFor(one, wish) && !isOwnedByUs(one, rules));
  const other = others.find((one) => !mayAdopt(one, wish, rules) && !mayTakeOver(one, wish, rules));
  if (other === undefined) return null;
  if (other.contested) return hold(wish, "Contested", contestText(other));
  const { marker } = other;
  if (marker?.trouble !== undefined) return hold(wish, marker.trouble, troubleText(marker));
  if (other.data === null)
    return hold(wish, "ForeignMarker", `the name is reserved by a marker ${ownerText(other)}`);
  if (marker?.format !== undefined)
    return hold(wish, "ForeignMarker", `${describe(other.data)} is ${ownerText(other)}`);
  const whose = `${describe(other.data)} stands there, ${ownerText(other)}`;
  if (isHandedOver(wish, other))
    return hold(wish, "HandedOver", `${whose}, whom this object permits to have it`);
  return hold(wish, "ForeignRecord", `${whose}${claimAdvice(wish, other, rules)}`);
}

/**
 * A legacy marker without data speaks for every type but AAAA (external-dns registry, "labels").
 */
function speaksFor(one: OwnedRecordSet, wish: DesiredRecordSet): boolean {
  if (isSameKey(one, wish)) return true;
  if (one.type !== ANY_TYPE) return false;
  const isOther = one.marker?.format !== undefined;
  return isOther ? isNamedByNameMarker(wish.type) : wish.type !== "AAAA";
}

/**
 * What else stands at the name and bars a create: a marker, foreign records, or ours that may not
 * make room now.
 */
function barOnName(wish: DesiredRecordSet, scene: NameContext): Hold | null {
  const marker = scene.rules.blockers?.get(recordSetKeyText(wish));
  if (marker !== undefined) return hold(wish, marker.code, marker.message);
  for (const other of scene.current) {
    const bar = barFrom(other, wish, scene);
    if (bar !== null) return bar;
  }
  return null;
}

function barFrom(other: OwnedRecordSet, wish: DesiredRecordSet, scene: NameContext): Hold | null {
  if (other.data === null) return null;
  // What is given up stays, and is nobody's.
  if (isOwnedByUs(other, scene.rules) && !isToRelease(other, scene))
    return mayCoexist(other.data, wish) ? null : noRoom(other, wish, scene);
  if (!barsCreate(other.data, wish) || isAdoptedHere(other, scene)) return null;
  const message = `${describe(other.data)} stands at the name, ${ownerText(other)}`;
  return hold(wish, "ForeignRecord", message);
}

function isAdoptedHere(other: OwnedRecordSet, { winners, rules }: NameContext): boolean {
  return winners.some((winner) => isSameKey(other, winner) && mayAdopt(other, winner, rules));
}

/**
 * Why one of ours may not make room for another type; null = it may, and that is an update (Z-16).
 */
function noRoom(other: Marked, wish: DesiredRecordSet, scene: NameContext): Hold | null {
  const { rules } = scene;
  if (!rules.managedTypes.has(other.type))
    return hold(wish, "UnmanagedType", `the ${other.type} record here would have to go`);
  if (rules.policy === "create-only")
    return hold(wish, "PolicyForbids", `create-only keeps the ${other.type} record here`);
  if (isShared(other.marker))
    return hold(wish, "MarkerShared", `${other.type} has to go first: ${sharedText(other.marker)}`);
  return notYet(other, wish, scene);
}

/**
 * Until it is known who else wants the name, only the object in the marker may change what stands
 * (Z-2), or one that this object permits to.
 */
function notYet(current: Marked, wish: DesiredRecordSet, scene: NameContext): Hold | null {
  const absence = absenceOf(scene.rules, current);
  if (isPermittedByNeighbour(wish, current, scene)) return null;
  if (absence.proven || names(current.marker, wish.provenance)) return null;
  if (absence.unlessAnswered !== undefined) return null;
  const holder = current.marker.resource ?? "an object that the marker does not name";
  const message = `the ${current.type} record belongs to ${holder}: ${absence.message}`;
  return holdAt(wish, { code: absence.code, message, provenance: wish.provenance });
}

/** The key is free, or waits with our marker for its data (Z-9). */
function create(
  wish: DesiredRecordSet,
  current: OwnedRecordSet | null,
  rules: PlanRules,
): KeyChange {
  const next = toRecordSet(wish, wish.ttlSeconds ?? rules.defaultTtlSeconds);
  const reason =
    current === null
      ? { code: "Wanted", message: `wanted by ${resourceOf(wish.provenance)}` }
      : { code: "DataMissing", message: "our marker stands without its record" };
  return keyChange({ wish, current, rules }, { change: { op: "create", next }, reason });
}

/** Data and marker are ours: make them as wanted. Null = they are. */
function update(
  wish: DesiredRecordSet,
  current: Marked & ExistingRecordSet,
  scene: NameContext,
): Decision {
  const { rules } = scene;
  const difference =
    dataDifference(wish, current.data) ?? markerDifference(wish, current.marker, rules);
  if (difference === null) return permitted(wish, current, rules);
  const wait = notYet(current, wish, scene);
  if (wait !== null) return wait;
  if (rules.policy !== "create-only") return keyChange({ wish, current, rules }, difference);
  if (difference.change !== null)
    return hold(wish, "PolicyForbids", `create-only: ${difference.reason.message}`);
  // The last step of a create is part of it (Z-10).
  const isLastStep = isPending(current.marker.labels);
  return isLastStep ? keyChange({ wish, current, rules }, difference) : null;
}

/**
 * The marker is the wish's own by now (`markerDifference`): only its object gives permits. What it
 * takes back goes by withdraw.ts, whatever becomes of the key.
 */
function permitted(wish: DesiredRecordSet, current: Marked, rules: PlanRules): Decision {
  const refusal = permitRefusal(wish, rules);
  if (refusal !== null) return hold(wish, "PermitRefused", refusal);
  const difference = permitDifference(wish, current, rules);
  if (difference === null) return null;
  const { permit, reason } = difference;
  return { ...keyChange({ wish, current, rules }, { change: null, reason }), permit };
}

/**
 * The marker moves and nothing else: what differs in the data is an update that comes when the
 * record is ours.
 */
function takeOver(wish: DesiredRecordSet, current: Marked, rules: PlanRules): KeyChange {
  const { marker, permit } = current;
  const ended = endedClaim(current, wish, rules);
  const isByPermit = permit !== undefined && permit.owner === marker.owner;
  const change = keyChange(
    { wish, current, rules },
    {
      change: null,
      reason: {
        code: "Transferred",
        message: `taken over from the owner "${ended ?? marker.owner}"`,
      },
    },
  );
  if (ended !== null) return { ...change, ends: ended };
  return isByPermit ? { ...change, permit: { is: "used" } } : change;
}

/** Nobody's record becomes ours; what it was is the precondition of the group (DESIGN §6). */
function adopt(wish: DesiredRecordSet, current: ExistingRecordSet, rules: PlanRules): Decision {
  const difference = dataDifference(wish, current.data);
  if (difference !== null && rules.policy === "create-only")
    return hold(wish, "PolicyForbids", `create-only: ${difference.reason.message}`);
  const reason = { code: "Adopted", message: "taken over by the adoption rule" };
  return keyChange({ wish, current, rules }, { change: difference?.change ?? null, reason });
}

type Difference = Pick<KeyChange, "change" | "reason">;

/** TTL apart, then TTL; a wish without a TTL equals any (Z-21). */
function dataDifference(wish: DesiredRecordSet, data: RecordSet): Difference | null {
  const next = toRecordSet(wish, wish.ttlSeconds ?? data.ttlSeconds);
  const change = { op: "replace", previous: data, next } as const;
  if (!hasSameData(data, next))
    return { change, reason: { code: "ValueChanged", message: "the values differ" } };
  if (data.ttlSeconds === next.ttlSeconds) return null;
  const message = `the TTL is ${data.ttlSeconds} and not ${next.ttlSeconds}`;
  return { change, reason: { code: "TtlChanged", message } };
}

/**
 * Equal data, but the marker names another object or another owner id of ours, or is not final
 * (Z-10).
 */
function markerDifference(
  wish: DesiredRecordSet,
  marker: Marker,
  rules: PlanRules,
): Difference | null {
  if (!names(marker, wish.provenance)) {
    const message = `${resourceOf(wish.provenance)} follows ${marker.resource ?? "nobody"}`;
    return { change: null, reason: { code: "MarkerOnly", message } };
  }
  const owner = wish.owner ?? rules.mainOwner;
  const isFinal = !isPending(marker.labels);
  const isMain = marker.owner === owner;
  if (isMain && isFinal && marker.hasStaleCopy !== true) return null;
  const message = !isMain
    ? `the owner id is "${marker.owner}" and not "${owner}"`
    : isFinal
      ? "an old marker of the record names another object"
      : "the record stands and its marker is not final yet";
  return { change: null, reason: { code: "MarkerUpdate", message } };
}

/** A wanted key, and what stands there. */
interface Place {
  readonly wish: DesiredRecordSet;
  readonly current: OwnedRecordSet | null;
  readonly rules: PlanRules;
}

/**
 * The change of a wanted key. One literal: thousands are made at once, and spreads cost more than
 * all the rest.
 */
function keyChange({ wish, current, rules }: Place, { change, reason }: Difference): KeyChange {
  const { name, type, setIdentifier, provenance } = wish;
  return {
    key: { name, type, setIdentifier },
    current,
    desired: wish,
    change,
    marker: { owner: wish.owner ?? rules.mainOwner, provenance },
    reason,
    proof: null,
  };
}

/** The wish as it will stand in the zone. */
function toRecordSet(wish: DesiredRecordSet, ttlSeconds: number): RecordSet {
  const { name, type, setIdentifier, values, properties, routingPolicy } = wish;
  return { name, type, setIdentifier, ttlSeconds, values, properties, routingPolicy };
}

function hold(wish: DesiredRecordSet, code: HoldCode, message: string): Hold {
  return holdAt(wish, { code, message, provenance: wish.provenance });
}

function describe(set: RecordSet): string {
  return `${set.type} ${set.values.join(", ")}`;
}
