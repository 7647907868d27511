/**
 * Former names of renamed objects, whose records stay until the new name is published
 * (renamed-names.ts): they are planned again after that one was written. State only.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { resourceOf } from "../../model/provenance.ts";
import type { NamePlan } from "../../plan/changes.ts";

/** The former names of one zone; bounded by its held names. */
export class AwaitedNames {
  /** Objects as markers name them, by former name. */
  readonly #resources = new Map<DnsName, ReadonlySet<string>>();
  readonly #names = new Map<string, Set<DnsName>>();

  /** Notes a plan. */
  remember({ name, holds }: NamePlan): void {
    for (const resource of this.#resources.get(name) ?? []) {
      const names = this.#names.get(resource);
      names?.delete(name);
      if (names?.size === 0) this.#names.delete(resource);
    }
    const renamed = holds.filter(({ code }) => code === "RenamedUnpublished");
    const resources = new Set(
      renamed.flatMap(({ provenance }) => (provenance === null ? [] : resourceOf(provenance))),
    );
    if (resources.size === 0) this.#resources.delete(name);
    else this.#resources.set(name, resources);
    for (const resource of resources)
      this.#names.set(resource, (this.#names.get(resource) ?? new Set()).add(name));
  }

  /**
   * Former names to plan again, after these names were planned: those of the objects that have
   * records at them. A former name itself frees no other one of its object: both would be planned
   * for ever.
   */
  freedBy(
    names: ReadonlySet<DnsName> | "all",
    resourcesAt: (name: DnsName) => readonly string[],
  ): ReadonlySet<DnsName> {
    if (names === "all" || this.#resources.size === 0) return new Set(this.#resources.keys());
    const freed = new Set<DnsName>();
    for (const name of names)
      for (const resource of resourcesAt(name)) {
        if (this.#resources.get(name)?.has(resource) === true) continue;
        for (const former of this.#names.get(resource) ?? []) freed.add(former);
      }
    return freed;
  }
}
