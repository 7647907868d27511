/**
 * Blockers of a desired record set at its name: a foreign record, one of ours that may not be
 * replaced now, a marker whose name it would need, a member with another kind of routing policy, or
 * a record of another tenant (a namespace of a cluster). A record is ours while its marker, the
 * record that states owner and object, has an owner id of ours; else it is foreign. A winner is a
 * desired record set that got the name (resolve-conflicts.ts). Pure.
 */

import { type AddressNet, isInNet, parseAddressNet } from "../model/addresses.ts";
import { isMarkOf } from "../model/provenance.ts";
import {
  type DesiredRecordSet,
  isSameKey,
  type RecordSet,
  recordSetKeyText,
} from "../model/record-set.ts";
import type { Zone } from "../model/zone.ts";
import type { Hold, OwnedRecordSet } from "./changes.ts";
import { isPermittedByHolder } from "./claims.ts";
import { blocksCreate, mayCoexist } from "./coexistence.ts";
import { holdFor } from "./hold-at.ts";
import type { NameContext } from "./name-context.ts";
import {
  foreignValueText,
  isOwnedByUs,
  isShared,
  type Marked,
  mayAdopt,
  ownerText,
  sharedText,
  undesiredForeign,
} from "./rights.ts";
import {
  type AbsenceVerdict,
  absenceOf,
  type Blocker,
  mayObjectWant,
  type PlanRules,
} from "./rules.ts";
import { holdingIn, holdingOf, mayShareName, ONE_TENANT, sharingAdvice } from "./tenants.ts";

/** Types of every apex; a CNAME cannot coexist with them (RFC 1034 §3.6.2). */
const APEX_TYPES: ReadonlySet<string> = new Set(["NS", "SOA"]);

/**
 * The hold for another key at the name that blocks a create: a marker in the way, a foreign record,
 * or a record of ours that may not be replaced now.
 */
export function blockerAtName(desired: DesiredRecordSet, context: NameContext): Hold | null {
  const marker = context.rules.blockers?.get(recordSetKeyText(desired));
  if (marker !== undefined) return holdFor(desired, marker.code, marker.message);
  for (const other of context.current) {
    const blocker = blockerFrom(other, desired, context);
    if (blocker !== null) return blocker;
  }
  return null;
}

function blockerFrom(
  other: OwnedRecordSet,
  desired: DesiredRecordSet,
  context: NameContext,
): Hold | null {
  if (other.data === null) return null;
  const { answers } = context.rules;
  const winner = context.winners.find((one) => isSameKey(other, one));
  // A released record stays in the zone without an owner, so it blocks like a foreign one.
  if (isOwnedByUs(other, context.rules) && !context.released.includes(other)) {
    if (mayCoexist(other.data, desired, answers))
      return /* clause: record-has-the-name */ holdTaken(other, desired, context);
    // The winner at its own key, which can coexist with every other winner, replaces it in the same
    // group.
    return winner === undefined ? blockerToReplacing(other, desired, context) : null;
  }
  const isAdopted = winner !== undefined && mayAdopt(other, winner, context.rules);
  if (!blocksCreate(other.data, desired, answers) || isAdopted) return null;
  if (desired.type === "CNAME" && APEX_TYPES.has(other.type))
    return holdFor(
      desired,
      "ApexAlias",
      `${desired.name} is the apex of its zone and has ${other.type} records, and a CNAME stands alone; write addresses as targets, or choose a name below it`,
    );
  const message = `${describe(other.data)} exists at the name ${ownerText(other)}`;
  return holdFor(desired, "ForeignRecord", message);
}

/**
 * The hold while another member of the name keeps its kind of routing policy: a name and type have
 * one kind, so that all members change in one group; null = the kind stays, or may change.
 */
export function blockerToNewKind(
  desired: DesiredRecordSet,
  { routingPolicy }: RecordSet,
  context: NameContext,
): Hold | null {
  if (routingPolicy?.type === desired.routingPolicy?.type) return null;
  const others = context.current.filter(
    (other) => other.type === desired.type && !isSameKey(other, desired),
  );
  for (const other of others) {
    const blocker = blockerFrom(other, desired, context);
    if (blocker !== null) return blocker;
  }
  return null;
}

/**
 * Why a record of ours may not be replaced by a record of another type; null = it may, and the
 * fuse counts that as an update (Z-16).
 */
function blockerToReplacing(
  other: Marked,
  desired: DesiredRecordSet,
  context: NameContext,
): Hold | null {
  const { rules } = context;
  if (!rules.managedTypes.has(other.type))
    return holdFor(
      desired,
      "UnmanagedType",
      `the ${other.type} record at the name would have to be removed`,
    );
  if (rules.policy === "create-only")
    return holdFor(
      desired,
      "PolicyForbids",
      `the policy create-only keeps the ${other.type} record at the name`,
    );
  if (isShared(other.marker))
    return holdFor(
      desired,
      "MarkerShared",
      `the ${other.type} record must be removed first: ${sharedText(other.marker)}`,
    );
  const foreign = undesiredForeign(other, null);
  if (foreign.length > 0)
    return holdFor(desired, "ForeignValue", foreignValueText(other.type, foreign));
  const wait = holdForMarkedObject(other, desired, context);
  return other.type === desired.type ? holdForKind({ other, wait }, desired, context) : wait;
}

