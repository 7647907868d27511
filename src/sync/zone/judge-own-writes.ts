/**
 * Who stays where two writers took one name in the same moment, on a back end that compares
 * nothing (Z-27). Judges names that were read after our own writes (own-writes.ts remembers them),
 * and has those withdrawn of which another writer stays. A write is verified once a reading shows
 * nobody beside it. A marker is the record that states the owner; it is pending while its data is
 * not written.
 *
 *   another owner's marker beside ours ──► the owner of the lower rank stays; the other withdraws
 *   foreign values beside ours         ──► we withdraw, while our own are not verified
 *   the record is blocked meanwhile    ──► our pending marker is withdrawn
 */
import { distinctBy } from "@zonekeeper/base/grouped-by";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { fingerprint64 } from "../../model/fingerprint.ts";
import { isSameKey, plainKey, recordSetKeyText } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { ChangeGroup, NamePlan, OwnedRecordSet } from "../../plan/changes.ts";
import type { HoldCode } from "../../plan/hold-reasons.ts";
import { isPending, isPendingCreate } from "../../plan/pending.ts";
import { setAt } from "../../plan/preconditions.ts";
import { isContestedWithUs } from "../../plan/rights.ts";
import type { NameLedger } from "./name-ledger.ts";
import { type PlanInput, planOf } from "./name-planner.ts";
import { mayLoseMarkers, type OwnName, type OwnSet } from "./own-writes.ts";
import { type OwnKey, withdrawalOf } from "./withdraw-own-writes.ts";
import type { ReadNames } from "./zone-reader.ts";

/** What the judgement needs. */
export interface OwnWritesInput extends PlanInput {
  readonly ledger: NameLedger;
  /** Names that were read in this round. */
  readonly read: ReadNames;
}

/** What becomes of our writes at one key; `waiting`: it shows later. */
type Verdict =
  | { readonly is: "kept" | "waiting" }
  /** `because`: who took the name. */
  | { readonly is: "withdrawn"; readonly because: string };

/**
 * Groups that take our own writes back, at most one for each name. A name that has to be read first
 * is due again; one that waits for another owner to withdraw is read after its back-off.
 */
export async function judgeOwnWrites(
  input: OwnWritesInput,
  due: readonly DnsName[],
): Promise<readonly ChangeGroup[]> {
  const groups: ChangeGroup[] = [];
  // Back ends that assert what they write have no such races.
  if (input.zoneInput.session.capabilities.preconditions.written.absent !== "never") return groups;
  for (const name of due) {
    const group = await judgeName(input, name);
    if (group !== null) groups.push(group);
  }
  return groups;
}

async function judgeName(input: OwnWritesInput, name: DnsName): Promise<ChangeGroup | null> {
  const { ledger, read, state } = input;
  const own = ledger.own.at(name);
  const views = state.owned.at(name);
  if (!mustBeJudged(views, own, input)) return null;
  if (!read.has(name)) {
    ledger.requireRead(name);
    return null;
  }
  const plan = planOf(input, name);
  const keys = keysOf(views, own);
  const verdicts = keys.map((one) => ({ one, verdict: verdictOn(one, { ...input, plan }) }));
  for (const { one, verdict } of verdicts) {
    if (verdict.is !== "withdrawn") continue;
    const group = await withdrawalOf(input, one, verdict.because);
    if (group !== null && !isPaused(input, name, one)) return group;
  }
  if (verdicts.some(({ verdict }) => verdict.is === "waiting")) {
    ledger.requireRead(name);
    ledger.retryHeld(name);
  } else {
    const data = new Set(keys.map((one) => one.data));
    // Data that is there alone is verified, although steps of its sequence are left: a value that
    // somebody adds later is no race.
    const isVerified = (set: OwnSet): boolean =>
      data.has(set) &&
      isSameJson(setAt(set.key, state.table)?.values, canonicalValues(set.expected));
    ledger.own.verified(name, plan.changes.length === 0 ? undefined : isVerified);
  }
  return null;
}

function mustBeJudged(
  views: readonly OwnedRecordSet[],
  own: OwnName | null,
  input: OwnWritesInput,
): boolean {
  const isContested = views.some((view) => isContestedWithUs(view, input.identity));
  const isOpen = own?.sets.some(({ isVerified }) => !isVerified) === true;
  return isOpen || isContested || hasIdleMarker(views, input);
}

/** The keys at the name, each with how the registry reads it and what our calls wrote there. */
function keysOf(views: readonly OwnedRecordSet[], own: OwnName | null): readonly OwnKey[] {
  const sets = own?.sets ?? [];
  return distinctBy(views, recordSetKeyText).map((view) => {
    const atKey = views.filter((other) => isSameKey(other, view));
    const records = atKey.flatMap(({ marker }) => marker?.record ?? []);
    return {
      key: plainKey(view),
      views: atKey,
      data: sets.find((set) => isSameKey(set.key, view)),
      markers: sets.filter(({ key }) => records.some((record) => isSameKey(record, key))),
    };
  });
}

