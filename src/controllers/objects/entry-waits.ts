/**
 * Tells the entry controller when the object that a DNSEntry was made from loses its last address
 * or gets one again (Z-4). News only: whether there is an address now is looked up in the cluster's
 * view.
 */

/** What source controllers said last; bounded by the entries of the sources. */
export class EntryWaits {
  readonly #byOwner = new Map<string, ReadonlySet<string>>();
  readonly #listeners = new Set<(entry: string) => void>();

  /**
   * The entries (`namespace/name`) of one object that wait for an address now; replaces what was
   * said before.
   */
  told(owner: string, entries: ReadonlySet<string>): void {
    const before = this.#byOwner.get(owner) ?? new Set<string>();
    if (entries.size === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, entries);
    const ended = [...before].filter((entry) => !entries.has(entry));
    const begun = [...entries].filter((entry) => !before.has(entry));
    for (const entry of [...ended, ...begun]) for (const tell of this.#listeners) tell(entry);
  }

  /** Told about each entry that begins or ends to wait. Answers how to stop listening. */
  onChange(listener: (entry: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
