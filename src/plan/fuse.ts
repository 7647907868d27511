/**
 * The fuse (Z-16): a large removal stops, in one plan or in many, until a person approves exactly
 * that set. A pure state machine over plain data. Its counters survive a restart, because the state
 * is stored before the writes that it let pass.
 */
import type { DnsName } from "../model/dns-name.ts";
import { fingerprint64 } from "../model/fingerprint.ts";
import type { RecordSetKey } from "../model/record-set.ts";

/** One removal or update that the fuse counts; made by `fuseItem`. */
export interface FuseItem extends RecordSetKey {
  /** Fingerprint of key and marker: a changed marker makes another item. */
  readonly id: string;
  /** True unless a DELETED event of the item's own object was seen; always false for updates. */
  readonly weak: boolean;
}

/** Items that were held together and are approved together. */
export interface FrozenSet {
  /** The hash that a person approves; made of the items at the trip and nothing else. */
  readonly hash: string;
  /** Items that are still planned; the hash stays that of all items at the trip. */
  readonly items: readonly FuseItem[];
}

/** Counters of one zone; JSON-serialisable. Only functions of this file make new ones. */
export interface FuseState {
  /**
   * Counts of owned record sets, oldest first, from the start of the window; at most one a minute.
   */
  readonly samples: readonly { readonly atMs: number; readonly owned: number }[];
  /** Removals that passed without approval in the last hour, by item. */
  readonly passed: readonly {
    readonly id: string;
    readonly atMs: number;
    readonly weak: boolean;
  }[];
  /** The set that waits for approval; null = the fuse has not tripped. */
  readonly frozen: FrozenSet | null;
  /** Removals that came after the trip: the next set. */
  readonly later: readonly FuseItem[];
  /**
   * Removals that a person approved; each until its marker changes or its name has no record of
   * ours. Separate from updates: an approved change of a value is no approved removal.
   */
  readonly approvedRemovals: readonly FuseItem[];
  /** Updates that a person approved, kept as long as approved removals. */
  readonly approvedUpdates: readonly FuseItem[];
  /** Version and configuration whose first plan was seen; null = none yet. */
  readonly version: string | null;
  /** Updates held by the first plan of a version; null = none. */
  readonly heldUpdates: FrozenSet | null;
  /** The unfinished first plan of a version, with its passed updates; null = none. */
  readonly trial: { readonly version: string; readonly passed: readonly FuseItem[] } | null;
}

/** One pass over planned removals and updates. */
export interface FuseInput {
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** Owned record sets in the zone now. */
  readonly owned: number;
  /** False when a name has no record of ours. */
  readonly isOwned: (name: DnsName) => boolean;
  /**
   * The names of this call: frozen items of these names that are not planned any more are dropped.
   */
  readonly planned: Pick<ReadonlySet<DnsName>, "has">;
  /**
   * True for what another account that shows the zone asks for: only its own plan can forget it.
   * Absent = nothing.
   */
  readonly isAskedElsewhere?: (item: FuseItem) => boolean;
  readonly removals: readonly FuseItem[];
  readonly updates: readonly FuseItem[];
  /** True when no owned name would be left afterwards. */
  readonly losesLastName: boolean;
  /**
   * Removals that each have their own DELETED event trip from this many; default FUSE_STRONG_MIN.
   */
  readonly strongMin?: number;
  /** Changes with our version or configuration. */
  readonly version: string;
  /**
   * Whether this call is a part of the first plan of a process: objects tell what they want one
   * after the other. False = that is over; absent = this one call is all of it.
   */
  readonly isFirstPlan?: boolean;
}

/** What may go and what waits. */
export interface FuseVerdict {
  /** To be stored before anything of `input` is written. */
  readonly state: FuseState;
  /**
   * Hash to approve by item id; "" for the next set, which is not frozen yet (`heldSets` has its
   * hash of now).
   */
  readonly held: ReadonlyMap<string, string>;
}

/** Length of the sliding window. */
export const FUSE_WINDOW_MS = 3_600_000;
/** Part of the owned record sets that may go in a window. */
export const FUSE_SHARE = 0.3;
/** Where every removal has its own DELETED event, and for updates: fewer never trip. */
export const FUSE_STRONG_MIN = 10;
/** Where the proof is weaker: more than this trips in a small zone. */
export const FUSE_WEAK_MAX = 3;
const SAMPLE_EVERY_MS = 60_000;

/** The fuse of a new zone. */
export function newFuse(): FuseState {
  return {
    samples: [],
    passed: [],
    frozen: null,
    later: [],
    approvedRemovals: [],
    approvedUpdates: [],
    version: null,
    heldUpdates: null,
    trial: null,
  };
}

