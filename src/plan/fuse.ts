/**
 * The fuse (Z-16): a large removal stops, however it is sliced, until a person approves that very
 * set. A pure state machine over plain data: state in, state out, so that counters survive a
 * restart when the state is stored before the writes that it let pass.
 */
import type { DnsName } from "../model/dns-name.ts";
import { fingerprint64 } from "../model/fingerprint.ts";
import type { RecordSetKey } from "../model/record-set.ts";

/** One removal or update that the fuse counts; made by `fuseItem`. */
export interface FuseItem extends RecordSetKey {
  /** Of key and marker: the same key with a changed marker is another item. */
  readonly id: string;
  /** True unless the item's own object was seen DELETED; always false for updates. */
  readonly weak: boolean;
}

/** What was held together and is approved together. */
export interface FrozenSet {
  /** What a person approves; depends on the items at the trip and nothing else. */
  readonly hash: string;
  /** Items that are still wanted; the hash keeps standing for all it was made of. */
  readonly items: readonly FuseItem[];
}

/** Counters of one zone; JSON-serialisable. Only functions of this file make new ones. */
export interface FuseState {
  /**
   * Owned record sets over time, oldest first; the first one is the window's start. At most one a
   * minute.
   */
  readonly samples: readonly { readonly atMs: number; readonly owned: number }[];
  /** Removals let pass without approval in the last hour, by item. */
  readonly passed: readonly {
    readonly id: string;
    readonly atMs: number;
    readonly weak: boolean;
  }[];
  /** The set that waits for approval; null = not tripped. */
  readonly frozen: FrozenSet | null;
  /** Removals that came after the trip: the next set. */
  readonly later: readonly FuseItem[];
  /**
   * Removals that a person approved; each until its marker changes (another item then) or its name
   * holds nothing of ours. Not one list with updates: an item is of key and marker, and whoever
   * lets a value change does not let it go.
   */
  readonly approvedRemovals: readonly FuseItem[];
  /** Updates that a person approved, for as long. */
  readonly approvedUpdates: readonly FuseItem[];
  /** Version and configuration whose first plan was seen; null = none yet. */
  readonly version: string | null;
  /** Updates held by the first plan of a version; null = none. */
  readonly heldUpdates: FrozenSet | null;
  /**
   * The first plan of a version that is not over, with the updates that it let pass; null = none is
   * under way.
   */
  readonly trial: { readonly version: string; readonly passed: readonly FuseItem[] } | null;
}

/** One look at planned removals and updates. */
export interface FuseInput {
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** Owned record sets in the zone now. */
  readonly owned: number;
  /** False when nothing of ours is left at a name. */
  readonly isOwned: (name: DnsName) => boolean;
  /**
   * True for names that this call is about: what is frozen there and no longer wanted is forgotten.
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

/** The fuse of a zone that was never seen. */
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

/** The item of a key; `marker` is the marker's text as it was read. */
export function fuseItem(key: RecordSetKey, marker: string, weak: boolean): FuseItem {
  const { name, type, setIdentifier } = key;
  const id = fingerprint64(JSON.stringify([name, type, setIdentifier, marker]));
  return { id, name, type, setIdentifier, weak };
}

/**
 * Counts what is planned, lets it pass or freezes it. Asking again about what passed counts it
 * once.
 */
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
 * What waits for approval: the set that tripped, then the removals that came later, then updates.
 * The next set is not frozen yet: its hash is that of what is in it now, and changes while more
 * join it.
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
 * Approves the held set with this hash; null when none has it. Names of `later` are to be planned
 * again.
 */
export function approveFuse(state: FuseState, hash: string): FuseState | null {
  // No two have one hash: of removals and updates it is never the same, and the next set has
  // nothing of the first.
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

/**
 * Moves the window: the first sample is the last one at or before its start, or the oldest there
 * is.
 */
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
 * An item is forgotten when its name was planned without it: its object came back, its marker
 * changed, or what was to change is to go now (or the other way round).
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

/** While a set waits, what belongs to it waits with it and everything else forms the next one. */
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

/** The thresholds of Z-16 over everything in the window and what is about to join it. */
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
 * Updates are held only by the first plan after a change of version or configuration, in however
 * many slices it comes. In a zone that was never seen nothing has changed: one look at it is all.
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

/** One slice of a first plan: together with those before it is too much, or it passes. */
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

/** Those of `items` that wait in the set; it may be there and hold none of them. */
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
 * Its hash is never that of the same items' removal: who has seen the one approves nothing of the
 * other.
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
