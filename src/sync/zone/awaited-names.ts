/**
 * Names whose records stay until another name of their object is published (judge-rename.ts): they
 * are planned again after that one was. State only.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { NamePlan } from "../../plan/changes.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";

/** Of one zone; bounded by its held names. */
export class AwaitedNames {
  readonly #resources = new Map<DnsName, string>();
  readonly #names = new Map<string, Set<DnsName>>();

  /** Notes a plan. */
  remember({ name, holds }: NamePlan): void {
    this.#drop(name);
    const hold = holds.find(({ code }) => code === "RenamedUnpublished");
    const object = hold?.provenance ?? null;
    if (object === null) return;
    const resource = resourceOf(object);
    const names = this.#names.get(resource) ?? new Set<DnsName>();
    this.#names.set(resource, names.add(name));
    this.#resources.set(name, resource);
  }

  #drop(name: DnsName): void {
    const resource = this.#resources.get(name);
    if (resource === undefined) return;
    this.#resources.delete(name);
    const names = this.#names.get(resource);
    names?.delete(name);
    if (names?.size === 0) this.#names.delete(resource);
  }

  /** Names that objects listing one of these may free. One that is held itself frees none. */
  freedBy(
    names: ReadonlySet<DnsName> | "all",
    index: Pick<DesiredIndex, "objectsAt">,
  ): readonly DnsName[] {
    if (this.#resources.size === 0) return [];
    if (names === "all") return [...this.#resources.keys()];
    const objects = [...names]
      .filter((name) => !this.#resources.has(name))
      .flatMap((name) => index.objectsAt(name));
    return [...new Set(objects.map(resourceOf))].flatMap((one) => [
      ...(this.#names.get(one) ?? []),
    ]);
  }
}
