/**
 * The last lists of names that were asked for. A name is planned and written in one go with many
 * others, and what is related to it is asked for at each step.
 */

import { BoundedMap } from "@zonekeeper/base/bounded-map";

/** Lists that are kept, of some five names each. */
const KEPT_MAX = 4_096;

/** Lists of names by the name that they belong to. */
export class KeptNames {
  readonly #kept = new BoundedMap<string, readonly string[]>(KEPT_MAX);
  #basis: object | undefined;

  /**
   * The list of this name, made where it is not known. `basis`: what lists rest on; another one
   * makes all of them anew.
   */
  of(name: string, basis: object | undefined, make: () => readonly string[]): readonly string[] {
    if (basis !== this.#basis) this.forget();
    this.#basis = basis;
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const names = make();
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
