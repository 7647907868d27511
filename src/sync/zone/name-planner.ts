/**
 * Plans single names of a zone: gathers the desired and the current record sets, the orders of
 * people, and whether it is proven that no object wants a record (absence), and calls `planName`.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isInScope, type NameScope } from "../../model/external-dns-rules.ts";
import { isMarkOf } from "../../model/provenance.ts";
import {
  asPlain,
  type DesiredRecordSet,
  isPart,
  isSameKey,
  recordSetKeyText,
} from "../../model/record-set.ts";
import type { KeyChange, NamePlan, OwnedRecordSet } from "../../plan/changes.ts";
import { markerState } from "../../plan/claims.ts";
import { answersAt } from "../../plan/coexistence.ts";
import { type Joined, joinDesired } from "../../plan/join-desired.ts";
import { planName } from "../../plan/plan.ts";
import type { ZoneFacts } from "../../plan/removal/absence-facts.ts";
import {
  type AbsenceVerdict,
  type Blocker,
  type NameTenancy,
  type OrderedChange,
  type PlanRules,
  verdictKey,
} from "../../plan/rules.ts";
import { ONE_TENANT } from "../../plan/tenants.ts";
import type { AbsenceTracker } from "../absence/absence-tracker.ts";
import { renamedObject } from "../absence/object-facts.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";
import type { ZoneState } from "../cache/zone-state.ts";
import type { Contribution } from "../contract/contribution.ts";
import type { OpenZoneInput, ZoneTenancy } from "../contract/zone.ts";
import { cutOf, moveFacts } from "../delegation/zone-cuts.ts";
import type { Migration } from "./marker-migration.ts";
import { type NameSides, obstaclesOf } from "./obstacles.ts";
import { mayLoseMarkers, type OwnWrites, ordersToMarkAgain } from "./own-writes.ts";
import type { OwnershipOrders, UndoneKey } from "./ownership-orders.ts";
import { type RenameInput, renameOf, type SeenRename } from "./renamed-names.ts";

/** Owner ids this process acts for, and cluster ranks (Z-15). */
export interface Identity {
  readonly owners: ReadonlySet<string>;
  readonly mainOwner: string;
  /** Owner ids that a DNSOwner switches on and that wait in this zone, and why; absent = none. */
  readonly waiting?: ReadonlyMap<string, Blocker>;
  readonly clusterRank: Readonly<Record<string, number>>;
}

/** What objects want in other zones (Z-18). */
export interface Elsewhere {
  /** The object in the marker wants the name in one other zone, of another apex. */
  wants(set: OwnedRecordSet): boolean;
  /** Contributions about no record of this zone: to others, or through ways not proven yet. */
  inOtherZones(name: DnsName): readonly Contribution[];
}

/** Everything a plan of a name depends on. */
export interface PlanInput {
  readonly zoneInput: OpenZoneInput;
  readonly identity: Identity;
  readonly index: DesiredIndex;
  readonly absences: AbsenceTracker;
  readonly state: ZoneState;
  readonly elsewhere: Elsewhere;
  /** Orders of people about ownership in the zone; absent = none. */
  readonly orders?: OwnershipOrders;
  /** What our calls wrote where nothing is compared; absent = nobody remembers it. */
  readonly own?: Pick<OwnWrites, "at">;
  /** The migration of markers to another form; absent = none. */
  readonly migration?: Migration;
  readonly tenancy: ZoneTenancy;
}

/** The verdict on a record that the object in its marker wants. */
const WANTED: AbsenceVerdict = {
  proven: false,
  code: "SourceAlive",
  message: "that object still wants the record",
};

/** The verdict on a record that a person undoes, whatever its object wants. */
const UNDONE: AbsenceVerdict = { proven: true, proof: "approved" };

const NO_ORDERS: NonNullable<PlanRules["orders"]> = new Map();
const EVERYWHERE: NameScope = { include: [], exclude: [] };
const NO_VERDICTS: ReadonlyMap<string, AbsenceVerdict> = new Map();

/** A plan, and the renames of objects that were seen on the way: a round remembers them. */
export interface PlannedName {
  readonly plan: NamePlan;
  readonly renames: readonly SeenRename[];
}

