/**
 * What the fuse of one zone remembers (Z-16, Z-24): plain data, JSON-serialisable. The fuse stops
 * large removals until a person approves them. Its memory survives a restart, because it is stored
 * before the writes that the fuse let pass.
 */
import { distinctBy } from "@zonekeeper/base/grouped-by";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import { fingerprint64 } from "../model/fingerprint.ts";
import type { RecordSetKey } from "../model/record-set.ts";

/** One removal or update that the fuse counts; made by `fuseItem`. */
export interface FuseItem extends RecordSetKey {
  /** Fingerprint of key and marker: a changed marker makes another item. */
  readonly id: string;
  /** Namespace of the object in the marker; "" = the marker names none. */
  readonly namespace: string;
  /** Owner id of the marker, where it is that of a DNSOwner; absent = the main one (`--owner`). */
  readonly owner?: string;
  /** The proof of a removal; always `strong` for updates. */
  readonly proof: ProofStrength;
  /** Hash of the set with which a person approved it. Absent = it waits, or was approved before. */
  readonly approved?: string;
}

/**
 * How well it is known that no object wants a record. `strong`: the end of the object, or the
 * change that took the name off it, was watched. `found`: the object was already being deleted when
 * it was first seen; as strong, but on first contact (Z-24). `unselected`: the object exists
 * without the name, and no change of it was watched. `whole-kind`: its end was watched, with that
 * of every other object of its kind. `definition`: it ended with the definition of its kind; such a
 * removal always waits for a person. `weak`: all else.
 */
export type ProofStrength =
  | "strong"
  | "found"
  | "whole-kind"
  | "definition"
  | "weak"
  | "unselected";

/** Items that were held together and are approved together. */
export interface FrozenSet {
  /** The hash that a person approves; made of the items at the trip and nothing else. */
  readonly hash: string;
  /** Items that are still planned; the hash stays that of all items at the trip. */
  readonly items: readonly FuseItem[];
}

/**
 * A set that a person can approve now. `next-removals` came while `removals` waited; `not-selected`
 * and `updates` wait in the first plan of a version, `first-contact` on first contact.
 */
export interface HeldSet extends FrozenSet {
  readonly kind: "removals" | "next-removals" | "updates" | "not-selected" | "first-contact";
  /** How many of the items are removals. */
  readonly removals: number;
  /** More may join it, and its hash changes then. Absent = it is complete. */
  readonly isGrowing?: true;
  /** Hashes that it had while it grew, oldest first. Absent = not known, or it had no others. */
  readonly formerHashes?: readonly string[];
}

/** A removal that passed without approval. */
export interface PassedRemoval {
  readonly id: string;
  readonly atMs: number;
  readonly weak: boolean;
  readonly namespace: string;
}

/** A count of owned record sets. */
export interface OwnedSample {
  readonly atMs: number;
  readonly owned: number;
}

/** Counters of one zone. Only functions of the fuse make new ones. */
export interface FuseState {
  /** Counts of the zone in the last hour (the window), oldest first; at most one a minute. */
  readonly samples: readonly OwnedSample[];
  /** Counts of the namespaces that remove, taken at their first removal of the hour. */
  readonly bases: Readonly<Record<string, OwnedSample>>;
  /** Removals that passed without approval in the last hour, by item. */
  readonly passed: readonly PassedRemoval[];
  /** The complete set that waits for approval: nothing joins it; null = there is none. */
  readonly frozen: FrozenSet | null;
  /** The set that still grows: it freezes once nothing joins it and no other set is frozen. */
  readonly later: readonly FuseItem[];
  /** When the last one joined `later`. */
  readonly joinedMs: number;
  /**
   * Removals that a person approved; each until a plan of its name is without it: it was made, its
   * marker changed, or the record is wanted again. Separate from updates: an approved change of a
   * value is no approved removal.
   */
  readonly approvedRemovals: readonly FuseItem[];
  /** Updates that a person approved, kept as long as approved removals. */
  readonly approvedUpdates: readonly FuseItem[];
  /** Version and configuration whose first plan was seen; null = none yet. */
  readonly version: string | null;
  /** Removals held by the first plan of a version, or on first contact; null = none. */
  readonly heldRemovals: FrozenSet | null;
  /** Updates held for the same reasons; null = none. */
  readonly heldUpdates: FrozenSet | null;
  /** The unfinished first plan of a version, with its passed updates; null = none. */
  readonly trial: { readonly version: string; readonly passed: readonly FuseItem[] } | null;
  /**
   * True = first contact of the main owner id with the zone is over, or there was none; false = it
   * lasts (Z-24); null = the zone was never planned.
   */
  readonly met: boolean | null;
  /** The same for each owner id of a DNSOwner that was on here; absent = none was. */
  readonly contacts?: Readonly<Record<string, boolean>>;
  /**
   * When these counters began in a zone that had records of ours already: former counters are lost,
   * so that every proof counts as weak for an hour (Z-23). Null = that hour is over, or the zone
   * had no record of ours.
   */
  readonly bornMs: number | null;
}

