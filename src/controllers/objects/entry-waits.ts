/**
 * Tells the entry controller that a generated DNSEntry begins or ends to wait for its source
 * object: the object has no address (Z-4), or the cluster refuses the change of the entry. Only the
 * change is reported: the entry controller reads the state itself.
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
    for (const entry of [...ended, ...begun])
      for (const listener of this.#listeners) listener(entry);
  }

  /** Calls `listener` for each entry that begins or ends to wait. Answers how to stop. */
  onChange(listener: (entry: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
