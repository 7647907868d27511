/**
 * Counts DNSEntries by owner id, provider, zone and state. Updated with each decision about an
 * entry.
 */
import { isSameJson } from "../../model/same-json.ts";
import type { EntryUse } from "../dns-entry/owner-use.ts";

/** A number of DNSEntries (`amount`) that have these fields in common. */
export interface EntryCount extends EntryUse {
  readonly owner: string;
  readonly amount: number;
}

/** The form of `status.entries` of a DNSOwner: all entries, and entries by provider type. */
export interface Usage {
  readonly amount: number;
  readonly types: Readonly<Record<string, number>>;
}

/** For the DNSEntries of one process. */
export class EntryCounts {
  readonly #mainOwner: string;
  readonly #byEntry = new Map<string, EntryUse & { readonly owner: string }>();
  /** By owner id, then by all fields; there are as many as zones, states and DNSProviders. */
  readonly #byOwner = new Map<string, Map<string, EntryCount>>();

  constructor(mainOwner: string) {
    this.#mainOwner = mainOwner;
  }

  /**
   * Counts the entry (`namespace/name`) so from now on; null = not at all any more. Answers the
   * owner ids whose counts changed.
   */
  note(entry: string, use: EntryUse | null): readonly string[] {
    const before = this.#byEntry.get(entry) ?? null;
    // clause: entry-without-id-has-main-owner
    const now = use === null ? null : { ...use, owner: use.owner ?? this.#mainOwner };
    if (isSameJson(before, now)) return [];
    // clause: entry-is-counted-once
    if (before !== null) this.#add(before, -1);
    if (now !== null) this.#add(now, 1);
    if (now === null) this.#byEntry.delete(entry);
    else this.#byEntry.set(entry, now);
    return [before, now].flatMap((one) => (one === null ? [] : [one.owner]));
  }

  /** Each has an amount of 1 or more. */
  counts(): readonly EntryCount[] {
    return [...this.#byOwner.values()].flatMap((counts) => [...counts.values()]);
  }

  of(owner: string): Usage {
    const types = new Map<string, number>();
    let sum = 0;
    for (const { type, amount } of this.#byOwner.get(owner)?.values() ?? []) {
      sum += amount;
      if (type !== "") types.set(type, (types.get(type) ?? 0) + amount);
    }
    return { amount: sum, types: Object.fromEntries([...types].sort()) };
  }

  #add(use: EntryUse & { readonly owner: string }, change: 1 | -1): void {
    const counts = this.#byOwner.get(use.owner) ?? new Map<string, EntryCount>();
    const key = Object.values(use).join(" ");
    const amount = (counts.get(key)?.amount ?? 0) + change;
    if (amount === 0) counts.delete(key);
    else counts.set(key, { ...use, amount });
    if (counts.size === 0) this.#byOwner.delete(use.owner);
    else this.#byOwner.set(use.owner, counts);
  }
}
