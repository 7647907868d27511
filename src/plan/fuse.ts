/**
 * The fuse (Z-16): a large removal stops, in one plan or in many, until a person approves exactly
 * that set by its hash. A pure state machine over plain data (fuse-state.ts). Proofs (of absence)
 * say how it is known that no object wants a record; the weak ones have lower limits.
 *
 *   planned removals and updates
 *     │ approved, or of a preview namespace ──► pass
 *     │ first plan, first contact ────────────► one set each (fuse-first-plan.ts)
 *     │ of a namespace over the limits,
 *     │ with all objects of a kind,
 *     │ with the definition of its kind ──────► the set that grows (`later`); it is frozen once
 *     ▼                                         nothing joined it for 10 s (fuse-limits.ts)
 *   counted, and passed
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import { FUSE_LIMITS } from "../model/fuse-limits.ts";
import { endContacts, noteContacts } from "./fuse-first-contact.ts";
import { firstSets, passFirstPlan } from "./fuse-first-plan.ts";
import type { FuseInput, FuseVerdict } from "./fuse-input.ts";
import { namespacesToHold } from "./fuse-limits.ts";
import {
  distinctItems,
  type FuseItem,
  type FuseState,
  freeze,
  type HeldSet,
  heldBy,
  isWeak,
  type OwnedSample,
  type PassedRemoval,
  remaining,
  without,
} from "./fuse-state.ts";

/** Length of the sliding window. */
export const FUSE_WINDOW_MS = 3_600_000;
/** A set is frozen so long after its last item. */
export const FREEZE_AFTER_MS = 10_000;
const SAMPLE_EVERY_MS = 60_000;

/** Counts planned items and lets them pass or freezes them. An item that passed counts once. */
export function passFuse(state: FuseState, input: FuseInput): FuseVerdict {
  const observed = forget(slideWindow(state, input), input);
  const first = passFirstPlan(noteContacts(freezeQuiet(observed, input.nowMs), input), input);
  const isFree = (item: FuseItem) => !isWeak(item) && input.isEphemeral?.(item.namespace) === true;
  // For an hour after the counters were lost every proof counts as weak (Z-23).
  const isWeakened = ({ proof }: FuseItem) =>
    observed.bornMs !== null && (proof === "strong" || proof === "found");
  const counted = first.counted
    .filter((item) => !isFree(item))
    .map((item): FuseItem => (isWeakened(item) ? { ...item, proof: "weak" } : item));
  const removals = passRemovals(first.state, counted, input);
  return { state: removals.state, held: new Map([...first.held, ...removals.held]) };
}

/**
 * The sets that wait for approval: the set that tripped, then later removals, then those of a first
 * plan. The hash of a set that is not frozen yet changes while items join it.
 */
export function heldSets(state: FuseState): readonly HeldSet[] {
  const { frozen, later } = state;
  const sets: HeldSet[] = [];
  if (frozen !== null) sets.push({ ...frozen, kind: "removals", removals: frozen.items.length });
  if (later.length > 0) {
    const kind = frozen === null ? "removals" : "next-removals";
    sets.push({ ...freeze(later), kind, removals: later.length, isGrowing: true });
  }
  return [...sets, ...firstSets(state)];
}

/**
 * Approves the held set with this hash; null = no such set. Names of `later` are then planned
 * again. While not all objects were read (`isFirstPlan`), an approval does not end first contact:
 * the person was not shown what the others want (Z-24).
 */
export function approveFuse(state: FuseState, hash: string, isFirstPlan = false): FuseState | null {
  // Hashes are distinct: sets of a first plan hash with a prefix, and the next set shares no item
  // with the first.
  const set = heldSets(state).find((one) => one.hash === hash);
  if (set === undefined) return null;
  const items = set.items.map((item) => ({ ...item, approved: hash }));
  const removals = items.slice(0, set.removals);
  const updates = items.slice(set.removals);
  return {
    /* clause: approved-removal-is-not-counted */ ...withoutApproved(state, removals),
    ...leftBy(set.kind, state),
    ...(set.kind === "first-contact" && !isFirstPlan ? endContacts(state) : {}),
    approvedRemovals: distinctItems([...state.approvedRemovals, ...removals]),
    approvedUpdates: distinctItems([...state.approvedUpdates, ...updates]),
  };
}

/**
 * Approved removals are not counted in the hour. Removals of the same namespaces that passed before
 * are taken as the beginning of the approved one and are not counted any more either; the sizes
 * that limits are shares of shrink by both.
 */
