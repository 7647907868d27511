/** How many DNSEntries there are by owner id, provider, zone and state; kept as entries change. */
import { type DnsClasses, isOfClass } from "../../model/dns-class.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { fieldsOf, textOf } from "../../model/object-fields.ts";
import type { ObjectChange } from "../../ports/cluster-view.ts";

/** How many DNSEntries have these fields; a field that is not set is empty. */
export interface EntryCount {
  /** `spec.ownerId`. */
  readonly owner: string;
  /** Of the status, as are the others. */
  readonly type: string;
  /** `namespace/name`. */
  readonly provider: string;
  /** Its id. */
  readonly zone: string;
  readonly state: string;
  readonly amount: number;
}

/** Of the DNSEntries of the classes of one process. */
export class EntryCounts {
  readonly #classes: DnsClasses;
  /** By owner id, then by all fields; there are as many as zones, states and DNSProviders. */
  readonly #byOwner = new Map<string, Map<string, EntryCount>>();

  constructor(classes: DnsClasses) {
    this.#classes = classes;
  }

  /** An entry was made, changed or deleted. */
  changed({ type, object, previous }: ObjectChange): void {
    const before = type === "deleted" ? object : previous;
    if (before !== undefined) this.#add(before, -1);
    if (type !== "deleted") this.#add(object, 1);
  }

  /** None is 0. */
  counts(): readonly EntryCount[] {
    return [...this.#byOwner.values()].flatMap((counts) => [...counts.values()]);
  }

  #add(entry: KubeObject, change: 1 | -1): void {
    if (!isOfClass(entry, this.#classes)) return;
    const fields = countedFields(entry);
    const { owner } = fields;
    const counts = this.#byOwner.get(owner) ?? new Map<string, EntryCount>();
    const key = Object.values(fields).join(" ");
    const amount = (counts.get(key)?.amount ?? 0) + change;
    if (amount === 0) counts.delete(key);
    else counts.set(key, { ...fields, amount });
    this.#byOwner.set(owner, counts);
  }
}

function countedFields(entry: KubeObject): Omit<EntryCount, "amount"> {
  const status = fieldsOf(entry["status"]);
  const text = (field: string): string => textOf(status[field]) ?? "";
  return {
    owner: textOf(fieldsOf(entry["spec"])["ownerId"]) ?? "",
    type: text("providerType"),
    provider: text("provider"),
    zone: text("zone"),
    state: text("state"),
  };
}