/** The item of a key; `marker` is the text of the marker as it was read. */
export function fuseItem(key: RecordSetKey, marker: string, weak: boolean): FuseItem {
  const { name, type, setIdentifier } = key;
  const id = fingerprint64(JSON.stringify([name, type, setIdentifier, marker]));
  return { id, name, type, setIdentifier, weak };
}

/** Counts planned items and lets them pass or freezes them. An item that passed counts once. */
export function passFuse(state: FuseState, input: FuseInput): FuseVerdict {
  const observed = forget(slideWindow(state, input), input);
  const removals = passRemovals(observed, input);
  const updates = passUpdates(removals.state, input);
  return { state: updates.state, held: new Map([...removals.held, ...updates.held]) };
}

/** A set that a person can approve now. */
export interface HeldSet extends FrozenSet {
  readonly kind: "removals" | "next-removals" | "updates";
}

/**
 * The sets that wait for approval: the set that tripped, then later removals, then updates. The
 * next set is not frozen yet: its hash changes while items join it.
 */
export function heldSets({ frozen, later, heldUpdates }: FuseState): readonly HeldSet[] {
  const next = later.length === 0 ? null : freezeRemovals(later);
  return [
    ...(frozen === null ? [] : [{ ...frozen, kind: "removals" as const }]),
    ...(next === null ? [] : [{ ...next, kind: "next-removals" as const }]),
    ...(heldUpdates === null ? [] : [{ ...heldUpdates, kind: "updates" as const }]),
  ];
}

/**
 * Approves the held set with this hash; null = no such set. Names of `later` are then planned
 * again.
 */
export function approveFuse(state: FuseState, hash: string): FuseState | null {
  // Hashes are distinct: updates hash with a prefix, and the next set shares no item with the
  // first.
  const set = heldSets(state).find((one) => one.hash === hash);
  if (set === undefined) return null;
  if (set.kind === "updates")
    return {
      ...state,
      approvedUpdates: distinctItems([...state.approvedUpdates, ...set.items]),
      heldUpdates: null,
    };
  const approvedRemovals = distinctItems([...state.approvedRemovals, ...set.items]);
  return set.kind === "removals"
    ? { ...state, approvedRemovals, frozen: null }
    : { ...state, approvedRemovals, later: [] };
}

/** Moves the window. The first sample is the last one at or before its start, or the oldest. */
function slideWindow(state: FuseState, { nowMs, owned, isOwned }: FuseInput): FuseState {
  const startMs = nowMs - FUSE_WINDOW_MS;
  const last = state.samples.at(-1);
  const isDue = last === undefined || nowMs - last.atMs >= SAMPLE_EVERY_MS;
  const samples = isDue ? [...state.samples, { atMs: nowMs, owned }] : state.samples;
  return {
    ...state,
    samples: samples.filter((_, index) => (samples[index + 1]?.atMs ?? nowMs) > startMs),
    passed: state.passed.filter(({ atMs }) => atMs > startMs),
    approvedRemovals: state.approvedRemovals.filter((item) => isOwned(item.name)),
    approvedUpdates: state.approvedUpdates.filter((item) => isOwned(item.name)),
  };
}

/**
 * Drops items whose name was planned without them: the object came back, the marker changed, or an
 * update became a removal (or the reverse).
 */
function forget(state: FuseState, input: FuseInput): FuseState {
  const isRemoved = isWantedIn(input, input.removals);
  return {
    ...state,
    frozen: remaining(state.frozen, isRemoved),
    later: state.later.filter(isRemoved),
    heldUpdates: remaining(state.heldUpdates, isWantedIn(input, input.updates)),
  };
}

function isWantedIn(
  { planned, isAskedElsewhere }: FuseInput,
  items: readonly FuseItem[],
): (item: FuseItem) => boolean {
  const wanted = new Set(items.map(idOf));
  return (item) =>
    !planned.has(item.name) || wanted.has(item.id) || isAskedElsewhere?.(item) === true;
}

function remaining(set: FrozenSet | null, isWanted: (item: FuseItem) => boolean): FrozenSet | null {
  if (set === null) return null;
  const items = set.items.filter(isWanted);
  return items.length === 0 ? null : { ...set, items };
}

function passRemovals(state: FuseState, input: FuseInput): FuseVerdict {
  const items = unapproved(state.approvedRemovals, input.removals);
  if (state.frozen !== null) return holdBehindFrozen(state, items, state.frozen);
  const next = distinctItems([...state.later, ...items]);
  if (!isTooMuch(state, next, input))
    return {
      state: { ...state, later: [], passed: countPassed(state, items, input) },
      held: new Map(),
    };
  const frozen = freezeRemovals(next);
  return { state: { ...state, frozen, later: [] }, held: hashes(items, () => frozen.hash) };
}

function unapproved(
  approved: readonly FuseItem[],
  items: readonly FuseItem[],
): readonly FuseItem[] {
  const ids = new Set(approved.map(idOf));
  return items.filter((item) => !ids.has(item.id));
}

