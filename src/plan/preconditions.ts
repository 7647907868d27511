/**
 * What must still be true in the zone when the writes of a group arrive: exactly what was read
 * (Z-8). Derived from the writes and the content alone; knows neither owners nor markers.
 */
import { isSameKey, plainKey, type RecordSet, type RecordSetKey } from "../model/record-set.ts";
import type { Change, Precondition } from "./changes.ts";
import { KNOWN_TYPES, mayCoexist } from "./coexistence.ts";

/** What the zone held when the plan was made. */
export interface PresentSets {
  /** Every record set at a name; empty = none. */
  at(name: string): readonly RecordSet[];
}

/**
 * Preconditions of all writes of one group, without duplicates. Absent if absent, exact if present;
 * a create asserts besides that nothing stands there which the server would let win in silence (RFC
 * 2136 §3.4.2.2).
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

/** What stands at the key; absent = nothing. */
export function setAt(key: RecordSetKey, present: PresentSets): RecordSet | undefined {
  return present.at(key.name).find((one) => isSameKey(one, key));
}

/** Absent if absent, exact if present (Z-8). */
export function asRead(key: RecordSetKey, present: PresentSets): Precondition {
  const set = setAt(key, present);
  return set === undefined ? absent(key) : { is: "exact", set };
}

/** Order is kept; equal ones stand once. */
export function distinct(preconditions: readonly Precondition[]): readonly Precondition[] {
  const seen = new Map(preconditions.map((one) => [JSON.stringify(one), one]));
  return [...seen.values()];
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
 * At an empty name: the name is not in use. Over ours: every type that is not being removed is
 * absent.
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
  return KNOWN_TYPES.map((type) => ({ name: next.name, type, setIdentifier: null }))
    .filter((key) => !isRemoved(key))
    .map(absent);
}

function absent(key: RecordSetKey): Precondition {
  return { is: "absent", key };
}
