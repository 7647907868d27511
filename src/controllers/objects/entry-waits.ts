/**
 * Reports to the entry controller when a generated DNSEntry begins or ends to wait for its source
 * object: that it has an address again (Z-4), or that the entry may be changed. Only the change is
 * reported: the state is read elsewhere.
 */

/** Entries that wait, by source object; bounded by the entries of the sources. */
export class EntryWaits {
  readonly #byOwner = new Map<string, ReadonlySet<string>>();
  readonly #listeners = new Set<(entry: string) => void>();

  /**
   * Replaces the entries (`namespace/name`) of one source object that wait.
   */
  setWaiting(owner: string, entries: ReadonlySet<string>): void {
    const before = this.#byOwner.get(owner) ?? new Set<string>();
    if (entries.size === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, entries);
    const ended = [...before].filter((entry) => !entries.has(entry));
    const begun = [...entries].filter((entry) => !before.has(entry));
    for (const entry of [...ended, ...begun]) for (const tell of this.#listeners) tell(entry);
  }

  /** Calls `listener` for each entry that begins or ends to wait. Answers how to stop. */
  onChange(listener: (entry: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