/** The fuse of a new zone. */
export function newFuse(): FuseState {
  return {
    samples: [],
    bases: {},
    passed: [],
    frozen: null,
    later: [],
    joinedMs: 0,
    approvedRemovals: [],
    approvedUpdates: [],
    version: null,
    heldRemovals: null,
    heldUpdates: null,
    trial: null,
    met: null,
    bornMs: null,
  };
}

/** The input of `fuseItem`; the fields are those of `FuseItem`. */
export interface FuseItemInput {
  readonly key: RecordSetKey;
  /** The text of the marker as it was read. */
  readonly marker: string;
  readonly namespace: string;
  readonly proof: ProofStrength;
  /** Absent = the main owner id. */
  readonly owner?: string;
}

/** The item of a key. */
export function fuseItem({ key, marker, namespace, proof, owner }: FuseItemInput): FuseItem {
  const { name, type, setIdentifier } = key;
  const id = fingerprint64(JSON.stringify([name, type, setIdentifier, marker]));
  const item = { id, name, type, setIdentifier, namespace, proof };
  return owner === undefined ? item : { ...item, owner };
}

/** True when the proof is weaker than the watched end, or the watched change, of the object. */
export function isWeak({ proof }: Pick<FuseItem, "proof">): boolean {
  return proof === "weak" || proof === "unselected" || proof === "definition";
}

/** The set of these items; `prefix` makes its hash another one where two sets have equal items. */
export function freeze(items: readonly FuseItem[], prefix = ""): FrozenSet {
  return { hash: fingerprint64(prefix + items.map(idOf).sort().join(" ")), items };
}

/** The set with the items that `isWanted` accepts, under its present hash; null = none is left. */
export function remaining(
  set: FrozenSet | null,
  isWanted: (item: FuseItem) => boolean,
): FrozenSet | null {
  if (set === null) return null;
  const items = set.items.filter(isWanted);
  return items.length === 0 ? null : { ...set, items };
}

/** The hash to approve, for each of the items that waits in the set. */
export function heldBy(
  set: FrozenSet | null,
  items: readonly FuseItem[],
): ReadonlyMap<string, string> {
  if (set === null) return new Map();
  const ids = new Set(set.items.map(idOf));
  return new Map(items.filter(({ id }) => ids.has(id)).map(({ id }) => [id, set.hash]));
}

/** Without repeated items; where two have one id, the later one counts. */
export function distinctItems(items: readonly FuseItem[]): readonly FuseItem[] {
  return distinctBy(items, idOf);
}

/** The items that are not among these. */
export function without(
  items: readonly FuseItem[],
  others: readonly Pick<FuseItem, "id">[],
): readonly FuseItem[] {
  const ids = new Set(others.map(idOf));
  return items.filter(({ id }) => !ids.has(id));
}

function idOf({ id }: Pick<FuseItem, "id">): string {
  return id;
}

/**
 * Reads stored counters; throws where the text is no such state. Earlier versions kept approved
 * removals and updates in one list, `approved`: it does not tell the two apart, so it approves
 * nothing here. They stored no namespaces and took weaker proofs for strong ones: items that they
 * counted are read as weak.
 */
export function readFuse(text: string): FuseState {
  const read: unknown = JSON.parse(text);
  if (!isFields(read)) throw new TypeError("no object");
  for (const field of LISTS)
    if (read[field] !== undefined && !Array.isArray(read[field]))
      throw new TypeError(`${field} is no list`);
  const { approved: _, ...counters } = read;
  const state: FuseState = { ...newFuse(), ...counters };
  const set = (frozen: FrozenSet | null) =>
    frozen === null ? null : { ...frozen, items: frozen.items.map(readItem) };
  return {
    ...state,
    met: state.met ?? (state.version === null ? null : true),
    passed: state.passed.map((one) => (one.namespace === undefined ? { ...one, ...EARLIER } : one)),
    later: state.later.map(readItem),
    approvedRemovals: state.approvedRemovals.map(readItem),
    approvedUpdates: state.approvedUpdates.map(readItem),
    frozen: set(state.frozen),
    heldRemovals: set(state.heldRemovals),
    heldUpdates: set(state.heldUpdates),
  };
}

const LISTS = ["samples", "passed", "later", "approvedRemovals", "approvedUpdates"] as const;
const EARLIER = { namespace: "", weak: true };

/** An item of an earlier version names no namespace. */
function readItem(item: FuseItem): FuseItem {
  return item.namespace === undefined ? { ...item, namespace: "", proof: "weak" } : item;
}