/** The plan of one name as of now. Cheap; no I/O. */
export function planOf(input: PlanInput, name: DnsName): NamePlan {
  return planned(input, name).plan;
}

/** The plan of one name as of now, with the renames that were seen. */
export function planned(input: PlanInput, name: DnsName): PlannedName {
  const current = input.state.owned.at(name);
  input.orders?.dropOutdated(name, current);
  const undone = input.orders?.undoneAt(name) ?? [];
  const normal = asOrdered(input.index.wanted(name), current, undone).map((set) =>
    normalized(input, set),
  );
  const joined = undone.length === 0 ? joinedAt(input, name, { desired: normal, current }) : null;
  const desired = joined?.desired ?? normal;
  const { owned } = input.state;
  if (desired.length === 0 && !current.some((set) => owned.isClaimed(set) || owned.isPermit(set)))
    return { plan: { name, changes: [], holds: [] }, renames: [] };
  const renames: SeenRename[] = [];
  const rules = rulesFor(input, name, { desired, current, renames });
  const plan = withLeavers(asUndone(planName(name, desired, current, rules), undone), joined);
  return { plan: input.index.paused.holdPaused(plan, () => input.index.listing(name)), renames };
}

/**
 * The desired record sets of a name. Where a person undoes changes, these are the record sets that
 * the undo brings back, and at other keys those that objects want and have.
 */
function asOrdered(
  wanted: readonly DesiredRecordSet[],
  current: readonly OwnedRecordSet[],
  undone: readonly UndoneKey[],
): readonly DesiredRecordSet[] {
  if (undone.length === 0) return wanted;
  const isThere = (set: DesiredRecordSet): boolean =>
    current.some((one) => one.data !== null && isSameKey(one, set));
  const others = wanted.filter(
    (set) => isThere(set) && !undone.some(({ key }) => isSameKey(key, set)),
  );
  return [...others, ...undone.flatMap(({ to }) => to ?? [])];
}

/** The plan with the reason `Undone`; its removals have no proof, so that the fuse counts them. */
function asUndone(plan: NamePlan, undone: readonly UndoneKey[]): NamePlan {
  if (undone.length === 0) return plan;
  const message = "a person ordered that an earlier change is undone";
  const changes = plan.changes.map((one): KeyChange => {
    if (!undone.some(({ key }) => isSameKey(key, one.key))) return one;
    return { ...one, proof: null, reason: { code: "Undone", message } };
  });
  return { ...plan, changes };
}

/** Joins the desired record sets of objects of one kind (ADR 0126); null = the zone joins none. */
function joinedAt(
  { zoneInput, state, index, absences }: PlanInput,
  name: DnsName,
  { desired, current }: NameSides,
): Joined | null {
  // clause: only-the-dialect-joins
  if (zoneInput.joins !== true) return null;
  const owned = current.filter((set) => state.owned.isOwnedByUs(set));
  return joinDesired(desired, owned, (set, wanting) =>
    absences.surplusOf(set, wanting, index.listing(name)),
  );
}

function withLeavers(plan: NamePlan, joined: Joined | null): NamePlan {
  if (joined === null) return plan;
  const changes = plan.changes.map((change): KeyChange => {
    const leavers = joined.leavers.get(recordSetKeyText(change.key));
    return leavers === undefined ? change : { ...change, leavers };
  });
  return { ...plan, changes, holds: [...plan.holds, ...joined.holds] };
}

/**
 * True when the object in the marker desires this key. Another object may have the key only when
 * that object no longer desires it (Z-15).
 */
function isWantedByItsObject(set: OwnedRecordSet, desired: readonly DesiredRecordSet[]): boolean {
  return desired.some(
    (desiredSet) => isSameKey(desiredSet, set) && isMarkOf(set.marker, desiredSet.provenance),
  );
}

/** The two sides of a name; the verdicts add the renames that they see to `renames`. */
interface PlannedSides extends NameSides {
  readonly renames: SeenRename[];
}

