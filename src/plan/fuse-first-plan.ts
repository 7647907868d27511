/**
 * Which changes wait for the approval of a person in the first plan of a version or configuration
 * (its trial, Z-16), and on first contact: while an owner id of ours is new to a zone that has
 * records of it already (Z-24). `met`: first contact of the main owner id is over; `contacts`: the
 * same for the ids of DNSOwners.
 *
 *   first contact   every update waits, and every removal but those whose object was seen to end or
 *                   to change
 *   trial           removals from objects that exist and were not seen to change, and updates where
 *                   they are many
 *
 * Pure.
 */
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

type Contacts = Pick<FuseState, "met" | "contacts">;

/** True while first contact with the zone lasts for any owner id of ours. */
export function isFirstContact({ met, contacts = {} }: Contacts): boolean {
  return met === false || Object.values(contacts).includes(false);
}

/** True once first contact is over for the owner id of the item. */
export function hasMet({ met, contacts }: Contacts, { owner }: Pick<FuseItem, "owner">): boolean {
  return (owner === undefined ? met : contacts?.[owner]) === true;
}

function isArriving({ met, contacts }: Contacts, { owner }: FuseItem): boolean {
  // clause: first-contact-waits-for-approval
  return (owner === undefined ? met : contacts?.[owner]) === false;
}

/** The contacts, with every first contact that lasts ended if `isOver`. */
export function contactsAfter({ met, contacts }: Contacts, isOver: boolean): Contacts {
  const further = Object.entries(contacts ?? {}).map(([owner, was]) => [owner, was || isOver]);
  return {
    met: met === false ? isOver : met,
    ...(contacts === undefined ? {} : { contacts: Object.fromEntries(further) }),
  };
}

/**
 * Whether first contact begins, lasts or is over. It begins where the first look at a zone shows
 * records of ours, and no fence says that we met it before. It ends with the first plan, if nothing
 * waits then, or with an approval (fuse.ts).
 */
export function noteContact(state: FuseState, input: FuseInput): FuseState {
  return noteFurther(noteMain(state, input), input);
}

/** An id that is switched on later than the first plan of the process meets the zone then. */
function noteFurther(state: FuseState, input: FuseInput): FuseState {
  const { furtherOwners = NO_OWNERS, hasRecordsOf, isFirstPlan, isAllRead = true } = input;
  const items = [...input.removals, ...input.updates, ...heldItems(state)];
  const isSettled =
    /* clause: first-contact-lasts-one-plan */ isFirstPlan !== true &&
    /* clause: first-contact-until-all-read */ isAllRead;
  const noted = [...furtherOwners].flatMap((owner) => {
    const met = state.contacts?.[owner];
    if (met === undefined)
      return [
        [owner, /* clause: first-contact-finds-records */ hasRecordsOf?.(owner) !== true] as const,
      ];
    const isOver =
      !met &&
      isSettled &&
      /* clause: first-contact-while-records-wait */ items.every((item) => item.owner !== owner);
    return isOver ? [[owner, true] as const] : [];
  });
  if (noted.length === 0) return state;
  return { ...state, contacts: { ...state.contacts, ...Object.fromEntries(noted) } };
}

const NO_OWNERS: ReadonlySet<string> = new Set();

function heldItems({ heldRemovals, heldUpdates }: FuseState): readonly FuseItem[] {
  return [...(heldRemovals?.items ?? []), ...(heldUpdates?.items ?? [])];
}

function noteMain(state: FuseState, input: FuseInput): FuseState {
  if (state.met === true) return state;
  if (input.wasMet === true) return { ...state, met: true };
  if (state.met === null) return { ...state, met: input.owned === 0 };
  const isOver = input.isFirstPlan !== true && input.removals.length + input.updates.length === 0;
  return isOver && !hasHeld(state) ? { ...state, met: true } : state;
}

function hasHeld(state: FuseState): boolean {
  return heldItems(state).length > 0;
}

/** The sets that a person can approve; on first contact all of it is one set. */
export function firstSets(state: FuseState): readonly HeldSet[] {
  const { heldRemovals, heldUpdates } = state;
  const removals = heldRemovals?.items.length ?? 0;
  const sets: readonly HeldSet[] = [
    ...(heldRemovals === null
      ? []
      : [{ ...heldRemovals, kind: "not-selected" as const, removals }]),
    ...(heldUpdates === null ? [] : [{ ...heldUpdates, kind: "updates" as const, removals: 0 }]),
  ];
  if (!isFirstContact(state) || sets.length === 0) return sets;
  const { hash } = freeze([], `first contact ${sets.map((set) => set.hash).join(" ")}`);
  return [{ hash, items: sets.flatMap(({ items }) => items), kind: "first-contact", removals }];
}

