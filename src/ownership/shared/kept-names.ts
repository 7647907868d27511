/**
 * A cache of lists of names. While a name is planned and written, the names that are related to it
 * are needed at each step.
 */

import { BoundedMap } from "@zonekeeper/base/bounded-map";

/** Lists that are kept at most, of some five names each. */
const KEPT_MAX = 4_096;

/** Lists of names by the name that they belong to. */
export class KeptNames {
  readonly #kept = new BoundedMap<string, readonly string[]>(KEPT_MAX);
  #basis: object | undefined;

  /**
   * The list of this name, made where it is not kept. `basis`: the object that lists are made from;
   * with another one all are made anew.
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

  /** Forgets all lists: they would be made otherwise now. */
  forget(): void {
    this.#kept.clear();
  }
}

/**
 * `names`, which are distinct, with those of `more` that are not among them. Meant for few more:
 * then comparing costs less than a Set.
 */
export function withMore(names: readonly string[], more: readonly string[]): readonly string[] {
  const all = [...names];
  more.forEach((one) => {
    if (!all.includes(one)) all.push(one);
  });
  return all;
}
