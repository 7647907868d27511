/**
 * Passes the plans of a zone through its fuse, which stops removals (and on some occasions updates)
 * that are too many until a person approves them as a set, by its hash (Z-16): a change that the
 * fuse stops becomes a hold. A record set is owned while its marker has an owner id of ours.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { namespaceIn } from "../model/provenance.ts";
import type { DesiredRecordSet, RecordSetKey } from "../model/record-set.ts";
import { type AbsenceProof, type KeyChange, type NamePlan, ORDERED_PROOFS } from "./changes.ts";
import { putPermitsInOrder } from "./claims.ts";
import { heldSets, passFuse } from "./fuse.ts";
import { hasMet } from "./fuse-first-contact.ts";
import type { FuseInput, FuseVerdict } from "./fuse-input.ts";
import {
  type FuseItem,
  type FuseState,
  fuseItem,
  type HeldSet,
  type ProofStrength,
} from "./fuse-state.ts";
import { type HoldCause, holdChange } from "./hold-at.ts";
import type { HoldCode } from "./hold-reasons.ts";
import { withoutSequence } from "./pending.ts";
import { permitWithdrawalOf } from "./withdraw-permit.ts";

/** The zone, as input of the fuse. */
export interface FuseContext
  extends Omit<FuseInput, "planned" | "removals" | "updates" | "losesLastName"> {
  /** Names in the zone with at least one owned record set with data. */
  readonly ownedNames: number;
  /** Owned record sets with data at one name. */
  readonly ownedAt: (name: DnsName) => number;
  /**
   * True for a name outside of `plans` that is as desired: it counts as planned without changes, so
   * that items which waited there are dropped. Absent = there is none.
   */
  readonly isAsWanted?: (name: DnsName) => boolean;
  /** True for a record set that this process created: its change is an edit. Absent = none. */
  readonly isMadeHere?: (key: RecordSetKey) => boolean;
  /**
   * True for a record set whose object changed since this process first read it: its author asks
   * for it now, so that not even first contact holds it. Absent = none.
   */
  readonly hasChanged?: (desired: DesiredRecordSet) => boolean;
}

/** Plans without the held changes; store `state` before any of them is carried out. */
export interface FusedPlans {
  readonly state: FuseState;
  readonly plans: readonly NamePlan[];
  /** True for the names of this pass: planned names, and names that are as desired. */
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
  // Names of which it is not known now what objects want: no removal is planned there, and one that
  // waits or was approved is not dropped.
  const unknown = new Set(
    plans
      .filter(({ holds }) => holds.some(({ code }) => NOT_KNOWN.has(code)))
      .map(({ name }) => name),
  );
  const itemIn = (change: KeyChange) => itemOf(change, context);
  const removals = changes.filter(isRemoval).map(itemIn);
  const updates = changes
    .filter(isUpdate)
    .filter((change) => !isEdit(change, state, context))
    .map(itemIn);
  const verdict = passFuse(state, {
    ...context,
    planned: { has: (name) => isPlanned(name) && !unknown.has(name) },
    removals,
    updates,
    losesLastName: namesAfter(plans, context) <= 0,
  });
  const { approvedRemovals, approvedUpdates } = verdict.state;
  const approvals = new Map(
    [...approvedRemovals, ...approvedUpdates].map(({ id, approved }) => [id, approved]),
  );
  return {
    state: verdict.state,
    plans: plans.map((plan) => withApproval(holdBack(plan, verdict), approvals)),
    isPlanned,
  };
}

/**
 * Puts the hash of an approved change on all changes of its name: they are one group, and a person
 * approved them as one.
 */
function withApproval(
  plan: NamePlan,
  approvals: ReadonlyMap<string, string | undefined>,
): NamePlan {
  if (approvals.size === 0) return plan;
  const [hash] = plan.changes.flatMap((change) => approvals.get(itemOf(change).id) ?? []);
  if (hash === undefined) return plan;
  return { ...plan, changes: plan.changes.map((change) => ({ ...change, approved: hash })) };
}

/** Reasons to hold that say: the objects of a cluster are not known now (Z-3, Z-30). */
const NOT_KNOWN: ReadonlySet<HoldCode> = new Set<HoldCode>([
  "NotSynced",
  "KindGone",
  "ClusterChanged",
]);

/**
 * True for a removal that is no change of type. Replacing A and AAAA by a CNAME is an update
 * (Z-16), because both cannot coexist. Types that can coexist count one by one: an entry that
 * changes from A to AAAA creates the AAAA and removes the A. What a person approved one by one is
 * not held again.
 */
function isRemoval({ change, reason, proof }: KeyChange): boolean {
  return change?.op === "remove" && reason.code !== "TypeChanged" && !ORDERED_PROOFS.has(proof);
}

/** Only removals of decide-unwanted.ts have the reason TypeChanged. */
function isUpdate({ change, reason }: KeyChange): boolean {
  return change?.op === "replace" || reason.code === "TypeChanged";
}

