/**
 * Who stays where two writers took one name in the same moment, on a back end that compares
 * nothing (Z-27). Judges names that were read after our own writes, and makes the groups that take
 * our writes back (withdraw). A value that our calls did not write is never changed. What they
 * wrote is remembered by own-writes.ts (`OwnSet`); it is verified once a reading shows nobody
 * beside it. A marker is the record that states the owner; it is pending while its data is not
 * written.
 *
 *   another owner's marker beside ours ──► the owner of the lower rank stays; the other withdraws
 *   foreign values beside ours         ──► we withdraw, while our own are not verified
 *   the record is blocked meanwhile    ──► our pending marker is withdrawn
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/canonical-values";
import { fingerprint64 } from "../../model/fingerprint.ts";
import { isSameKey, plainKey, type RecordSet, type RecordSetKey } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { Change, ChangeGroup, NamePlan, OwnedRecordSet } from "../../plan/changes.ts";
import type { HoldCode } from "../../plan/hold-reasons.ts";
import { isPending, isPendingCreate } from "../../plan/pending.ts";
import { preconditionsOf, setAt } from "../../plan/preconditions.ts";
import { isContestedWithUs } from "../../plan/rights.ts";
import type { NameLedger } from "./name-ledger.ts";
import { type PlanInput, planOf } from "./name-planner.ts";
import { mayLoseMarkers, type OwnName, type OwnSet } from "./own-writes.ts";
import type { ReadNames } from "./reread-uncertain.ts";

/** What the judgement needs. */
export interface OwnWritesInput extends PlanInput {
  readonly ledger: NameLedger;
  /** Names that were read in this round. */
  readonly read: ReadNames;
}

/** One key of a name with what our calls wrote there. */
interface OwnKey {
  readonly key: RecordSetKey;
  /** As the registry reads the zone: the data with its marker, or a marker without data yet. */
  readonly views: readonly OwnedRecordSet[];
  readonly data: OwnSet | undefined;
  readonly markers: readonly OwnSet[];
}

type Verdict = { readonly is: "kept" | "waiting" } | Withdrawn;

interface Withdrawn {
  readonly is: "withdrawn";
  /** Who took the name. */
  readonly because: string;
}

