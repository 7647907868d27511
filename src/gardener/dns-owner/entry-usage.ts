/** How many DNSEntries each owner id has, by provider type; kept as entries are decided. */

import { isSameJson } from "../../model/same-json.ts";
import type { EntryUse } from "../dns-entry/owner-use.ts";

/** As `status.entries` of a DNSOwner has it. */
export interface Usage {
  readonly amount: number;
  readonly types: Readonly<Record<string, number>>;
}

/** Of the DNSEntries of one process. Knows one use for each entry. */
export class EntryUsage {
  readonly #byEntry = new Map<string, EntryUse>();
  readonly #byOwner = new Map<string, Map<string, number>>();

  /** See `OwnerUses`. Answers the owner ids whose usage changed. */
  note(entry: string, use: EntryUse | null): readonly string[] {
    const before = this.#byEntry.get(entry) ?? null;
    if (isSameJson(before, use)) return [];
    if (before !== null) this.#add(before, -1);
    if (use !== null) this.#add(use, 1);
    if (use === null) this.#byEntry.delete(entry);
    else this.#byEntry.set(entry, use);
    return [before, use].flatMap((one) => (one === null ? [] : [one.ownerId]));
  }

  of(ownerId: string): Usage {
    const types = [...(this.#byOwner.get(ownerId) ?? [])].filter(([, count]) => count > 0).sort();
    return {
      amount: types.reduce((sum, [, count]) => sum + count, 0),
      types: Object.fromEntries(types.filter(([type]) => type !== "")),
    };
  }

  #add({ ownerId, providerType }: EntryUse, change: number): void {
    const counts = this.#byOwner.get(ownerId) ?? new Map<string, number>();
    counts.set(providerType, (counts.get(providerType) ?? 0) + change);
    this.#byOwner.set(ownerId, counts);
  }
}