/** Holds what a first plan must not do, and hands on the removals that it lets pass. */
export function passFirstPlan(state: FuseState, input: FuseInput): FirstPlanVerdict {
  const removals = passFirstRemovals(state, input);
  const updates = passFirstUpdates(removals.state, input);
  const held = new Map([...removals.held, ...updates.held]);
  const [set] = firstSets(updates.state);
  if (isFirstContact(updates.state) && set !== undefined)
    for (const id of held.keys()) held.set(id, set.hash);
  return { state: updates.state, held, counted: removals.counted };
}

/** The first plan of a version is over. */
export function endFirstPlan(state: FuseState, version: string): FuseState {
  const isOver = isFirstContact(state) && !hasHeld(state);
  return { ...endTrial(state, version), ...(isOver ? contactsAfter(state, true) : {}) };
}

function endTrial(state: FuseState, version: string): FuseState {
  return { ...state, version, trial: null };
}

function passFirstRemovals(state: FuseState, input: FuseInput): FirstPlanVerdict {
  const items = without(input.removals, state.approvedRemovals);
  // A zone without stored counters (version null) has no former version to differ from.
  const isTried =
    state.version !== null && state.version !== input.version && input.isFirstPlan !== false;
  // An end or a change that was watched was meant now: first contact does not hold it (Z-24).
  const mustWait = (item: FuseItem) =>
    // clause: first-contact-holds-removals
    (isArriving(state, item) &&
      /* clause: strong-proof-passes-first-contact */ item.proof !== "strong") ||
    (isTried && item.proof === "unselected");
  const heldRemovals = join(state.heldRemovals, items.filter(mustWait));
  const held = heldBy(heldRemovals, items);
  const counted = items.filter(({ id }) => !held.has(id));
  return { state: { ...state, heldRemovals }, held, counted };
}

/** The set with these items, too; its hash changes only when an item joins it. */
function join(set: FrozenSet | null, items: readonly FuseItem[], prefix = ""): FrozenSet | null {
  const fresh = without(items, set?.items ?? []);
  if (fresh.length === 0) return set;
  return freeze(distinctItems([...(set?.items ?? []), ...fresh]), `first ${prefix}`);
}

function passFirstUpdates(state: FuseState, input: FuseInput): FuseVerdict {
  const { version, updates, isFirstPlan } = input;
  const items = without(updates, state.approvedUpdates);
  const arriving = items.filter((item) => isArriving(state, item));
  if (state.met === false) return holdUpdates(state, items, arriving);
  if (state.version === version || isFirstPlan === false)
    return holdUpdates(endTrial(state, version), items, arriving);
  const others = without(items, arriving);
  const before = state.trial?.version === version ? state.trial.passed : [];
  const many = tooManyUpdates({ state, items: others, before }, input);
  const verdict = holdUpdates(state, items, [...arriving, ...many]);
  const passed = distinctItems([...before, ...items.filter(({ id }) => !verdict.held.has(id))]);
  const next = { ...verdict.state, trial: { version, passed } };
  const isOver = isFirstPlan === undefined || state.version === null;
  return { ...verdict, state: isOver ? endTrial(next, version) : next };
}

interface TriedUpdates {
  readonly state: FuseState;
  readonly items: readonly FuseItem[];
  /** Updates that passed earlier in this first plan. */
  readonly before: readonly FuseItem[];
}

/** The updates that must wait because those of this first plan are many; empty = they are few. */
function tooManyUpdates(
  { state, items, before }: TriedUpdates,
  { owned }: FuseInput,
): readonly FuseItem[] {
  const waiting = distinctItems([...(state.heldUpdates?.items ?? []), ...without(items, before)]);
  const total = before.length + waiting.length;
  return total >= UPDATES_MIN &&
    /* clause: updates-of-new-version-wait */ total > UPDATES_SHARE * owned
    ? waiting
    : [];
}

function holdUpdates(
  state: FuseState,
  items: readonly FuseItem[],
  joining: readonly FuseItem[],
): FuseVerdict {
  const heldUpdates = join(state.heldUpdates, joining, "updates ");
  return { state: { ...state, heldUpdates }, held: heldBy(heldUpdates, items) };
}