function withoutApproved(state: FuseState, removals: readonly FuseItem[]): FuseState {
  const namespaces = new Set(removals.map(({ namespace }) => namespace));
  // clause: passed-after-approval-counts
  const passed = state.passed.filter(({ namespace }) => !namespaces.has(namespace));
  const gone = [...removals, ...state.passed.filter(({ namespace }) => namespaces.has(namespace))];
  const less = (base: OwnedSample, count: number): OwnedSample => {
    return { ...base, owned: Math.max(0, base.owned - count) };
  };
  const goneIn = (namespace: string) => gone.filter((one) => one.namespace === namespace).length;
  const bases = Object.entries(state.bases).map(([namespace, base]) => {
    // clause: namespace-base-shrinks
    return [namespace, less(base, goneIn(namespace))] as const;
  });
  return {
    ...state,
    passed,
    bases: Object.fromEntries(bases),
    samples: /* clause: zone-base-shrinks */ state.samples.map((sample) =>
      less(sample, gone.length),
    ),
  };
}

function leftBy(kind: HeldSet["kind"], { frozen }: FuseState): Partial<FuseState> {
  switch (kind) {
    case "removals":
      return frozen === null ? { later: [] } : { frozen: null };
    case "next-removals":
      return { later: [] };
    case "updates":
      return { heldUpdates: null };
    case "not-selected":
      return { heldRemovals: null };
    case "first-contact":
      return { heldRemovals: null, heldUpdates: null };
  }
}

/**
 * Moves the window of an hour to now. The first sample stays the last one at or before the start of
 * the window, or the oldest there is.
 */
function slideWindow(state: FuseState, { nowMs, owned }: FuseInput): FuseState {
  const startMs = nowMs - FUSE_WINDOW_MS;
  const last = state.samples.at(-1);
  const isDue = last === undefined || nowMs - last.atMs >= SAMPLE_EVERY_MS;
  const samples = isDue ? [...state.samples, { atMs: nowMs, owned }] : state.samples;
  const isInWindow = ({ atMs }: { readonly atMs: number }) => atMs > startMs;
  const bases = Object.entries(state.bases).filter(([, base]) => isInWindow(base));
  const bornMs = state.met === null && owned > 0 ? nowMs : state.bornMs;
  return {
    ...state,
    bornMs: bornMs !== null && bornMs > startMs ? bornMs : null,
    samples: samples.filter((_, index) => (samples[index + 1]?.atMs ?? nowMs) > startMs),
    bases: Object.fromEntries(bases),
    passed: state.passed.filter(isInWindow),
  };
}

/**
 * Drops items whose name was planned without them, approved ones too: the object came back, the
 * change was made, the marker changed, or an update became a removal (or the reverse).
 */
function forget(state: FuseState, input: FuseInput): FuseState {
  const isRemoved = isWantedIn(input, input.removals);
  const isUpdated = isWantedIn(input, input.updates);
  const anew = new Set(input.removals.filter((item) => !isWeak(item)).map(({ id }) => id));
  // An item that joined with its definition leaves where the object was created again and then
  // ended by itself, between two plans.
  const waits = (item: FuseItem) =>
    isRemoved(item) &&
    /* clause: ended-anew-leaves-set */ !(item.proof === "definition" && anew.has(item.id));
  return {
    ...state,
    frozen: remaining(state.frozen, waits),
    later: state.later.filter(waits),
    heldRemovals: remaining(state.heldRemovals, isRemoved),
    heldUpdates: remaining(state.heldUpdates, isUpdated),
    approvedRemovals: /* clause: wanted-again-ends-approval */ state.approvedRemovals.filter(
      isRemoved,
    ),
    approvedUpdates: state.approvedUpdates.filter(isUpdated),
  };
}

function isWantedIn(
  { planned }: FuseInput,
  items: readonly FuseItem[],
): (item: FuseItem) => boolean {
  const wanted = new Set(items.map(({ id }) => id));
  return (item) => !planned.has(item.name) || wanted.has(item.id);
}

/** When the set that grows will be frozen; null = there is none, or another one is frozen. */
export function freezesAtMs({ frozen, later, joinedMs }: FuseState): number | null {
  return frozen !== null || later.length === 0 ? null : joinedMs + FREEZE_AFTER_MS;
}

/** Freezes the set that grew, once nothing joins it. */
export function freezeQuiet(state: FuseState, nowMs: number): FuseState {
  const atMs = freezesAtMs(state);
  if (atMs === null || nowMs < atMs) return state;
  return { ...state, frozen: freeze(state.later), later: [] };
}

