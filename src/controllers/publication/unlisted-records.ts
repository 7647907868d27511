/**
 * Remembers, by object, the records that have our owner id, whose marker names the object, and
 * whose name no object lists: the zones report them as long as their removal is held.
 */
import type { NameReport, UnlistedReport } from "../../sync/contract/contribution.ts";

/** A report that was taken in. */
interface UnlistedChange {
  /** `namespace/name`. */
  readonly key: string;
  readonly before: readonly NameReport[];
}

/** For the objects of one kind; bounded by the records of the zones. */
export class UnlistedRecords {
  /** By `namespace/name`. */
  readonly #names = new Map<string, readonly NameReport[]>();

  /** Answers the object, and what was known of it. */
  apply({ object, unlisted }: UnlistedReport): UnlistedChange {
    const key = `${object.namespace}/${object.name}`;
    const before = this.of(key);
    if (unlisted.length === 0) this.#names.delete(key);
    else this.#names.set(key, unlisted);
    return { key, before };
  }

  of(key: string): readonly NameReport[] {
    return this.#names.get(key) ?? [];
  }
}
