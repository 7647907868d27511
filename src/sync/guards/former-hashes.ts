/**
 * The hashes that held sets had before they grew: a person may approve one that was shown. In
 * memory alone.
 */
import { heldSets } from "../../plan/fuse.ts";
import type { FuseState, HeldSet } from "../../plan/fuse-state.ts";

/** Of all sets of a zone; of more, the oldest are forgotten. */
const FORMER_MAX = 100;

/** A hash, and one item of the set that had it. */
interface FormerHash {
  readonly hash: string;
  readonly itemId: string;
}

/** Those of one zone. */
export class FormerHashes {
  #former: readonly FormerHash[] = [];

  /** The counters step on. */
  note(before: FuseState | null, after: FuseState): void {
    if (before === null) return;
    const hashes = new Set(heldSets(after).map(({ hash }) => hash));
    const gone = heldSets(before).filter(({ hash }) => !hashes.has(hash));
    const former = gone.map(({ hash, items }) => ({ hash, itemId: items[0]?.id ?? "" }));
    this.#former = [...this.#former, ...former].slice(-FORMER_MAX);
  }

  /** The sets with what their hashes were, the oldest first. */
  in(sets: readonly HeldSet[]): readonly HeldSet[] {
    if (this.#former.length === 0) return sets;
    return sets.map((set) => {
      const ids = new Set(set.items.map(({ id }) => id));
      const former = this.#former.filter(
        ({ hash, itemId }) => hash !== set.hash && ids.has(itemId),
      );
      return former.length === 0 ? set : { ...set, formerHashes: former.map(({ hash }) => hash) };
    });
  }
}
