/**
 * Which changes wait for the approval of a person in the first plan of a version or configuration
 * (its trial, Z-16), and on first contact with the zone (fuse-first-contact.ts, Z-24):
 *
 *   first contact   every update waits, and every removal but those whose object was seen to end or
 *                   to change
 *   trial           removals from objects that exist and were not seen to change, and updates where
 *                   they are many
 *
 * What waits of either kind is one set, and on first contact both together are one. Pure.
 */
import { endContacts, isFirstContact, isMeeting } from "./fuse-first-contact.ts";
import type { FuseInput, FuseVerdict } from "./fuse-input.ts";
import {
  distinctItems,
  type FrozenSet,
  type FuseItem,
  type FuseState,
  freeze,
  type HeldSet,
  heldBy,
  without,
} from "./fuse-state.ts";

/** Updates of a first plan: more than this part of the zone waits. */
export const UPDATES_SHARE = 0.3;
/** Fewer updates never wait. */
export const UPDATES_MIN = 10;

/** One call of a first plan, and the removals that other limits count. */
export interface FirstPlanVerdict extends FuseVerdict {
  readonly counted: readonly FuseItem[];
}

/** Holds what a first plan must not do, and hands on the removals that it lets pass. */
export function passFirstPlan(state: FuseState, input: FuseInput): FirstPlanVerdict {
  const removals = without(input.removals, state.approvedRemovals);
  const waiting = removals.filter((item) => mustWait(item, state, input));
  const heldRemovals = join(state.heldRemovals, waiting);
  const waitingRemovals = heldBy(heldRemovals, removals);

  const updates = without(input.updates, state.approvedUpdates);
  const meeting = updates.filter((item) => isMeeting(state, item));
  const trial = trialOf(state, input);
  const many = tooManyUpdates(without(updates, meeting), trial, state, input);
  const heldUpdates = join(state.heldUpdates, [...meeting, ...many], "updates ");
  const waitingUpdates = heldBy(heldUpdates, updates);

  const passed = updates.filter(({ id }) => !waitingUpdates.has(id));
  const tried = { ...state, ...trialAfter(trial, passed, input) };
  const next = { ...tried, heldRemovals, heldUpdates };
  const held = [...waitingRemovals, ...waitingUpdates];
  const [contact] = isFirstContact(next) ? firstSets(next) : [];
  return {
    state: next,
    // On first contact a person approves all of them by one hash.
    held: new Map(contact === undefined ? held : held.map(([id]) => [id, contact.hash])),
    counted: removals.filter(({ id }) => !waitingRemovals.has(id)),
  };
}

function mustWait(item: FuseItem, state: FuseState, input: FuseInput): boolean {
  // A zone without stored counters (version null) has no former version to differ from.
  const isTried = state.version !== null && isNew(state, input);
  // An end or a change that was watched was meant now: first contact does not hold it (Z-24).
  return (
    // clause: first-contact-holds-removals
    (isMeeting(state, item) &&
      /* clause: strong-proof-passes-first-contact */ item.proof !== "strong") ||
    (isTried && item.proof === "unselected")
  );
}

function isNew(state: FuseState, { version, isFirstPlan }: FuseInput): boolean {
  return state.version !== version && isFirstPlan !== false;
}

/**
 * The trial of our version. It is `awaited` until first contact of the main owner id is over. `on`:
 * `passed` are updates that passed in earlier calls, `endsNow` = this call is all of it.
 */
type Trial =
  | { readonly is: "awaited" }
  | { readonly is: "on"; readonly passed: readonly FuseItem[]; readonly endsNow: boolean }
  | { readonly is: "over" };

function trialOf(state: FuseState, input: FuseInput): Trial {
  if (state.met === false) return { is: "awaited" };
  if (!isNew(state, input)) return { is: "over" };
  const passed = state.trial?.version === input.version ? state.trial.passed : [];
  return { is: "on", passed, endsNow: input.isFirstPlan === undefined || state.version === null };
}

/** What is remembered of the trial after this call, which let the updates `passed` pass. */
function trialAfter(
  trial: Trial,
  passed: readonly FuseItem[],
  { version }: FuseInput,
): Partial<FuseState> {
  if (trial.is === "awaited") return {};
  if (trial.is === "over" || trial.endsNow) return { version, trial: null };
  return { trial: { version, passed: distinctItems([...trial.passed, ...passed]) } };
}

/** The updates that must wait because those of the trial are many; empty = they are few. */
function tooManyUpdates(
  items: readonly FuseItem[],
  trial: Trial,
  { heldUpdates }: FuseState,
  { owned }: FuseInput,
): readonly FuseItem[] {
  if (trial.is !== "on") return [];
  const { passed } = trial;
  const waiting = distinctItems([...(heldUpdates?.items ?? []), ...without(items, passed)]);
  const total = passed.length + waiting.length;
  return total >= UPDATES_MIN &&
    /* clause: updates-of-new-version-wait */ total > UPDATES_SHARE * owned
    ? waiting
    : [];
}

/** The set with these items, too; its hash changes only when an item joins it. */
function join(set: FrozenSet | null, items: readonly FuseItem[], prefix = ""): FrozenSet | null {
  const fresh = without(items, set?.items ?? []);
  if (fresh.length === 0) return set;
  return freeze(distinctItems([...(set?.items ?? []), ...fresh]), `first ${prefix}`);
}

/** The sets that a person can approve; on first contact all of it is one set. */
export function firstSets(state: FuseState): readonly HeldSet[] {
  const { heldRemovals, heldUpdates } = state;
  const removals = heldRemovals?.items.length ?? 0;
  const sets: HeldSet[] = [];
  if (heldRemovals !== null) sets.push({ ...heldRemovals, kind: "not-selected", removals });
  if (heldUpdates !== null) sets.push({ ...heldUpdates, kind: "updates", removals: 0 });
  if (!isFirstContact(state) || sets.length === 0) return sets;
  const { hash } = freeze([], `first contact ${sets.map((set) => set.hash).join(" ")}`);
  return [{ hash, items: sets.flatMap(({ items }) => items), kind: "first-contact", removals }];
}

/** The first plan of a version is over. */
export function endFirstPlan(state: FuseState, version: string): FuseState {
  const hasHeld = state.heldRemovals !== null || state.heldUpdates !== null;
  return { ...state, version, trial: null, ...(hasHeld ? {} : endContacts(state)) };
}