/**
 * True for an update that the fuse does not count: of a record set that this process created, and
 * on first contact one that an object asks for since it changed.
 */
function isEdit(change: KeyChange, state: FuseState, context: FuseContext): boolean {
  const { key, desired } = change;
  if (context.isMadeHere?.(key) === true) return true;
  const isMet = hasMet(state, itemOf(change, context));
  return !isMet && desired !== null && context.hasChanged?.(desired) === true;
}

function itemOf(
  { key, current, proof }: KeyChange,
  { furtherOwners }: Pick<FuseContext, "furtherOwners"> = {},
): FuseItem {
  const marker = current?.marker ?? null;
  const isFurther = marker !== null && furtherOwners?.has(marker.owner) === true;
  // Without the labels of a sequence, so that the item keeps its id (Z-10).
  const labels = marker && Object.entries(withoutSequence(marker.labels)).sort();
  return fuseItem({
    ...(isFurther ? { owner: marker.owner } : {}),
    key,
    marker: labels === null ? "" : JSON.stringify(labels),
    namespace: namespaceIn(marker?.resource ?? null),
    proof: proof === null ? "strong" : STRENGTH[proof],
  });
}

const STRENGTH: Readonly<Record<AbsenceProof, ProofStrength>> = {
  "deleted-object": "strong",
  "deleted-with-kind": "whole-kind",
  "ended-with-definition": "definition",
  "found-deleting": "found",
  "object-dropped-name": "strong",
  "object-omits-name": "unselected",
  "missing-from-list": "weak",
  "moved-zone": "weak",
  "no-targets-grace": "weak",
  // Never counted: see isRemoval.
  approved: "strong",
  "removed-cluster": "strong",
};

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

/** A held change of type also holds the creates of its name, which need the removal first. */
function holdBack(plan: NamePlan, { held, state }: FuseVerdict): NamePlan {
  const hashOf = (change: KeyChange) =>
    isRemoval(change) || isUpdate(change) ? held.get(itemOf(change).id) : undefined;
  const retyping = plan.changes.find(
    (one) => !isRemoval(one) && one.change?.op === "remove" && hashOf(one) !== undefined,
  );
  const hashFor = (one: KeyChange) =>
    retyping !== undefined && one.change?.op === "create" ? hashOf(retyping) : hashOf(one);
  if (!plan.changes.some((one) => hashFor(one) !== undefined)) return plan;
  const sets = heldSets(state);
  const holds = plan.changes.flatMap((one) => {
    const hash = hashFor(one);
    return hash === undefined
      ? []
      : [holdChange(one, { ...holdIn(sets, hash, one.proof), set: hash })];
  });
  return {
    ...plan,
    changes: withoutHeld(plan.changes, (one) => hashFor(one) !== undefined),
    holds: [...plan.holds, ...holds],
  };
}

/** Drops held changes, but keeps their permit withdrawals: a right that ended must not wait. */
function withoutHeld(
  changes: readonly KeyChange[],
  isHeld: (change: KeyChange) => boolean,
): readonly KeyChange[] {
  const remaining = changes.flatMap((one) => (isHeld(one) ? (permitWithdrawalOf(one) ?? []) : one));
  return putPermitsInOrder(remaining);
}

function holdIn(sets: readonly HeldSet[], hash: string, proof: AbsenceProof | null): HoldCause {
  const set = sets.find((one) => one.hash === hash);
  const approve = `zonekeeper approve ${hash} lets this set pass`;
  if (set?.kind === "first-contact")
    return {
      code: "FirstContact",
      message: `this installation meets the records of its owner id in this zone for the first time; ${approve}`,
    };
  if (set?.kind === "not-selected")
    return {
      code: "NotSelected",
      message: `its object exists and did not change, but a new version or configuration does not select the name; zonekeeper explain says why, and its record stays as it is when it is selected again; ${approve}`,
    };
  // A set of updates has no deleted objects to restore.
  const restore =
    set?.kind === "updates" ? "" : `, and zonekeeper restore ${hash} brings deleted objects back`;
  const message =
    set === undefined
      ? "too many changes at once: this one waits behind an earlier set; zonekeeper plan shows both sets with their hashes"
      : `${whyHeld(proof)}; ${approve}${restore}`;
  return { code: "FuseTripped", message };
}

function whyHeld(proof: AbsenceProof | null): string {
  if (proof === "deleted-with-kind") return "all objects of its kind were deleted at once";
  if (proof === "ended-with-definition")
    return "its object ended with the definition of its kind, which says nothing about the name; apply the object again";
  return proof !== null && STRENGTH[proof] === "weak"
    ? "nobody watched how its object gave up the name: such removals wait where they are many, or take the last name of the zone"
    : "too many changes at once";
}

/**
 * Holds every removal while the counters of the fuse cannot be read or stored. People read `why`.
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
