/**
 * Objects that no longer list a name, and how that is known (Z-2). Remembers; decides
 * nothing. Bounded by the names at which records of such objects are known or expected.
 */
import {
  isMarkOf,
  type ObjectKey,
  type ObjectMark,
  objectKeyText,
  type Provenance,
} from "../../model/provenance.ts";
import type { AbsenceProof, OwnedRecordSet } from "../../plan/changes.ts";
import type { Contribution } from "../contract/contribution.ts";

/** An object that listed a name before. */
export interface Tombstone {
  /** The contributor that listed the name last: `provenance`, or an object made from it. */
  readonly object: ObjectKey;
  readonly provenance: Provenance;
  readonly proof: AbsenceProof;
}

/** By name and provenance: a namesake in another cluster has one of its own (Z-3). */
export class Tombstones {
  readonly #byName = new Map<string, Map<string, Tombstone>>();

  /** Replaces an earlier one of the same provenance. */
  put(name: string, tombstone: Tombstone): void {
    const atName = this.#byName.get(name) ?? new Map<string, Tombstone>();
    // clause: each-cluster-has-its-end
    this.#byName.set(name, atName.set(objectKeyText(tombstone.provenance), tombstone));
  }

  /** What originals want is what their copy wants, as soon as it wants it; answers them. */
  succeed({ object, found: { items, succeeds = [] } }: Contribution): readonly ObjectKey[] {
    for (const provenance of succeeds)
      for (const { name } of items)
        this.put(name, { object, provenance, proof: "object-omits-name" });
    return succeeds;
  }

  /** The object lists the name again. */
  remove(name: string, provenance: Provenance): void {
    this.#byName.get(name)?.delete(objectKeyText(provenance));
  }

  /** All at the name. */
  at(name: string): readonly Tombstone[] {
    return [...(this.#byName.get(name)?.values() ?? [])];
  }

  /** That of this object; null = there is none. */
  by(name: string, provenance: Provenance): Tombstone | null {
    return this.#byName.get(name)?.get(objectKeyText(provenance)) ?? null;
  }

  /** That of the object in a marker; null = there is none. */
  of(name: string, mark: ObjectMark): Tombstone | null {
    return this.at(name).find(({ provenance }) => isMarkOf(mark, provenance)) ?? null;
  }

  /** Removes, and answers, those at the name whose object marks none of these record sets. */
  settle(name: string, owned: readonly OwnedRecordSet[]): readonly Tombstone[] {
    const atName = this.#byName.get(name) ?? new Map<string, Tombstone>();
    const settled: Tombstone[] = [];
    for (const [key, tombstone] of [...atName]) {
      if (owned.some((set) => isMarkOf(set.marker, tombstone.provenance))) continue;
      atName.delete(key);
      settled.push(tombstone);
    }
    if (atName.size === 0) this.#byName.delete(name);
    return settled;
  }
}

/** The contributor is no object made from the provenance, but the provenance itself. */
export function isItself({
  object,
  provenance,
}: Pick<Tombstone, "object" | "provenance">): boolean {
  return objectKeyText(object) === objectKeyText(provenance);
}

/** The contributor is a copy of the provenance: it is asked in place of that one. */
export function isOfCopy(tombstone: Pick<Tombstone, "object" | "provenance">): boolean {
  return !isItself(tombstone) && tombstone.object.kind === tombstone.provenance.kind;
}
