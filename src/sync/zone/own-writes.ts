/**
 * What our calls wrote at names that they began to use, where the back end compared nothing (Z-27):
 * another writer may have taken the same name in the same moment. State only; decides nothing.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { isSameKey, plainKey, type RecordSetKey } from "../../model/record-set.ts";
import type { Change, ChangeGroup, KeyChange } from "../../plan/changes.ts";
import { isPending } from "../../plan/pending.ts";

/** One record set that our calls wrote, data or marker. */
export interface OwnSet {
  readonly key: RecordSetKey;
  /** Values that our calls added and have not removed; they were not there before. */
  readonly values: ReadonlySet<string>;
  /** What the last of these calls left there. */
  readonly expected: readonly string[];
  /** True = the answers to the calls that added them said so. */
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
   * A call that compared nothing wrote the group. `isSure` = its answer said so. Changes of records
   * that were ours before are no part of a race.
   */
  wrote(group: ChangeGroup, atMs: number, isSure: boolean): void {
    const known = this.#names.get(group.name);
    if (known === undefined && !group.keys.some(isBegun)) return;
    let sets = known?.sets ?? [];
    for (const change of group.changes) sets = afterChange(sets, change, isSure);
    this.#put(group.name, { sets, atMs });
  }

  /** The name was read after the last call, and what it wrote is there alone. */
  verified(name: DnsName): void {
    const known = this.#names.get(name);
    if (known === undefined || known.sets.every(({ isVerified }) => isVerified)) return;
    this.#withdrawals.delete(name);
    this.#put(name, { ...known, sets: known.sets.map((set) => ({ ...set, isVerified: true })) });
  }

  /** A call took back what it names. Answers how often in a row that happened to the name. */
  withdrew(group: ChangeGroup, atMs: number): number {
    let sets = this.#names.get(group.name)?.sets ?? [];
    for (const change of group.changes) sets = afterChange(sets, change, true);
    this.#put(group.name, { sets, atMs });
    const times = (this.#withdrawals.get(group.name)?.times ?? 0) + 1;
    this.#withdrawals.set(group.name, { times, atMs });
    return times;
  }

  /** Forgets verified names that no other writer can meet any more. */
  forgetOld(nowMs: number): void {
    const verified = [...this.#names].filter(([, { sets }]) => sets.every((set) => set.isVerified));
    const surplus = verified.length - VERIFIED_MAX;
    for (const [at, [name, { atMs }]] of verified.entries())
      if (at < surplus || nowMs - atMs > KEPT_MS) this.#names.delete(name);
    for (const [name, { atMs }] of this.#withdrawals)
      if (nowMs - atMs > KEPT_MS) this.#withdrawals.delete(name);
  }

  /** The last one that was written comes last. */
  #put(name: DnsName, { sets, atMs }: OwnName): void {
    this.#names.delete(name);
    const left = sets.filter(({ values }) => values.size > 0);
    if (left.length > 0) this.#names.set(name, { sets: left, atMs });
  }
}

/** True for a key that nothing of ours marked before the sequence of the change. */
function isBegun({ current, marker, migration }: KeyChange): boolean {
  if (marker === null || migration !== undefined) return false;
  const found = current?.marker ?? null;
  return found === null || isPending(found.labels);
}

function afterChange(sets: readonly OwnSet[], change: Change, isSure: boolean): readonly OwnSet[] {
  const before = change.op === "create" ? [] : change.previous.values;
  const written = change.op === "remove" ? [] : change.next.values;
  const key = plainKey(change.op === "remove" ? change.previous : change.next);
  const known = sets.find((set) => isSameKey(set.key, key));
  const added = written.filter((value) => !before.includes(value));
  const isGone = (value: string): boolean => before.includes(value) && !written.includes(value);
  const values = new Set(
    [...(known?.values ?? [])].filter((value) => !isGone(value)).concat(added),
  );
  const next = {
    key,
    values,
    expected: written,
    isSure: isSure && known?.isSure !== false,
    isVerified: known?.isVerified === true,
  };
  return [...sets.filter((set) => set !== known), next];
}
