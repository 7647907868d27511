/**
 * Takes the plans of a zone through its fuse: what the fuse holds back leaves the plan and becomes
 * a hold.
 */
import type { DnsName } from "../model/dns-name.ts";
import type { RecordSetKey } from "../model/record-set.ts";
import type { Hold, KeyChange, Marker, NamePlan } from "./changes.ts";
import { putPermitsInOrder } from "./claims.ts";
import { type FuseItem, type FuseState, fuseItem, passFuse } from "./fuse.ts";
import { holdChange } from "./held-change.ts";
import { withoutSequence } from "./pending.ts";
import { permitWithdrawalOf } from "./withdraw-permit.ts";

/** The zone as the fuse sees it. */
export interface FuseContext {
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** Owned record sets with data in the zone now. */
  readonly owned: number;
  /** Names in the zone with at least one of them. */
  readonly ownedNames: number;
  /** How many of them stand at one name. */
  readonly ownedAt: (name: DnsName) => number;
  /**
   * True for a name that holds exactly what is wanted: it counts as planned, with nothing to do.
   * Absent = none.
   */
  readonly isAsWanted?: (name: DnsName) => boolean;
  /** Version and configuration of ours, as one text. */
  readonly version: string;
  /** Overrides FUSE_STRONG_MIN. */
  readonly strongMin?: number;
  /** See `FuseInput`. */
  readonly isFirstPlan?: boolean;
  /**
   * True for a record set that this process itself has made: to change it is an edit. Absent =
   * none.
   */
  readonly isMadeHere?: (key: RecordSetKey) => boolean;
  /** See `FuseInput`. */
  readonly isAskedElsewhere?: (item: FuseItem) => boolean;
}

/** Plans without what the fuse holds; store `state` before any of them is carried out. */
export interface FusedPlans {
  readonly state: FuseState;
  readonly plans: readonly NamePlan[];
  /** What of these plans waits for approval. */
  readonly held: readonly FuseItem[];
  /** True for names that this look was about: those planned, and those that are as wanted. */
  readonly isPlanned: (name: DnsName) => boolean;
}

/** Passes plans of distinct names; their order is kept. */
export function applyFuse(
  state: FuseState,
  plans: readonly NamePlan[],
  context: FuseContext,
): FusedPlans {
  const changes = plans.flatMap((plan) => plan.changes);
  const names = new Set(plans.map((plan) => plan.name));
  const isPlanned = (name: DnsName) => names.has(name) || context.isAsWanted?.(name) === true;
  const isFound = ({ key }: KeyChange) => context.isMadeHere?.(key) !== true;
  const removals = changes.filter(isRemoval).map(itemOf);
  const updates = changes.filter(isUpdate).filter(isFound).map(itemOf);
  const verdict = passFuse(state, {
    ...context,
    isOwned: (name) => context.ownedAt(name) > 0,
    planned: { has: isPlanned },
    removals,
    updates,
    losesLastName: namesAfter(plans, context) <= 0,
  });
  return {
    state: verdict.state,
    plans: plans.map((plan) => holdBack(plan, verdict.held)),
    held: [...removals, ...updates].filter(({ id }) => verdict.held.has(id)),
    isPlanned,
  };
}

/**
 * A removal that no create of the same name calls for. Replacing a type within a name is an update
 * (Z-16): what goes to make room for a type that cannot stand beside it, as A and AAAA go for a
 * CNAME. What is taken away beside others that may stand with it is a removal: an entry that goes
 * from A to AAAA creates the one, and gives up the A for good.
 */
function isRemoval({ change, reason }: KeyChange): boolean {
  return change?.op === "remove" && reason.code !== "TypeChanged";
}

/** Nothing but a removal has that reason (leave.ts). */
function isUpdate({ change, reason }: KeyChange): boolean {
  return change?.op === "replace" || reason.code === "TypeChanged";
}

function itemOf({ key, current, proof }: KeyChange): FuseItem {
  const weak = proof !== null && proof !== "deleted-object";
  return fuseItem(key, markerText(current?.marker ?? null), weak);
}

/**
 * What the marker claims: the same before and during a sequence, so that an item stays itself
 * (Z-10).
 */
function markerText(marker: Marker | null): string {
  if (marker === null) return "";
  return JSON.stringify(Object.entries(withoutSequence(marker.labels)).sort());
}

/** Owned names once all plans are carried out. */
function namesAfter(plans: readonly NamePlan[], context: FuseContext): number {
  const step = (plan: NamePlan) => {
    const count = (op: string) => plan.changes.filter(({ change }) => change?.op === op).length;
    const before = context.ownedAt(plan.name);
    const after = before + count("create") - count("remove");
    return Number(after > 0) - Number(before > 0);
  };
  return plans.reduce((sum, plan) => sum + step(plan), context.ownedNames);
}

/** A held change of type holds the creates of its name too, for they need its place. */
function holdBack(plan: NamePlan, held: ReadonlyMap<string, string>): NamePlan {
  const hashOf = (change: KeyChange) =>
    isRemoval(change) || isUpdate(change) ? held.get(itemOf(change).id) : undefined;
  const retyping = plan.changes.find(
    (one) => !isRemoval(one) && one.change?.op === "remove" && hashOf(one) !== undefined,
  );
  const hashFor = (one: KeyChange) =>
    retyping !== undefined && one.change?.op === "create" ? hashOf(retyping) : hashOf(one);
  const holds = plan.changes.flatMap((one) => {
    const hash = hashFor(one);
    return hash === undefined ? [] : [holdTripped(one, hash)];
  });
  if (holds.length === 0) return plan;
  return {
    ...plan,
    changes: withoutHeld(plan.changes, (one) => hashFor(one) !== undefined),
    holds: [...plan.holds, ...holds],
  };
}

/** What is held takes no permit along any more, and a right that ended must not wait for it. */
function withoutHeld(
  changes: readonly KeyChange[],
  isHeld: (change: KeyChange) => boolean,
): readonly KeyChange[] {
  const remaining = changes.flatMap((one) => (isHeld(one) ? (permitWithdrawalOf(one) ?? []) : one));
  return putPermitsInOrder(remaining);
}

function holdTripped(change: KeyChange, hash: string): Hold {
  const message =
    hash === ""
      ? "belongs to the next set, behind an earlier set of changes; zonekeeper plan shows both with their hashes"
      : `one of many changes at once; zonekeeper approve ${hash} lets them pass`;
  return holdChange(change, { code: "FuseTripped", message });
}

/**
 * The fuse at its strictest, for as long as its counters cannot be read or stored: no removal
 * passes, whatever its proof; `why` ends up in front of people.
 */
export function withoutRemovals(plans: readonly NamePlan[], why: string): readonly NamePlan[] {
  return plans.map((plan) => {
    const removals = plan.changes.filter(isRemoval);
    if (removals.length === 0) return plan;
    const message = `removals wait until the counters of the fuse can be read and stored: ${why}`;
    const holds = removals.map((one) => holdChange(one, { code: "FuseBlind", message }));
    return {
      ...plan,
      changes: withoutHeld(plan.changes, isRemoval),
      holds: [...plan.holds, ...holds],
    };
  });
}