/** While a set waits, its items wait with it, and all other removals form the next set. */
function holdBehindFrozen(
  state: FuseState,
  items: readonly FuseItem[],
  frozen: FrozenSet,
): FuseVerdict {
  const ids = new Set(frozen.items.map(idOf));
  const later = items.filter((item) => !ids.has(item.id));
  const hashOf = (item: FuseItem) => (ids.has(item.id) ? frozen.hash : "");
  return {
    state: { ...state, later: distinctItems([...state.later, ...later]) },
    held: hashes(items, hashOf),
  };
}

/** The thresholds of Z-16, over the items in the window and the planned ones. */
function isTooMuch(state: FuseState, next: readonly FuseItem[], input: FuseInput): boolean {
  const window = new Map(state.passed.map(({ id, weak }) => [id, weak]));
  for (const item of next) window.set(item.id, item.weak);
  const total = window.size;
  const weak = [...window.values()].filter(Boolean).length;
  const share = FUSE_SHARE * Math.max(0, ...state.samples.map(({ owned }) => owned));
  const strongMin = input.strongMin ?? FUSE_STRONG_MIN;
  if (total > share && total >= strongMin && next.length > 0) return true;
  if (weak > Math.max(share, FUSE_WEAK_MAX) && next.length > 0) return true;
  return input.losesLastName && next.some((item) => item.weak);
}

function countPassed(state: FuseState, items: readonly FuseItem[], { nowMs }: FuseInput) {
  const fresh = new Map(items.map((item) => [item.id, item.weak]));
  const before = state.passed.filter(({ id }) => !fresh.has(id));
  return [...before, ...[...fresh].map(([id, weak]) => ({ id, atMs: nowMs, weak }))];
}

/** The first plan of a version is over. */
export function endFirstPlan(state: FuseState, version: string): FuseState {
  return { ...state, version, trial: null };
}

/**
 * Updates are held only in the first plan after a change of version or configuration, which can
 * come in several calls. In a new zone nothing has changed: its first call ends that plan.
 */
function passUpdates(state: FuseState, input: FuseInput): FuseVerdict {
  const { version, updates, isFirstPlan } = input;
  const items = unapproved(state.approvedUpdates, updates);
  if (state.version === version || isFirstPlan === false)
    return { state: endFirstPlan(state, version), held: heldBy(state.heldUpdates, items) };
  const { passed, heldUpdates } = tryFirstPlan(state, items, input);
  const isOver = isFirstPlan === undefined || state.version === null;
  const next = { ...state, heldUpdates, trial: { version, passed } };
  return {
    state: isOver ? endFirstPlan(next, version) : next,
    held: heldBy(heldUpdates, items),
  };
}

/** One call of a first plan: passes unless it is too much together with the earlier calls. */
function tryFirstPlan(
  { trial, heldUpdates }: FuseState,
  items: readonly FuseItem[],
  { version, owned }: FuseInput,
): { readonly passed: readonly FuseItem[]; readonly heldUpdates: FrozenSet | null } {
  const before = trial?.version === version ? trial.passed : [];
  const passed = new Set(before.map(idOf));
  const waiting = distinctItems([
    ...(heldUpdates?.items ?? []),
    ...items.filter(({ id }) => !passed.has(id)),
  ]);
  const total = passed.size + waiting.length;
  const isMany = total > FUSE_SHARE * owned && total >= FUSE_STRONG_MIN && waiting.length > 0;
  if (isMany) return { passed: before, heldUpdates: freezeUpdates(waiting) };
  const held = new Set(heldUpdates?.items.map(idOf));
  const free = items.filter(({ id }) => !held.has(id));
  return { passed: distinctItems([...before, ...free]), heldUpdates };
}

/** The items that wait in the set, with its hash. */
function heldBy(set: FrozenSet | null, items: readonly FuseItem[]): FuseVerdict["held"] {
  if (set === null) return new Map();
  const ids = new Set(set.items.map(idOf));
  return hashes(
    items.filter((item) => ids.has(item.id)),
    () => set.hash,
  );
}

function freezeRemovals(items: readonly FuseItem[]): FrozenSet {
  return { hash: fingerprint64(idsText(items)), items };
}

/**
 * The prefix keeps the hash of an update set apart from that of a removal set of the same items.
 */
function freezeUpdates(items: readonly FuseItem[]): FrozenSet {
  return { hash: fingerprint64(`updates ${idsText(items)}`), items };
}

function idsText(items: readonly FuseItem[]): string {
  return items.map(idOf).sort().join(" ");
}

function hashes(items: readonly FuseItem[], hashOf: (item: FuseItem) => string) {
  return new Map(items.map((item) => [item.id, hashOf(item)]));
}

function distinctItems(items: readonly FuseItem[]): readonly FuseItem[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

function idOf(item: FuseItem): string {
  return item.id;
}