/** The rules for one name. One literal, because it is made for each name of a zone. */
function rulesFor(
  input: PlanInput,
  name: DnsName,
  { desired, current, renames }: PlannedSides,
): PlanRules {
  const { zoneInput, identity, state } = input;
  const orders = ordersAt(input, name, current);
  const unwanted = current.filter(
    (set) => state.owned.isOwnedByUs(set) && !isWantedByItsObject(set, desired),
  );
  return {
    owners: identity.owners,
    mainOwner: identity.mainOwner,
    ...(identity.waiting === undefined ? {} : { waitingOwners: identity.waiting }),
    clusterRank: identity.clusterRank,
    policy: zoneInput.policy,
    adoption: zoneInput.adoption,
    managedTypes: zoneInput.managedTypes,
    defaultTtlSeconds: zoneInput.defaultTtlSeconds,
    absence: WANTED,
    absences:
      unwanted.length === 0 ? NO_VERDICTS : verdictsOn(input, { name, unwanted, desired, renames }),
    ...delegationAt(name, zoneInput.zone.name, state),
    tenancy: tenancyAt(name, zoneInput.zone.name, input.tenancy),
    answers: answersAt(name, { ...zoneInput.session.capabilities, apex: zoneInput.zone.name }),
    ...(zoneInput.session.capabilities.membersShareTtl === true ? { membersShareTtl: true } : {}),
    ...(zoneInput.joins === true ? { joins: true } : {}),
    ...(isInScope(name, zoneInput.scope ?? EVERYWHERE) ? {} : { isOutOfScope: true }),
    ...permitRules(zoneInput),
    ...obstaclesOf({ desired, current, orders }, input),
    ...objectTransfersAt(input, name, current),
    orders,
  };
}

/** The delegation at or above the name, and whether addresses of the name are its glue. */
function delegationAt(
  name: DnsName,
  apex: DnsName,
  { table }: ZoneState,
): Pick<PlanRules, "delegatedAt" | "isGlue"> {
  const delegatedAt = table.delegationOf(name);
  if (delegatedAt === null || !cutOf(table, apex, name).servers.includes(name))
    return { delegatedAt };
  return { delegatedAt, isGlue: true };
}

/** The orders of people, and orders to mark records again whose markers another owner overwrote. */
function ordersAt(
  { orders, own, zoneInput }: PlanInput,
  name: DnsName,
  current: readonly OwnedRecordSet[],
): NonNullable<PlanRules["orders"]> {
  const byKey = orders?.byKey ?? NO_ORDERS;
  if (!mayLoseMarkers(zoneInput.session.capabilities)) return byKey;
  // clause: lost-markers-are-written-again
  return new Map([...ordersToMarkAgain(own?.at(name) ?? null, current), ...byKey]);
}

/** Who may share the name; at the apex the DNSProviders' namespaces come first (Z-28). */
export function tenancyAt(
  name: DnsName,
  apex: DnsName,
  { sharedNames, namespaces }: ZoneTenancy,
): NameTenancy {
  const firstNamespaces = name === apex ? namespaces : ONE_TENANT.firstNamespaces;
  // clause: apex-has-one-tenant
  return { sharing: sharedNames ? "all" : ONE_TENANT.sharing, firstNamespaces };
}

/** Transfers and releases that objects request for record sets under their markers. */
function objectTransfersAt(
  { index, state }: PlanInput,
  name: DnsName,
  current: readonly OwnedRecordSet[],
): Pick<PlanRules, "objectTransfers"> {
  const claimed = current.filter((set) => state.owned.isClaimed(set));
  const transfers = index.objectTransfersAt(
    name,
    claimed.flatMap(({ marker }) => marker ?? []),
  );
  return transfers.length === 0 ? {} : { objectTransfers: transfers };
}

/** Why no permit may be given or used: a marker changes its owner only by comparison (Z-13). */
function permitRules({ ownership, session }: OpenZoneInput): Pick<PlanRules, "noPermits"> {
  if (ownership.permits === undefined)
    return { noPermits: `the registry ${ownership.format} keeps no permits in the zone` };
  if (session.capabilities.preconditions.written.exact !== "never") return {};
  return {
    noPermits: "the provider cannot compare a record with its last known data before it writes",
  };
}