/**
 * The hold for a member of the other kind of routing policy, while it cannot be removed in the same
 * group (`wait`: why) or an object still wants it; else null.
 */
function holdForKind(
  { other, wait }: { readonly other: Marked; readonly wait: Hold | null },
  desired: DesiredRecordSet,
  { contenders }: NameContext,
): Hold | null {
  const kind = other.data?.routingPolicy?.type;
  const isWanted = contenders.some((one) => isSameKey(one, other));
  if (kind === undefined || (wait === null && !isWanted)) return wait;
  const who = other.marker.resource ?? "an object that its marker does not name";
  return holdFor(
    desired,
    "RoutingPolicyConflict",
    `the member ${other.setIdentifier} (${who}) has the routing policy ${kind}, and a name has one kind; change all its members`,
  );
}

/**
 * The hold while the object in the marker could still want the record (Z-2). Until it is proven
 * that it does not, only that object, or one with its permit, may change the record; where the
 * marker names no object, the one that wants the record may.
 */
export function holdForMarkedObject(
  current: Marked,
  desired: DesiredRecordSet,
  context: NameContext,
): Hold | null {
  const absence = absenceOf(context.rules, current);
  if (isPermittedByHolder(desired, current, context)) return null;
  if (isMarkOf(current.marker, desired.provenance) || !mayObjectWant(absence)) return null;
  // clause: record-without-object-for-requester
  if (isForItsRequester(current, desired, { absence, rules: context.rules })) return null;
  const holder = current.marker.resource ?? "an object that its marker does not name";
  const message = `the ${current.type} record belongs to ${holder}: ${absence.message}`;
  return holdFor(desired, absence.code, message);
}

/**
 * A marker that names no object, as Gardener and old versions of external-dns wrote them, is for
 * the object that wants its key under its owner id. The code `KindUnknown` says that every kind of
 * every cluster was read, and that a removal waits only because the marker names no object.
 */
function isForItsRequester(
  current: Marked,
  desired: DesiredRecordSet,
  { absence, rules }: { readonly absence: AbsenceVerdict; readonly rules: PlanRules },
): boolean {
  const { resource, cluster, owner } = current.marker;
  if (resource !== null || (cluster !== null && cluster !== desired.provenance.cluster))
    return false;
  if (
    /* clause: record-without-object-own-owner-id */ owner !== (desired.owner ?? rules.mainOwner) ||
    !isSameKey(current, desired)
  )
    return false;
  return (
    !absence.proven && /* clause: unowned-until-kinds-are-read */ absence.code === "KindUnknown"
  );
}

/** Type and values, for people. */
export function describe(set: RecordSet): string {
  return `${set.type} ${set.values.join(", ")}`;
}

/**
 * The hold for a name that a record of another tenant has (Z-28); null = it is free for `desired`.
 * It is taken while the object of the record may still want it; objects that compete now were
 * ranked before.
 */
export function holdTaken(
  other: Marked,
  desired: DesiredRecordSet,
  { rules, objectTransfers }: NameContext,
): Hold | null {
  const absence = absenceOf(rules, other);
  if (!mayObjectWant(absence)) return null;
  const holder = holdingIn(other, objectTransfers);
  if (holder === null) return null;
  const { provenance } = desired;
  if (mayShareName(holder, holdingOf(desired, rules.mainOwner), rules.tenancy ?? ONE_TENANT))
    return null;
  const who = holder.resource ?? "";
  const message = `the ${other.type} record at the name belongs to ${who}, and a name has one namespace: ${absence.message}; ${sharingAdvice(who, provenance)}`;
  return holdFor(desired, "NameTaken", message);
}

/**
 * RFC 1918 §3, RFC 6598 §7 (between providers and customers), RFC 1112 §4 (reserved; clouds have
 * them inside), RFC 4193 §3.1 (unique local).
 */
const PRIVATE: readonly AddressNet[] = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "240.0.0.0/4",
  "fc00::/7",
].flatMap((text) => {
  const net = parseAddressNet(text);
  return net.ok ? [net.value] : [];
});

/**
 * Why the record set is not written to the zone; null = it may be. `there`: the record set at its
 * key now. Where that one has a private address already, it is updated as always: somebody wants
 * it so.
 */
export function privateBlocker(
  { type, values }: Pick<DesiredRecordSet, "type" | "values">,
  there: Pick<OwnedRecordSet, "data"> | undefined,
  { visibility, name }: Pick<Zone, "visibility" | "name">,
): Blocker | null {
  if (visibility !== "public" || (type !== "A" && type !== "AAAA")) return null;
  const inside = values.find(isPrivate);
  if (inside === undefined) return null;
  // clause: private-record-goes-on
  if (there?.data?.values.some(isPrivate) === true) return null;
  const message = `${inside} is a private address, and everybody can ask the zone ${name}`;
  return /* clause: private-target-waits */ { code: "PrivateTarget", message };
}

function isPrivate(address: string): boolean {
  return PRIVATE.some((net) => isInNet(address, net));
}
