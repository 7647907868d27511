/**
 * Plans the names of one round of a zone: plan, definitions (ENDS of plan/removal/table.ts),
 * guards, API servers (ANSWERS of it), markers. Sends nothing; held changes stay in the ledger.
 */
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { ChangeGroup, NamePlan } from "../../plan/changes.ts";
import { BEHIND, tellSharers } from "../../plan/resolve-conflicts.ts";
import type { Capabilities } from "../../providers/provider.ts";
import { confirmAbsences } from "../absence/confirm-absences.ts";
import { confirmEnds, type PlansByEnds } from "../absence/confirm-ends.ts";
import { mustReadFirst } from "../calls/assertions.ts";
import { Footprint } from "../calls/pack-batches.ts";
import type { Guard, ZoneCounts } from "../guards/guard.ts";
import { judgeOwnWrites } from "./judge-own-writes.ts";
import type { NameLedger } from "./name-ledger.ts";
import type { PlanInput } from "./name-planner.ts";
import type { ZonePlanner } from "./zone-planner.ts";
import type { ReadNames } from "./zone-reader.ts";

/** What a round is planned from. */
export interface RoundInput extends PlanInput {
  readonly planner: ZonePlanner;
  readonly ledger: NameLedger;
  readonly guard: Guard;
  /** Names that were read in this round. */
  readonly read: ReadNames;
  /** Long rounds are cut into slices by it. */
  readonly clock: Clock;
}

/**
 * Groups that do not share an owner name, in the order of `due`; those that would are due again.
 */
export async function planRound(
  input: RoundInput,
  due: readonly DnsName[],
): Promise<readonly ChangeGroup[]> {
  const { absences, ledger } = input;
  const slices = new Slices(input.clock);
  const withdrawals = await judgeOwnWrites(input, /* clause: due-names-are-judged */ due);
  const footprint = new Footprint();
  const groups = withdrawals.filter((group) => footprint.tryAdd(group));
  const withdrawn = new Set(withdrawals.map(({ name }) => name));
  const others = withdrawn.size === 0 ? due : due.filter((name) => !withdrawn.has(name));
  const { plans: admitted, held } = await admittedPlans(input, others, slices);
  const isRemoving = admitted.some(({ changes }) => changes.some(({ proof }) => proof !== null));
  if (
    /* clause: named-objects-are-stored-first */ absences.seen.rememberNamed(admitted) ||
    isRemoving
  )
    await absences.seen.sightings.store();
  const confirmed = await confirmAbsences(admitted, absences.confirming, input.clock);
  for (const plan of confirmed.plans) {
    if (slices.isOver) await slices.next();
    const group = await prepare(input, plan);
    if (confirmed.next.has(plan.name)) ledger.mark(plan.name, false);
    else if (confirmed.held.has(plan.name) || held.has(plan.name)) ledger.retryHeld(plan.name);
    if (group === null) continue;
    if (footprint.tryAdd(group)) groups.push(group);
    else ledger.mark(plan.name, false);
  }
  ledger.hasPlanned = true;
  return groups;
}

/**
 * The plans of these names; as a hold each change that a guard does not admit, and each removal
 * that rests on the end of a definition (`ENDS`).
 */
async function admittedPlans(
  input: RoundInput,
  due: readonly DnsName[],
  slices: Slices,
): Promise<PlansByEnds> {
  const { zoneInput, absences, state, ledger, guard, planner, migration } = input;
  const planned = await planner.plansOf(due, input);
  const all = migration === undefined ? planned : await migration.extend(planned, input);
  // An order of a person is carried out at once, or never.
  const plans = all.flatMap((plan) => {
    if (ledger.isNotConverging(plan)) return [];
    return input.orders?.isAbout(plan.name) === true ? plan : ledger.holdFought(plan);
  });
  // A name outside of this zone proves nothing about the zone that has it.
  for (const plan of plans.filter((one) => isAtOrBelow(one.name, zoneInput.zone.name))) {
    const { name, changes, holds } = plan;
    const isDone = changes.length === 0 && holds.every(({ code }) => BEHIND.has(code));
    // clause: leavers-are-remembered
    if (zoneInput.joins !== true || isDone) absences.settled(name);
    absences.seen.remember(name, state.owned);
  }
  if (slices.isOver) await slices.next();
  const counts = countsOf(input);
  const confirmed = await confirmEnds(plans, absences, input.clock);
  const { held } = confirmed;
  const admitted = await guard.admit(confirmed.plans, counts);
  if (migration === undefined) return { plans: admitted, held };
  return { plans: migration.admitted(admitted, planned), held };
}