interface JudgedSides extends Omit<PlannedSides, "current"> {
  readonly name: DnsName;
  readonly unwanted: readonly OwnedRecordSet[];
}

/** By `verdictKey`, whether each of these may be removed. */
function verdictsOn(
  input: PlanInput,
  { name, unwanted, desired, renames }: JudgedSides,
): ReadonlyMap<string, AbsenceVerdict> {
  const { zoneInput, absences, state, elsewhere } = input;
  const here = input.index.listing(name);
  const cut = cutOf(state.table, zoneInput.zone.name, name);
  const delegation = cut.at === zoneInput.zone.name ? null : cut;
  const listed = { contributions: here, delegation };
  const zoneFacts = (set: OwnedRecordSet): ZoneFacts => ({
    ...moveFacts(name, { ...listed, isWantedInOtherZone: elsewhere.wants(set) }),
    unpublished: () => {
      const seen = renameOf(set, renameInput(input));
      if (seen !== null) renames.push(seen);
      return seen?.unpublished ?? null;
    },
    isOrdered: isOrdered(set, {
      order: input.orders?.byKey.get(recordSetKeyText(set)),
      isWanted: desired.some((one) => isSameKey(one, set)),
    }),
  });
  const verdictOn = (set: OwnedRecordSet): AbsenceVerdict =>
    input.orders?.byKey.get(recordSetKeyText(set))?.is === "undo"
      ? UNDONE
      : absences.verdict(set, here, () => elsewhere.inOtherZones(name), zoneFacts(set));
  return new Map(unwanted.map((set) => [verdictKey(set), verdictOn(set)]));
}

function renameInput(input: PlanInput): RenameInput {
  const { index, state, absences, elsewhere } = input;
  const inOtherZones = (name: DnsName): readonly DesiredRecordSet[] =>
    elsewhere
      .inOtherZones(name)
      .flatMap(({ found }) => found.items)
      .filter((item) => item.name === name);
  return {
    renamed: (name, marker) => renamedObject(name, marker, absences),
    wantedAt: (name) =>
      [...index.wanted(name), ...inOtherZones(name)].map((set) => normalized(input, set)),
    recordsAt: (name) => absences.recordsAt(name),
    isOwnedByUs: (set) => state.owned.isOwnedByUs(set),
    isGraceOver: (object, name) => absences.isGraceOver(object, name),
  };
}

/** True when a person ordered that the orphan is removed, or given to the object that wants it. */
function isOrdered({ marker }: OwnedRecordSet, { order, isWanted }: OrderInput): boolean {
  if (marker === null) return false;
  const isMeant =
    order?.is === "remove" ||
    (order?.is === "transfer" && /* clause: transfer-needs-desired-record */ isWanted);
  // clause: person-orders-orphan
  return isMeant && order.marker === markerState(marker);
}

interface OrderInput {
  readonly order: OrderedChange | undefined;
  /** An object wants a record at its key. */
  readonly isWanted: boolean;
}

/** A desired set as the provider will read it back; a TTL of null stays null. */
function normalized({ zoneInput }: PlanInput, set: DesiredRecordSet): DesiredRecordSet {
  const { name, type, setIdentifier, values, properties, routingPolicy } = asPlain(set);
  const ttlSeconds = set.ttlSeconds ?? zoneInput.defaultTtlSeconds;
  const data = { name, type, setIdentifier, ttlSeconds, values, properties, routingPolicy };
  // clause: desired-data-is-normalized
  const read = zoneInput.session.normalize(data, zoneInput.zone);
  return {
    name: read.name,
    type: read.type,
    setIdentifier: isPart(set) ? set.setIdentifier : read.setIdentifier,
    ttlSeconds: set.ttlSeconds === null ? null : read.ttlSeconds,
    values: read.values,
    properties: read.properties,
    routingPolicy: isPart(set) ? set.routingPolicy : read.routingPolicy,
    provenance: set.provenance,
    owner: set.owner,
    createdAtMs: set.createdAtMs,
    ...(set.ttlOnCreate === undefined ? {} : { ttlOnCreate: set.ttlOnCreate }),
    ...(set.transfer === undefined ? {} : { transfer: set.transfer }),
  };
}
