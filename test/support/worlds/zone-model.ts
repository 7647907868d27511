/**
 * A zone as BIND and Knot keep it, for tests: prerequisites, all-or-nothing groups, and the
 * conflicts that an UPDATE drops in silence (RFC 2136 §3.4.2.2). Plain and slow; not a provider.
 */
import {
  compareKeys,
  hasSameData,
  isSameKey,
  type RecordSet,
} from "../../../src/model/record-set.ts";
import type { Change, ChangeGroup, Precondition } from "../../../src/plan/changes.ts";

const ALLOWED_WITH_CNAME = new Set(["RRSIG", "NSEC"]);

/** A mutable zone. */
export class ZoneModel {
  #sets: readonly RecordSet[];

  readonly #atomic: boolean;

  /**
   * Not atomic: preconditions count only about the record sets that are written, as with an entity
   * tag (Azure).
   */
  constructor(sets: readonly RecordSet[], { atomic = true } = {}) {
    this.#sets = sets;
    this.#atomic = atomic;
  }

  /** Another zone with the same content now. */
  copy(): ZoneModel {
    return new ZoneModel(this.#sets, { atomic: this.#atomic });
  }

  /** Sorted by key. */
  all(): readonly RecordSet[] {
    return [...this.#sets].sort(compareKeys);
  }

  at(name: string): readonly RecordSet[] {
    return this.#sets.filter((set) => set.name === name);
  }

  /** False, and nothing happens, unless every precondition holds. */
  apply(group: Pick<ChangeGroup, "changes" | "preconditions">): boolean {
    const checked = group.preconditions.filter(
      (one) => this.#atomic || isAbout(one, group.changes),
    );
    if (!checked.every((one) => this.#holds(one))) return false;
    for (const change of group.changes) this.write(change);
    return true;
  }

  /** One write without any check, as somebody else may make it. */
  write(change: Change): void {
    if (change.op !== "create") this.#delete(change.previous);
    if (change.op !== "remove") this.#add(change.next);
  }

  #holds(one: Precondition): boolean {
    if (one.is === "name-unused") return this.at(one.name).length === 0;
    if (one.is === "absent") return !this.#sets.some((set) => isSameKey(set, one.key));
    return this.#sets.some((set) => isSameKey(set, one.set) && hasSameData(set, one.set));
  }

  /** Removes the very values that were read; others at the key stay. */
  #delete(previous: RecordSet): void {
    this.#sets = this.#sets.flatMap((set) => {
      if (!isSameKey(set, previous)) return [set];
      const values = set.values.filter((value) => !previous.values.includes(value));
      return values.length === 0 ? [] : [{ ...set, values }];
    });
  }

  /** A CNAME beside other data, and other data beside a CNAME, are dropped in silence. */
  #add(next: RecordSet): void {
    const others = this.at(next.name).filter((set) => !ALLOWED_WITH_CNAME.has(set.type));
    if (next.type === "CNAME" && others.some((set) => set.type !== "CNAME")) return;
    if (next.type !== "CNAME" && others.some((set) => set.type === "CNAME")) return;
    const present = this.#sets.find((set) => isSameKey(set, next));
    const isAlias = next.type === "CNAME";
    const values = [
      ...new Set([...(isAlias ? [] : (present?.values ?? [])), ...next.values]),
    ].sort();
    this.#sets = [...this.#sets.filter((set) => set !== present), { ...next, values }];
  }
}

function isAbout(one: Precondition, changes: readonly Change[]): boolean {
  if (one.is === "name-unused") return false;
  const key = one.is === "exact" ? one.set : one.key;
  return changes.some((change) =>
    isSameKey(key, change.op === "remove" ? change.previous : change.next),
  );
}
