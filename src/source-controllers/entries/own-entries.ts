/**
 * An index of the generated DNSEntries of one source, by the source object (owner) that they are
 * linked to, kept up to date by watch events. Memory only.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName } from "@zonekeeper/kube/objects/object-fields";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { DnsClasses } from "../../model/dns-class.ts";
import { ownerOf, type SourceScope } from "./owner-link.ts";
import { wasMadeIn } from "./source-class.ts";

/** The index. Keys are `namespace/name`. */
export class OwnEntries {
  readonly #scope: SourceScope;
  readonly #classes: DnsClasses;
  readonly #byOwner = new Map<string, Map<string, KubeObject>>();
  readonly #ownerOfEntry = new Map<string, string>();
  /** By entry that is in the way: the owner to queue when it is deleted. */
  readonly #waiting = new Map<string, string>();

  constructor(scope: SourceScope, classes: DnsClasses) {
    this.#scope = scope;
    this.#classes = classes;
  }

  /** Applies a change; answers the owners to enqueue, the former one included. */
  apply({ type, object }: ObjectChange): readonly string[] {
    const entry = namespacedName(object);
    const before = this.#ownerOfEntry.get(entry) ?? null;
    const isOwn = type !== "deleted" && this.wasMadeHere(object);
    const owner = isOwn ? ownerOf(this.#scope, object) : null;
    if (before !== null) {
      this.#ownerOfEntry.delete(entry);
      const entries = this.#byOwner.get(before);
      entries?.delete(entry);
      if (entries?.size === 0) this.#byOwner.delete(before);
    }
    if (owner !== null) {
      this.#ownerOfEntry.set(entry, owner);
      this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? new Map()).set(entry, object));
    }
    const waiting = type === "deleted" ? (this.#waiting.get(entry) ?? null) : null;
    if (waiting !== null) this.#waiting.delete(entry);
    return [...new Set([before, owner, waiting])].filter((key) => key !== null);
  }

  /** Whether the class of an entry is one of ours, or was. */
  wasMadeHere(entry: KubeObject): boolean {
    return wasMadeIn(entry, this.#classes);
  }

  /**
   * From now on the deletion of the entry queues this owner, also where the entry is not in the
   * index.
   */
  awaitEnd(entry: string, owner: string): void {
    this.#waiting.set(entry, owner);
  }

  /** Entries of an object, sorted by name. */
  of(owner: string): readonly KubeObject[] {
    const entries = [...(this.#byOwner.get(owner) ?? [])];
    return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }

  /** True = this very version of the entry is the one in the index. */
  has(owner: string, entry: KubeObject): boolean {
    return this.#byOwner.get(owner)?.get(namespacedName(entry)) === entry;
  }

  /** Every object that has an entry. */
  owners(): Iterable<string> {
    return [...this.#byOwner.keys()];
  }
}
