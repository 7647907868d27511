/**
 * The preconditions of a group's writes: the zone must still have exactly the record sets that were
 * read (Z-8). Derived from the writes and the content alone; knows neither owners nor markers.
 */
import { distinctBy } from "@zonekeeper/base/grouped-by";
import { isSameKey, plainKey, type RecordSet, type RecordSetKey } from "../model/record-set.ts";
import type { Change, Precondition } from "./changes.ts";
import { ADDRESS_TYPES, KNOWN_TYPES, mayCoexist } from "./coexistence.ts";

/** The record sets of the zone when the plan was made. */
export interface PresentSets {
  /** Every record set at a name; empty = none. */
  at(name: string): readonly RecordSet[];
}

/**
 * Preconditions of all writes of one group, without duplicates. Absent if absent, exact if present.
 * A create also asserts the absence of types for which the server would drop the create in silence
 * (RFC 2136 §3.4.2.2).
 */
export function preconditionsOf(
  writes: readonly Change[],
  present: PresentSets,
): readonly Precondition[] {
  const removed = writes.flatMap((write) => (write.op === "remove" ? [write.previous] : []));
  const isRemoved = (key: RecordSetKey) => removed.some((set) => isSameKey(set, key));
  const all = writes.flatMap((write): readonly Precondition[] => {
    if (write.op !== "create") return [{ is: "exact", set: write.previous }];
    return write.next.type === "CNAME"
      ? beforeCname(write.next, present, isRemoved)
      : beforeOther(write.next, isRemoved);
  });
  return distinct(all);
}

/** The record set at the key; undefined = none. */
export function setAt(key: RecordSetKey, present: PresentSets): RecordSet | undefined {
  return present.at(key.name).find((one) => isSameKey(one, key));
}

/** Absent if absent, exact if present (Z-8). */
export function asRead(key: RecordSetKey, present: PresentSets): Precondition {
  const set = setAt(key, present);
  return set === undefined ? absent(key) : { is: "exact", set };
}

/** Keeps the order and drops duplicates. */
export function distinct(preconditions: readonly Precondition[]): readonly Precondition[] {
  return distinctBy(preconditions, (one) => JSON.stringify(one));
}

/** A CNAME in the way makes the server drop the record, so its absence is asserted. */
function beforeOther(
  next: RecordSet,
  isRemoved: (key: RecordSetKey) => boolean,
): readonly Precondition[] {
  const cname = { name: next.name, type: "CNAME", setIdentifier: null };
  return [plainKey(next), cname].filter((key) => !isRemoved(key)).map(absent);
}

/**
 * At an empty name: the name is not in use. At a name with records: every type that the group does
 * not remove is absent, at an apex every address.
 */
function beforeCname(
  next: RecordSet,
  present: PresentSets,
  isRemoved: (key: RecordSetKey) => boolean,
): readonly Precondition[] {
  const sets = present.at(next.name);
  if (sets.length === 0) return [{ is: "name-unused", name: next.name }];
  if (sets.some((set) => set.type === "CNAME" && mayCoexist(set, next)))
    return [absent(plainKey(next))];
  // A CNAME is created at an apex only where the server flattens it; there it excludes only
  // addresses.
  const isApex = sets.some(({ type }) => type === "SOA");
  return KNOWN_TYPES.filter((type) => !isApex || ADDRESS_TYPES.has(type))
    .map((type) => ({ name: next.name, type, setIdentifier: null }))
    .filter((key) => !isRemoved(key))
    .map(absent);
}

function absent(key: RecordSetKey): Precondition {
  return { is: "absent", key };
}