interface JudgeInput extends OwnWritesInput {
  readonly plan: NamePlan;
}

function verdictOn(one: OwnKey, input: JudgeInput): Verdict {
  const { owners } = input.identity;
  if (one.views.some((view) => input.state.owned.isClaimed(view))) {
    // A plan that changes a contested key carries out a person's order, which goes first.
    const isOrdered = input.plan.changes.some(({ key }) => isSameKey(key, one.key));
    if (isOrdered && one.views.some(({ contested }) => contested)) return { is: "kept" };
    const others = one.views.flatMap((view) => view.owners ?? []).filter((id) => !owners.has(id));
    if (others.length > 0) return verdictAmong(others, one.key.name, owners);
  }
  // The marker is ours, and the data may be another's.
  const isIdle = hasIdleMarker(one.views, input) || isOthersEqualData(one, input);
  const sets = [one.data, ...one.markers].flatMap((set) => set ?? []);
  if (!isIdle && sets.every(({ isVerified }) => isVerified)) return { is: "kept" };
  if (!hasOthers(one, input)) {
    if (!isIdle && !isBlocked(one, input)) return { is: "kept" };
    // A create of ours that was not answered may still come: its values need their marker then.
    if (input.ledger.unanswered.mayStillLand(one.key.name)) return { is: "waiting" };
  }
  return { is: "withdrawn", because: "somebody else wrote there in the same moment" };
}

/** All owners compute the same order from the name, so that exactly one of them stays. */
function verdictAmong(
  others: readonly string[],
  name: DnsName,
  owners: ReadonlySet<string>,
): Verdict {
  const rank = (owner: string): string => fingerprint64(`${name} ${owner}`);
  const best = [...owners].map(rank).sort()[0] ?? "";
  const winner = others.find((other) => rank(other) < best);
  return winner === undefined
    ? { is: "waiting" }
    : { is: "withdrawn", because: `the owner "${winner}" wrote there in the same moment` };
}

/** Values of others beside ours, in the data or in the record set of the marker. */
function hasOthers({ key, views, data }: OwnKey, { state }: OwnWritesInput): boolean {
  if (views.some(({ contested }) => contested)) return true;
  if (data?.isVerified !== false) return false;
  const present = setAt(key, state.table)?.values ?? [];
  return present.some((value) => !data.expected.includes(value) && !data.values.has(value));
}

/** Our marker waits for its first data, and its key has a record of somebody else. */
function hasIdleMarker(
  views: readonly OwnedRecordSet[],
  { identity, state }: OwnWritesInput,
): boolean {
  const isWaiting = ({ data, marker }: OwnedRecordSet): boolean =>
    data === null &&
    marker !== null &&
    identity.owners.has(marker.owner) &&
    isPendingCreate(marker.labels);
  const isTaken = (view: OwnedRecordSet): boolean =>
    views.some(
      (other) => other.data !== null && !state.owned.isClaimed(other) && isSameKey(other, view),
    );
  // clause: marker-at-foreign-record-goes
  return views.some((view) => isWaiting(view) && isTaken(view));
}

/**
 * True when the first marker that we wrote has overwritten another owner's: data exists that no
 * call of ours has written. That it equals what we want does not make it ours.
 */
function isOthersEqualData({ views, data, markers }: OwnKey, { zoneInput }: JudgeInput) {
  if (!mayLoseMarkers(zoneInput.session.capabilities) || data !== undefined) return false;
  const isFirst = markers.some(({ isCreated, isVerified }) => isCreated && !isVerified);
  return (
    isFirst && /* clause: unwritten-data-is-foreign */ views.some((view) => view.data !== null)
  );
}

/** Our marker waits for data that cannot be written any more (Z-10). */
function isBlocked({ key, views }: OwnKey, { plan }: JudgeInput): boolean {
  const isWaiting = views.some(
    ({ data, marker }) => data === null && marker !== null && isPending(marker.labels),
  );
  return isWaiting && plan.holds.some((hold) => LOST.has(hold.code) && isSameKey(hold.key, key));
}

const LOST: ReadonlySet<HoldCode> = new Set<HoldCode>(["ForeignRecord", "ForeignMarker"]);

/** Nothing of a paused object is written or removed. */
function isPaused({ index }: OwnWritesInput, name: DnsName, { key, views }: OwnKey): boolean {
  const [current = null] = views;
  const reason = { code: "NotWanted", message: "" } as const;
  const rest = { desired: null, change: null, marker: null, reason, proof: null };
  const plan = { name, changes: [{ key, current, ...rest }], holds: [] };
  return index.paused.holdPaused(plan, () => index.listing(name)).changes.length === 0;
}
