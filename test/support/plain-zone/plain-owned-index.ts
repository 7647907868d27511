/**
 * The owned view of a zone in plain objects: what src/sync/cache/owned-index.ts must show. An
 * oracle for tests.
 */
import { namespaceIn } from "../../../src/model/provenance.ts";
import type { OwnedRecordSet } from "../../../src/plan/changes.ts";
import type { ZoneCounts } from "../../../src/sync/guards/guard.ts";

/** Owned and foreign record sets by data name, and the names that each resource's markers label. */
export class PlainOwnedIndex implements ZoneCounts {
  readonly #byName = new Map<string, readonly OwnedRecordSet[]>();
  readonly #namesByResource = new Map<string, Set<string>>();
  readonly #owners: ReadonlySet<string>;
  #ownedSets = 0;
  #ownedNames = 0;

  /** `owners`: the ids that are ours. */
  constructor(owners: ReadonlySet<string>) {
    this.#owners = owners;
  }

  /** The record sets at a name; empty = none. */
  at(name: string): readonly OwnedRecordSet[] {
    return this.#byName.get(name) ?? [];
  }

  /** All data names. */
  names(): Iterable<string> {
    return this.#byName.keys();
  }

  /** Names with at least one record set of ours. */
  get ownedNames(): number {
    return this.#ownedNames;
  }

  /** How many record sets of ours, with data, exist at a name. */
  readonly ownedAt = (name: string): number =>
    this.at(name).filter((set) => set.data !== null && this.isOwnedByUs(set)).length;

  /** Record sets of ours, with data, of the objects of a namespace. */
  readonly ownedIn = (namespace: string): number =>
    [...this.#byName.values()]
      .flat()
      .filter((set) => set.data !== null && this.isOwnedByUs(set))
      .filter(({ marker }) => namespaceIn(marker?.resource ?? null) === namespace).length;

  /** True when a marker of ours stands for the name, with or without data. */
  hasOwnMarker(name: string): boolean {
    return this.at(name).some((set) => this.isOwnedByUs(set));
  }

  /** Record sets with data under a marker of ours. */
  get owned(): number {
    return this.#ownedSets;
  }

  /** Names that markers of ours with this resource label. */
  namesOfResource(resource: string): readonly string[] {
    return [...(this.#namesByResource.get(resource) ?? [])];
  }

  /** True when our marker stands here, with or without data. */
  isOwnedByUs(set: OwnedRecordSet): boolean {
    return !set.contested && this.isClaimed(set);
  }

  /** True when a marker of ours stands here, though others may claim the same. */
  isClaimed({ marker }: OwnedRecordSet): boolean {
    return marker !== null && this.#owners.has(marker.owner);
  }

  /** Replaces what is known of a name. */
  put(name: string, sets: readonly OwnedRecordSet[]): void {
    this.#forget(name);
    if (sets.length === 0) return;
    this.#byName.set(name, sets);
    this.#count(name, 1);
    for (const set of sets.filter((s) => this.isOwnedByUs(s))) {
      const resource = set.marker?.resource ?? null;
      if (resource === null) continue;
      const names = this.#namesByResource.get(resource) ?? new Set();
      this.#namesByResource.set(resource, names.add(name));
    }
  }

  #count(name: string, sign: 1 | -1): void {
    const owned = this.ownedAt(name);
    this.#ownedSets += sign * owned;
    if (owned > 0) this.#ownedNames += sign;
  }

  #forget(name: string): void {
    this.#count(name, -1);
    for (const set of this.at(name).filter((s) => this.isOwnedByUs(s))) {
      const resource = set.marker?.resource ?? null;
      if (resource === null) continue;
      const names = this.#namesByResource.get(resource);
      names?.delete(name);
      if (names?.size === 0) this.#namesByResource.delete(resource);
    }
    this.#byName.delete(name);
  }
}