/** Lets removals pass, save those that a set holds, and those of namespaces that must wait. */
function passRemovals(state: FuseState, items: readonly FuseItem[], input: FuseInput): FuseVerdict {
  const frozen = state.frozen?.items ?? [];
  // A waiting item keeps the proof with which it joined: the next process may know less.
  // clause: waiting-keeps-proof
  const planned = distinctItems([...state.later, ...without(items, state.later)]);
  const passed = new Map(state.passed.map(({ id, weak }) => [id, weak]));
  // Counted in this hour already, on a proof no stronger than the present one: not counted again.
  const isCounted = (item: FuseItem) =>
    passed.get(item.id) === true || (passed.has(item.id) && !isWeak(item));
  const next = without(planned, frozen).filter((item) => !isCounted(item));
  const bases = countBases(state, next, input);
  const waitsIn = heldNamespaces({ ...state, bases }, next, input);
  const later = next.filter((item) => waitsIn.has(item.namespace) || isOneSet(item, input));
  const hasJoined = without(later, state.later).length > 0;
  const passing = without(without(items, frozen), later);
  const growing = later.length === 0 ? null : freeze(later);
  const held = state.frozen === null ? growing : growing && { ...growing, hash: "" };
  return {
    state: {
      ...state,
      bases,
      later,
      joinedMs: hasJoined ? input.nowMs : state.joinedMs,
      passed: countPassed(state, passing, input),
    },
    held: new Map([...heldBy(state.frozen, items), ...heldBy(held, items)]),
  };
}

/**
 * True for a removal that waits for a person whatever the number: no limit counts it, and other
 * removals do not wait because of it.
 */
function isOneSet({ proof }: FuseItem, { limits = FUSE_LIMITS }: FuseInput): boolean {
  // clause: end-with-definition-asks
  if (proof === "definition") return true;
  return /* clause: whole-kind-is-one-set */ proof === "whole-kind" && limits.holdsWholeKinds;
}

/** Takes the size of each namespace at its first removal of the hour. */
function countBases(
  { bases }: FuseState,
  next: readonly FuseItem[],
  { nowMs, ownedIn }: FuseInput,
): FuseState["bases"] {
  const taken: Record<string, OwnedSample> = { ...bases };
  for (const { namespace } of next) taken[namespace] ??= { atMs: nowMs, owned: ownedIn(namespace) };
  return taken;
}

/** While a set waits, what its namespaces remove later waits too. */
function heldNamespaces(
  state: FuseState,
  next: readonly FuseItem[],
  input: FuseInput,
): ReadonlySet<string> {
  const { limits = FUSE_LIMITS, losesLastName } = input;
  // clause: one-set-holds-no-others
  const isNumbered = (item: FuseItem) => !isOneSet(item, input);
  const frozen = (state.frozen?.items ?? []).filter(isNumbered);
  const again = new Set(next.map(({ id }) => id));
  const namespaceOf = ({ namespace }: Pick<FuseItem, "namespace">) => namespace;
  const counted = state.passed.filter(({ id }) => !again.has(id));
  const passed = groupedBy(counted, namespaceOf);
  const waiting = groupedBy([...frozen, ...next.filter(isNumbered)], namespaceOf);
  const namespaces = [...new Set([...passed.keys(), ...waiting.keys()])].map((namespace) => {
    const [before = [], now = []] = [passed.get(namespace), waiting.get(namespace)];
    return {
      namespace,
      owned: state.bases[namespace]?.owned ?? 0,
      passed: { all: before.length, weak: before.filter(({ weak }) => weak).length },
      waiting: { all: now.length, weak: now.filter(isWeak).length },
    };
  });
  // clause: base-is-start-of-hour
  const owned = state.samples[0]?.owned ?? 0;
  const held = namespacesToHold({ owned, namespaces, losesLastName }, limits);
  return new Set([...held, ...frozen.map(({ namespace }) => namespace)]);
}

function countPassed(
  state: FuseState,
  items: readonly FuseItem[],
  { nowMs }: FuseInput,
): readonly PassedRemoval[] {
  const weakBefore = new Set(state.passed.flatMap(({ id, weak }) => (weak ? [id] : [])));
  const fresh = distinctItems(items).map((item) => {
    const { id, namespace } = item;
    return { id, atMs: nowMs, weak: isWeak(item) || weakBefore.has(id), namespace };
  });
  const ids = new Set(fresh.map(({ id }) => id));
  return [...state.passed.filter(({ id }) => !ids.has(id)), ...fresh];
}
