/** Texts in order, made from an unordered source once and kept in order name by name. */
import type { Slices } from "@zonekeeper/base/ports/clock";

/** Where the texts come from. */
interface NameSource {
  /** All texts, each once. */
  readonly all: () => Iterable<string>;
  /** Whether the text is among them now. */
  readonly isThere: (name: string) => boolean;
}

/** Texts that are sorted without a pause. */
const CHUNK = 4_096;
/** With more changes at once, all is sorted anew. */
const KEPT_UP_MAX = 1_000;

/** The texts, sorted by code units, as `compareText` does. */
export class SortedNames {
  readonly #source: NameSource;
  #sorted: string[] | null = null;
  #making: Promise<void> | null = null;
  /** Texts that changed while the order is made; null = too many, so that it is made anew. */
  #meanwhile: Set<string> | null = new Set();

  constructor(source: NameSource) {
    this.#source = source;
  }

  /** All texts in order; the array is valid until the caller awaits anything. */
  async sorted(slices: Slices): Promise<readonly string[]> {
    while (this.#sorted === null) {
      this.#making ??= this.#make(slices);
      await this.#making;
    }
    return this.#sorted;
  }

  /** These texts may have been added or removed. */
  changed(names: ReadonlySet<string> | "all"): void {
    const isMany = names === "all" || names.size > KEPT_UP_MAX;
    if (this.#sorted === null) {
      if (isMany) this.#meanwhile = null;
      else for (const name of names) this.#meanwhile?.add(name);
    } else if (isMany) this.#sorted = null;
    else for (const name of names) this.#settle(this.#sorted, name);
  }

  async #make(slices: Slices): Promise<void> {
    this.#meanwhile = new Set();
    const chunks: string[][] = [];
    let chunk: string[] = [];
    for (const name of this.#source.all()) {
      chunk.push(name);
      if (chunk.length < CHUNK) continue;
      chunks.push(chunk.sort());
      chunk = [];
      if (slices.isOver) await slices.next();
    }
    chunks.push(chunk.sort());
    const sorted = await merged(chunks, slices);
    this.#making = null;
    // With too many changes `sorted` makes it anew.
    if (this.#meanwhile === null) return;
    for (const name of this.#meanwhile) this.#settle(sorted, name);
    this.#sorted = sorted;
  }

  #settle(sorted: string[], name: string): void {
    const at = indexIn(sorted, name);
    const isKnown = sorted[at] === name;
    const isThere = this.#source.isThere(name);
    if (isThere && !isKnown) sorted.splice(at, 0, name);
    else if (!isThere && isKnown) sorted.splice(at, 1);
  }
}

/** Index of the first text that is not before this one; `isAfter`: that comes after it. */
export function indexIn(sorted: readonly string[], name: string, isAfter = false): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] ?? "";
    if (found < name || (isAfter && found === name)) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function merged(chunks: readonly string[][], slices: Slices): Promise<string[]> {
  let all = [...chunks];
  while (all.length > 1) {
    const pairs: string[][] = [];
    for (let at = 0; at < all.length; at += 2) {
      pairs.push(await mergedPair(all[at] ?? [], all[at + 1] ?? [], slices));
    }
    all = pairs;
  }
  return all[0] ?? [];
}

/** Merges two sorted lists; a text in both is kept once, as it may have come back meanwhile. */
async function mergedPair(
  one: readonly string[],
  other: readonly string[],
  slices: Slices,
): Promise<string[]> {
  const both: string[] = [];
  let [a, b] = [0, 0];
  while (a < one.length || b < other.length) {
    const [left, right] = [one[a], other[b]];
    const isLeft = right === undefined || (left !== undefined && left <= right);
    const next = (isLeft ? left : right) ?? "";
    if (isLeft) a += 1;
    else b += 1;
    if (both.at(-1) !== next) both.push(next);
    if (both.length % CHUNK === 0 && slices.isOver) await slices.next();
  }
  return both;
}