const KEPT: Verdict = { is: "kept" };

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
  const context = { ...input, plan };
  const verdicts = keysOf(views, own).map((one) => ({
    one,
    verdict: verdictByOwners(one, context) ?? verdictByValues(one, context),
  }));
  for (const { one, verdict } of verdicts) {
    const group = verdict.is === "withdrawn" ? await withdrawalOf(input, one, verdict) : null;
    if (group !== null && !isPaused(input, name, one)) return group;
  }
  if (verdicts.some(({ verdict }) => verdict.is === "waiting")) {
    ledger.requireRead(name);
    ledger.retryHeld(name);
  } else {
    const data = new Set(verdicts.map(({ one }) => one.data));
    // Data that is there alone is verified, although steps of its sequence are left: a value that
    // somebody adds later is no race.
    const isVerified = (set: OwnSet): boolean => data.has(set) && isThere(set, input);
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

function isThere({ key, expected }: OwnSet, { state }: OwnWritesInput): boolean {
  return isSameJson(setAt(key, state.table)?.values, canonicalValues(expected));
}

/** The keys at the name, each with how the registry reads it and what our calls wrote there. */
function keysOf(views: readonly OwnedRecordSet[], own: OwnName | null): readonly OwnKey[] {
  const sets = own?.sets ?? [];
  const distinct = views.filter((view, at) => views.findIndex((v) => isSameKey(v, view)) === at);
  return distinct.map((view) => {
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

/** The verdict between owners whose markers are at the key; null = no other owner marks it. */
function verdictByOwners(one: OwnKey, input: JudgeInput): Verdict | null {
  const { owners } = input.identity;
  // A plan that changes a contested key carries out a person's order, which goes first.
  if (input.plan.changes.some(({ key }) => isSameKey(key, one.key) && isMarked(one, input)))
    if (one.views.some(({ contested }) => contested)) return KEPT;
  const others = one.views.flatMap((view) => view.owners ?? []).filter((id) => !owners.has(id));
  if (others.length === 0 || !isMarked(one, input)) return null;
  return verdictAmong(others, one.key.name, owners);
}

function verdictByValues(one: OwnKey, input: JudgeInput): Verdict {
  const sets = [one.data, ...one.markers].flatMap((set) => set ?? []);
  const isIdle = hasIdleMarker(one.views, input) || isOthersEqualData(one, input);
  if (!isIdle && sets.every(({ isVerified }) => isVerified)) return KEPT;
  const withdrawn: Verdict = {
    is: "withdrawn",
    because: "somebody else wrote there in the same moment",
  };
  if (hasOthers(one, input)) return withdrawn;
  if (!isIdle && !isBlocked(one, input)) return KEPT;
  // A create of ours that was not answered may still come: its values need their marker then.
  return input.ledger.unanswered.mayStillLand(one.key.name) ? { is: "waiting" } : withdrawn;
}

function isMarked({ views }: OwnKey, { state }: OwnWritesInput): boolean {
  return views.some((view) => state.owned.isClaimed(view));
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

/**
 * The group that removes our values and markers at the key; only the first of these changes where
 * each is a call of its own. Null = nothing of ours is there.
 */
async function withdrawalOf(
  input: OwnWritesInput,
  one: OwnKey,
  { because }: Withdrawn,
): Promise<ChangeGroup | null> {
  const { state, zoneInput } = input;
  const markers = await ownMarkerChanges(input, one);
  const data = dataChange(input, one, markers.length > 0);
  const all = data === null ? markers : [data, ...markers];
  const isWhole = zoneInput.session.capabilities.atomicity === "zone";
  const changes = isWhole ? all : all.slice(0, 1);
  if (changes.length === 0) return null;
  const preconditions = preconditionsOf(changes, state.table);
  return { name: one.key.name, keys: [], changes, preconditions, withdraws: because };
}

/**
 * The change that removes the values which our own calls are known to have written; null = none is
 * there. No other owner wrote an equal value, because back ends refuse a value that exists.
 */
function dataChange(
  { state, zoneInput }: OwnWritesInput,
  { key, data, views }: OwnKey,
  isMarkedByUs: boolean,
): Change | null {
  const present = setAt(key, state.table);
  if (present === undefined) return null;
  const isWhole = zoneInput.session.capabilities.atomicity === "zone";
  // Data and marker came in one call: the marker shows that it took effect.
  const isKnown = data?.isSure === true || (isWhole && isMarkedByUs);
  const named = namedByMarker(views.filter((view) => state.owned.isClaimed(view)));
  const isOwn = (value: string): boolean =>
    (isKnown && data?.values.has(value) === true) || named.has(value);
  return without(present, isOwn);
}

/** The values that our marker names as ours: a process that was restarted knows them by it. */
function namedByMarker(claimed: readonly OwnedRecordSet[]): ReadonlySet<string> {
  const named = claimed.flatMap(({ data, marker, foreignValues = [] }) =>
    marker?.labels["values"] === undefined
      ? []
      : (data?.values ?? []).filter((value) => !foreignValues.includes(value)),
  );
  return new Set(named);
}

/** Removes our marker texts, each at the name where it is. */
async function ownMarkerChanges(
  input: OwnWritesInput,
  { views }: OwnKey,
): Promise<readonly Change[]> {
  const records = views.flatMap(({ marker }) => marker?.record ?? []);
  const distinct = records.filter((one, at) => records.findIndex((r) => isSameKey(r, one)) === at);
  const changes: Change[] = [];
  for (const record of distinct) {
    const present = setAt(record, input.state.table);
    if (present === undefined) continue;
    const own = await ownTextsIn(input, present);
    const change = without(present, (value) => own.has(value));
    if (change !== null) changes.push(change);
  }
  return changes;
}

/** The texts of the record set that are markers of ours. */
async function ownTextsIn(
  { zoneInput, identity }: OwnWritesInput,
  set: RecordSet,
): Promise<ReadonlySet<string>> {
  const own = new Set<string>();
  for (const value of set.values) {
    const [view] = await zoneInput.ownership.read([{ ...set, values: [value] }]);
    if (identity.owners.has(view?.marker?.owner ?? "")) own.add(value);
  }
  return own;
}

/** The record set without some of its values; null = it has none of them. */
function without(present: RecordSet, isOwn: (value: string) => boolean): Change | null {
  const values = present.values.filter((value) => !isOwn(value));
  if (values.length === present.values.length) return null;
  if (values.length === 0) return { op: "remove", previous: present };
  return { op: "replace", previous: present, next: { ...present, values } };
}

/** Nothing of a paused object is written or removed. */
function isPaused({ index }: OwnWritesInput, name: DnsName, { key, views }: OwnKey): boolean {
  const [current = null] = views;
  const reason = { code: "NotWanted", message: "" } as const;
  const rest = { desired: null, change: null, marker: null, reason, proof: null };
  const plan = { name, changes: [{ key, current, ...rest }], holds: [] };
  return index.paused.holdPaused(plan, () => index.listing(name)).changes.length === 0;
}
