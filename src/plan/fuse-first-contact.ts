/**
 * First contact of the fuse with a zone (Z-24): it begins where the first look at the zone shows
 * records of an owner id of ours, and lasts until nothing of them waits in a plan after the first
 * one, or a person approved. The main owner id and that of each DNSOwner have one each. What waits
 * meanwhile: fuse-first-plan.ts. Pure.
 */
import type { FuseInput } from "./fuse-input.ts";
import type { FuseItem, FuseState } from "./fuse-state.ts";

type Contacts = Pick<FuseState, "met" | "contacts">;

/** True = it is over for this owner id; false = it lasts; null = the zone was not planned yet. */
function isOver({ met, contacts }: Contacts, owner: string | undefined): boolean | null {
  return owner === undefined ? met : (contacts?.[owner] ?? null);
}

/** True once first contact is over for the owner id of the item. */
export function hasMet(state: Contacts, { owner }: Pick<FuseItem, "owner">): boolean {
  return isOver(state, owner) === true;
}

/** True while first contact lasts for the owner id of the item. */
export function isMeeting(state: Contacts, { owner }: Pick<FuseItem, "owner">): boolean {
  // clause: first-contact-waits-for-approval
  return isOver(state, owner) === false;
}

/** True while first contact lasts for any owner id of ours. */
export function isFirstContact({ met, contacts = {} }: Contacts): boolean {
  return met === false || Object.values(contacts).includes(false);
}

/** The contacts, with each one that lasts ended. */
export function endContacts({ met, contacts }: Contacts): Contacts {
  const main = { met: met === null ? null : true };
  if (contacts === undefined) return main;
  const ended = Object.keys(contacts).map((owner) => [owner, true]);
  return { ...main, contacts: Object.fromEntries(ended) };
}

/** Begins and ends first contacts by what is planned now. */
export function noteContacts(state: FuseState, input: FuseInput): FuseState {
  const { furtherOwners = NO_OWNERS } = input;
  const met = isMainOver(state, input);
  if (furtherOwners.size === 0) return { ...state, met };
  const noted = [...furtherOwners].map((owner) => [owner, isFurtherOver(owner, state, input)]);
  return { ...state, met, contacts: { ...state.contacts, ...Object.fromEntries(noted) } };
}

const NO_OWNERS: ReadonlySet<string> = new Set();

function isMainOver(state: FuseState, input: FuseInput): boolean {
  if (state.met === true || input.wasMet === true) return true;
  if (state.met === null) return input.owned === 0;
  return mayEnd(input) && openItems(state, input).length === 0;
}

/** An id that is switched on later than the first plan of the process meets the zone then. */
function isFurtherOver(owner: string, state: FuseState, input: FuseInput): boolean {
  const { hasRecordsOf } = input;
  const isMet = state.contacts?.[owner];
  if (isMet === true) return true;
  if (isMet === undefined)
    return /* clause: first-contact-finds-records */ hasRecordsOf?.(owner) !== true;
  return (
    mayEnd(input) &&
    /* clause: first-contact-while-records-wait */ openItems(state, input).every(
      (item) => item.owner !== owner,
    )
  );
}

/** While an object is not read, nothing waits of it, and that says nothing. */
function mayEnd({ isFirstPlan, isAllRead = true }: FuseInput): boolean {
  return (
    /* clause: first-contact-lasts-one-plan */ isFirstPlan !== true &&
    /* clause: first-contact-until-all-read */ isAllRead
  );
}

/** Items that are planned now, or wait. */
function openItems(
  { heldRemovals, heldUpdates }: FuseState,
  { removals, updates }: FuseInput,
): readonly FuseItem[] {
  return [removals, updates, heldRemovals?.items ?? [], heldUpdates?.items ?? []].flat();
}
