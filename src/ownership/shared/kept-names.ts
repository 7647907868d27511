/**
 * The last lists of names that were asked for. A name is written in one go with some two hundred
 * others, and what is related to it is asked for at each step.
 */

/** Lists that are kept: a full message names some 200 records, each with its marker. */
const KEPT_MAX = 512;

/** Lists of names by the name that they belong to; all are forgotten when there are too many. */
export class KeptNames {
  readonly #kept = new Map<string, readonly string[]>();

  /** The list of this name, made where it is not known. */
  of(name: string, make: (name: string) => readonly string[]): readonly string[] {
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const names = make(name);
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    this.#kept.set(name, names);
    return names;
  }

  /** What lists rest on has changed. */
  forget(): void {
    this.#kept.clear();
  }
}

/**
 * `names`, each once already, and what they lack of `more`. For a few more: each is compared with
 * all, which costs less than a set of them.
 */
export function withMore(names: readonly string[], more: readonly string[]): readonly string[] {
  const all = [...names];
  more.forEach((one) => {
    if (!all.includes(one)) all.push(one);
  });
  return all;
}
