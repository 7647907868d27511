/**
 * What our calls wrote at names that they began to use, where the back end compared nothing (Z-27):
 * another writer may have taken the same name in the same moment. State only; decides nothing.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import {
  isSameKey,
  plainKey,
  type RecordSetKey,
  recordSetKeyText,
} from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { Change, ChangeGroup, KeyChange, OwnedRecordSet } from "../../plan/changes.ts";
import { isPending } from "../../plan/pending.ts";
import type { OrderedChange } from "../../plan/rules.ts";
import type { Capabilities } from "../../providers/provider.ts";

/** One record set that our calls wrote, data or marker. */
export interface OwnSet {
  readonly key: RecordSetKey;
  /** Values that our calls added and have not removed; they were not there before. */
  readonly values: ReadonlySet<string>;
  /** What the last of these calls left there, or may have left without an answer. */
  readonly expected: readonly string[];
  /** True = the first of these calls created it. */
  readonly isCreated: boolean;
  /** True = every call that added values was answered with success. */
  readonly isSure: boolean;
  /** True = the name was read after a call that added them, and nobody else had written there. */
  readonly isVerified: boolean;
}

/** What our calls wrote at one name. */
export interface OwnName {
  readonly sets: readonly OwnSet[];
  /** Monotonic milliseconds of the last call. */
  readonly atMs: number;
}

/** How a call of ours ended. */
export interface OwnWrite {
  /** Monotonic milliseconds. */
  readonly atMs: number;
  /** True = its answer said that it wrote. */
  readonly isSure: boolean;
  /** What `mayLoseMarkers` says of the provider: other owners may overwrite our markers. */
  readonly mayLoseMarkers: boolean;
}

/**
 * True where each record set is written as a whole, by a call of its own that compares nothing:
 * another owner may overwrite our marker with its own, and then withdraw that.
 */
export function mayLoseMarkers({ atomicity, wholeSets, preconditions }: Capabilities): boolean {
  return atomicity === "set" && wholeSets === true && preconditions.written.absent === "never";
}

/**
 * Milliseconds for which a verified name is remembered: longer than another writer may be between
 * its read and its write, and the next reload that shows it.
 */
const KEPT_MS = 900_000;
/** Verified names that are remembered; of more the oldest are forgotten. */
const VERIFIED_MAX = 10_000;

/** Own writes of one zone, by name. */
export class OwnWrites {
  readonly #names = new Map<DnsName, OwnName>();
  /** How often in a row our writes at a name were withdrawn, and when. */
  readonly #withdrawals = new Map<DnsName, { readonly times: number; readonly atMs: number }>();

  /** Null = nothing is remembered of the name. */
  at(name: DnsName): OwnName | null {
    return this.#names.get(name) ?? null;
  }

  /**
   * A call that compared nothing wrote the group. Changes of records that were ours before are no
   * part of a race; they are remembered where their markers may be overwritten.
   */
  wrote(group: ChangeGroup, { atMs, isSure, mayLoseMarkers }: OwnWrite): void {
    const known = this.#names.get(group.name);
    const isNew = group.keys.some(isBegun);
    if (
      known === undefined &&
      !isNew &&
      /* clause: records-under-change-are-known */ !mayLoseMarkers
    )
      return;
    let sets = known?.sets ?? [];
    for (const change of group.changes) sets = afterChange(sets, change, { isSure, isNew });
    this.#put(group.name, { sets, atMs });
  }

  /** The name was read after the last call, and shows only what we wrote (all sets, or `which`). */
  verified(name: DnsName, which: (set: OwnSet) => boolean = () => true): void {
    const known = this.#names.get(name);
    if (known?.sets.some((set) => !set.isVerified && which(set)) !== true) return;
    const sets = known.sets.map((set) => (which(set) ? { ...set, isVerified: true } : set));
    if (sets.every(({ isVerified }) => isVerified)) this.#withdrawals.delete(name);
    this.#put(name, { ...known, sets });
  }

