/** How many DNSEntries name each owner id, by provider type; kept as entries change. */
import { type DnsClasses, isOfClass } from "../../model/dns-class.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { fieldsOf, textOf } from "../../model/object-fields.ts";
import type { ObjectChange } from "../../ports/cluster-view.ts";

/** As `status.entries` of a DNSOwner has it. */
export interface Usage {
  readonly amount: number;
  readonly types: Readonly<Record<string, number>>;
}

/** Of the DNSEntries of the classes of one process. */
export class EntryUsage {
  readonly #classes: DnsClasses;
  readonly #byOwner = new Map<string, Map<string, number>>();

  constructor(classes: DnsClasses) {
    this.#classes = classes;
  }

  /** Answers the owner ids whose usage changed. */
  changed({ type, object, previous }: ObjectChange): ReadonlySet<string> {
    const before = type === "deleted" ? object : previous;
    const owners = new Set<string>();
    if (before !== undefined) this.#add(before, -1, owners);
    if (type !== "deleted") this.#add(object, 1, owners);
    return owners;
  }

  of(ownerId: string): Usage {
    const types = [...(this.#byOwner.get(ownerId) ?? [])].filter(([, count]) => count > 0).sort();
    return {
      amount: types.reduce((sum, [, count]) => sum + count, 0),
      types: Object.fromEntries(types.filter(([type]) => type !== "")),
    };
  }

  #add(entry: KubeObject, change: number, owners: Set<string>): void {
    const ownerId = textOf(fieldsOf(entry["spec"])["ownerId"]);
    if (ownerId === null || !isOfClass(entry, this.#classes)) return;
    const type = textOf(fieldsOf(entry["status"])["providerType"]) ?? "";
    const counts = this.#byOwner.get(ownerId) ?? new Map<string, number>();
    counts.set(type, (counts.get(type) ?? 0) + change);
    this.#byOwner.set(ownerId, counts);
    owners.add(ownerId);
  }
}