/** What guards ask of the zone; also after the round, so that it keeps nothing of the round. */
function countsOf(input: RoundInput): ZoneCounts {
  const { planner, absences, ledger, index, state, identity } = input;
  const { owned, ownedNames, ownedAt, ownedIn, unsigned, unsignedNames, hasRecordsOf } =
    state.owned;
  const isRead = (): boolean => absences.areKindsListed() && ledger.isAllPlanned;
  return {
    ...{ owned, ownedNames, ownedAt, ownedIn, unsigned, unsignedNames, hasRecordsOf },
    isAsWanted: planner.inSyncTest(input),
    hasChanged: (desired) => absences.records.hasChanged(desired),
    readProgress: () => (isRead() ? absences.records.arrivals + index.arrivals : null),
    // Owner ids that DNSOwners switch on here (ADR 0050).
    furtherOwners: new Set([...identity.owners].filter((owner) => owner !== identity.mainOwner)),
  };
}

/**
 * The group of a plan with its markers, or null when there is nothing to send; the ledger remembers
 * held changes. A group whose call cannot compare what was read is sent only in a round that has
 * read the name: another client may have written there, and a person may have removed its marker
 * since (Z-8, Z-10).
 */
async function prepare(
  { zoneInput, state, ledger, read }: RoundInput,
  plan: NamePlan,
): Promise<ChangeGroup | null> {
  if (plan.changes.length === 0) {
    ledger.remember(tellSharers(plan));
    return null;
  }
  const prepared = await zoneInput.ownership.prepare(plan, state.table);
  const changes = prepared.ok ? prepared.group.keys : [];
  const holds = [...plan.holds, ...(prepared.holds ?? [])];
  ledger.remember(tellSharers({ ...plan, changes, holds }));
  if (!prepared.ok) return null;
  const { group } = prepared;
  if (
    /* clause: name-is-read-first */ mustReadFirst(group, zoneInput.session.capabilities) &&
    !read.has(plan.name)
  ) {
    ledger.requireRead(plan.name);
    return null;
  }
  if (ledger.isRepeatedStep(group)) return null;
  if (!mayUnmark(group, zoneInput.session.capabilities, ledger)) return group;
  // clause: late-create-keeps-marker
  if (!ledger.unanswered.mayStillLand(plan.name)) return group;
  ledger.retryHeld(plan.name);
  return null;
}

/**
 * True when a create of ours whose answer was lost would leave a record without a marker if it took
 * effect after the group (Z-10), on a provider where it does not compare the marker: the group
 * removes a marker whose record is gone, or begins to remove a record with other data than the
 * create has; the marker of a removal is for the data that it removes.
 */
function mayUnmark(
  { keys, changes }: ChangeGroup,
  { atomicity, preconditions }: Capabilities,
  { unanswered }: NameLedger,
): boolean {
  if (atomicity === "zone" || preconditions.others.exact !== "never") return false;
  const isGone = keys.every(({ current }) => (current?.data ?? null) === null);
  if (isGone && changes.every(({ op }) => op === "remove")) return true;
  return keys.some(
    ({ change }) =>
      change?.op === "remove" &&
      /* clause: late-create-keeps-record */ unanswered.createsOtherThan(change.previous),
  );
}
