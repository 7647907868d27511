/**
 * What objects want in one zone, in plain objects: what src/sync/cache/desired-index.ts must show.
 * An oracle for tests.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { type ObjectKey, objectKeyText } from "../../../src/model/provenance.ts";
import type { DesiredRecordSet } from "../../../src/model/record-set.ts";
import type { Contribution } from "../../../src/sync/contract/contribution.ts";

/** Contributions of one zone and the names that they list. */
export class PlainDesiredIndex {
  readonly #byObject = new Map<string, Contribution>();
  readonly #byName = new Map<string, Map<string, Contribution>>();
  readonly #wantingNothing = new Map<string, Contribution>();

  /** Replaces what the object contributed; answers every name that this touches. */
  put(contribution: Contribution): ReadonlySet<DnsName> {
    const key = objectKeyText(contribution.object);
    const affected = new Set(this.remove(contribution.object));
    this.#byObject.set(key, contribution);
    if (contribution.deleting || contribution.found.items.length === 0)
      this.#wantingNothing.set(key, contribution);
    for (const name of namesOf(contribution)) {
      const objects = this.#byName.get(name) ?? new Map<string, Contribution>();
      this.#byName.set(name, objects.set(key, contribution));
      affected.add(name);
    }
    return affected;
  }

  /** Forgets the object; answers the names that it listed. */
  remove(object: ObjectKey): readonly DnsName[] {
    const key = objectKeyText(object);
    const contribution = this.#byObject.get(key);
    if (contribution === undefined) return [];
    this.#byObject.delete(key);
    this.#wantingNothing.delete(key);
    const names = namesOf(contribution);
    for (const name of names) {
      const objects = this.#byName.get(name);
      objects?.delete(key);
      if (objects?.size === 0) this.#byName.delete(name);
    }
    return names;
  }

  /** The object's contribution, or null. */
  get(object: ObjectKey): Contribution | null {
    return this.#byObject.get(objectKeyText(object)) ?? null;
  }

  /** Contributions that list a name in items or waiting, or listed it and are deleting. */
  listing(name: string): readonly Contribution[] {
    return [...(this.#byName.get(name)?.values() ?? [])];
  }

  /** Record sets wanted at a name; objects that are deleting or moved away want none. */
  wanted(name: string): readonly DesiredRecordSet[] {
    return this.listing(name)
      .filter((contribution) => !contribution.deleting && contribution.movedTo === undefined)
      .flatMap((contribution) => contribution.found.items.filter((item) => item.name === name));
  }

  /**
   * Contributions that want to be gone, or list nothing to publish: their names may be in the zone
   * all the same.
   */
  wantingNothing(): Iterable<Contribution> {
    return this.#wantingNothing.values();
  }

  /** Every name that is listed. */
  names(): readonly DnsName[] {
    return [...this.#byName.keys()].map(trustedDnsName);
  }

  /** Every contribution. */
  all(): Iterable<Contribution> {
    return this.#byObject.values();
  }
}

/** The names a contribution lists, each once. */
export function namesOf(contribution: Contribution): readonly DnsName[] {
  const { items, waiting } = contribution.found;
  return [...new Set([...items.map((item) => item.name), ...waiting.map((wait) => wait.name)])];
}