  /** A group that withdraws our writes was applied. Answers how often in a row, at this name. */
  withdrew(group: ChangeGroup, atMs: number): number {
    let sets = this.#names.get(group.name)?.sets ?? [];
    for (const change of group.changes)
      sets = afterChange(sets, change, { isSure: true, isNew: true });
    this.#put(group.name, { sets, atMs });
    const times = (this.#withdrawals.get(group.name)?.times ?? 0) + 1;
    this.#withdrawals.set(group.name, { times, atMs });
    return times;
  }

  /** Forgets verified names whose writes are so old that no race can be left. */
  forgetOld(nowMs: number): void {
    const verified = [...this.#names].filter(([, { sets }]) => sets.every((set) => set.isVerified));
    const surplus = verified.length - VERIFIED_MAX;
    for (const [at, [name, { atMs }]] of verified.entries())
      if (at < surplus || nowMs - atMs > KEPT_MS) this.#names.delete(name);
    for (const [name, { atMs }] of this.#withdrawals)
      if (nowMs - atMs > KEPT_MS) this.#withdrawals.delete(name);
  }

  /** Keeps the names in the order of their last writes. */
  #put(name: DnsName, { sets, atMs }: OwnName): void {
    this.#names.delete(name);
    const left = sets.filter(({ values }) => values.size > 0);
    if (left.length > 0) this.#names.set(name, { sets: left, atMs });
  }
}

/** True for a key that we begin to use: no marker of ours was there before this change. */
function isBegun({ change, current, marker, migration }: KeyChange): boolean {
  if (marker === null || migration !== undefined) return false;
  const found = current?.marker ?? null;
  // A record of ours is changed under a pending marker, too.
  return found === null || (isPending(found.labels) && change?.op === "create");
}

/**
 * Orders to adopt records that lost their marker, where their data is exactly what our own calls
 * wrote with a confirmed answer (Z-27).
 */
export function ordersToMarkAgain(
  own: OwnName | null,
  current: readonly OwnedRecordSet[],
): readonly (readonly [string, OrderedChange])[] {
  return current.flatMap(({ data, marker }) => {
    if (data === null || marker !== null) return [];
    const set = own?.sets.find(({ key }) => isSameKey(key, data));
    const isOwn =
      /* clause: unanswered-write-is-not-sure */ set?.isSure === true &&
      set.expected.every((value) => set.values.has(value));
    const { values } = data;
    if (
      !isOwn ||
      /* clause: foreign-data-is-not-marked */ !isSameJson(canonicalValues(set.expected), values)
    )
      return [];
    return [[recordSetKeyText(data), { is: "adopt", values }] as const];
  });
}

function afterChange(
  sets: readonly OwnSet[],
  change: Change,
  { isSure, isNew }: { readonly isSure: boolean; readonly isNew: boolean },
): readonly OwnSet[] {
  const { key, before, written } = valuesOf(change);
  const known = sets.find((set) => isSameKey(set.key, key)) ?? firstWrite(change, isNew);
  const added = written.filter((value) => !before.includes(value));
  // Without an answer the former values may still be there.
  const left = new Set(isSure ? written : [...before, ...written]);
  const isLeft = (value: string): boolean => !before.includes(value) || left.has(value);
  const next = {
    ...known,
    values: new Set([...[...known.values].filter(isLeft), ...added]),
    expected: [...left],
    isSure: isSure && known.isSure,
    isVerified: known.isVerified && !(isNew && change.op === "create"),
  };
  return [...sets.filter((set) => set !== known), next];
}

/** The state before our first call; the values of a record that was ours already count as ours. */
function firstWrite(change: Change, isNew: boolean): OwnSet {
  const { key, before } = valuesOf(change);
  return {
    key,
    values: new Set(isNew ? [] : before),
    expected: before,
    isCreated: change.op === "create",
    isSure: true,
    isVerified: !isNew,
  };
}

function valuesOf(change: Change) {
  return {
    key: plainKey(change.op === "remove" ? change.previous : change.next),
    before: change.op === "create" ? [] : change.previous.values,
    written: change.op === "remove" ? [] : change.next.values,
  };
}
