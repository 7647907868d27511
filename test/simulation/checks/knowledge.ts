/**
 * What one process was told by objects since it began: Z-2 restated by simple rules, for the
 * histories to judge removals by. Shares no code with the product's absence book.
 */
import type { DesiredRecordSet } from "../../../src/model/record-set.ts";
import type { Found } from "../../../src/sources/source.ts";

interface Observed {
  /** Names that it wants. */
  readonly wanted: ReadonlySet<string>;
  /** Names that it lists without an answer, or listed before an incomplete contribution. */
  readonly open: ReadonlySet<string>;
  readonly complete: boolean;
}

/** Forgotten with the process. */
export class Knowledge {
  readonly #observed = new Map<string, Observed>();
  readonly #gone = new Set<string>();
  /** Names listed in one account's zone, by `object account`. */
  readonly #routes = new Map<string, ReadonlySet<string>>();
  /** Names an object listed once and does not list any more, by a complete contribution. */
  readonly #omitted = new Set<string>();

  /** An object said what it wants in one account. */
  contributed(object: string, account: string, found: Found<DesiredRecordSet>): void {
    const before = this.#observed.get(object);
    const wanted = new Set<string>(found.items.map(({ name }) => name));
    const listed = new Set<string>([...wanted, ...found.waiting.map(({ name }) => name)]);
    const known = before === undefined ? [] : [...before.wanted, ...before.open];
    const open = new Set<string>(found.waiting.map(({ name }) => name));
    if (!found.complete) for (const name of [...known, ...wanted]) open.add(name);
    this.#gone.delete(object);
    this.#observed.set(object, { wanted, open, complete: found.complete });
    this.#routes.set(`${object} ${account}`, listed);
    for (const name of known) if (found.complete) this.#omitted.add(`${object} ${name}`);
    for (const name of [...listed, ...open]) this.#omitted.delete(`${object} ${name}`);
  }

  /** The object was seen deleted. */
  withdrawn(object: string): void {
    this.#observed.delete(object);
    this.#gone.add(object);
    for (const key of [...this.#routes.keys()])
      if (key.startsWith(`${object} `)) this.#routes.delete(key);
  }

  /** The object is not assigned to the account any more: what it listed stays listed. */
  unrouted(object: string, account: string): void {
    this.#routes.delete(`${object} ${account}`);
  }

  /**
   * Z-2 (a): who still lists the name so that it may not be removed in this account; null = nobody.
   */
  objection(name: string, account: string): string | null {
    for (const [object, { wanted, open }] of this.#observed) {
      if (open.has(name)) return `Z-2a: ${object} lists it without an answer`;
      if (wanted.has(name) && this.#routes.get(`${object} ${account}`)?.has(name) !== true)
        return `Z-2: ${object} wants it elsewhere`;
    }
    return null;
  }

  /** Z-2 (b): seen deleted, and not back since. */
  isGone(object: string): boolean {
    return this.#gone.has(object);
  }

  /**
   * Z-2 (b): alive with a complete contribution that omits the name, now or since it last listed
   * it.
   */
  omits(object: string, name: string): boolean {
    const observed = this.#observed.get(object);
    if (observed === undefined) return false;
    return (
      (observed.complete && !observed.wanted.has(name)) || this.#omitted.has(`${object} ${name}`)
    );
  }
}
