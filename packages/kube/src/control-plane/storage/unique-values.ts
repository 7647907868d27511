/**
 * The values that no two objects of a kind may share, by kind. Follows committed changes, so that a
 * write does not read every other object.
 */
import { kindText } from "../../objects/kubernetes.ts";
import type { ServedKind, UniqueRule } from "../objects/served-kind.ts";
import type { CommittedChange, ObjectStorage } from "./object-storage.ts";
import type { Transaction } from "./transaction.ts";

/** Values in use, by `kindText`. */
export class UniqueValues {
  readonly #rules = new Map<string, UniqueRule>();
  readonly #taken = new Map<string, Set<string>>();

  constructor(storage: ObjectStorage, kinds: readonly ServedKind[]) {
    for (const { ref, unique } of kinds) {
      if (unique === null) continue;
      const values = storage.list(ref).map(unique.valueOf);
      this.#rules.set(kindText(ref), unique);
      this.#taken.set(kindText(ref), new Set(values.filter((value) => value !== null)));
    }
    storage.listen((changes) => {
      for (const change of changes) this.#note(change);
    });
  }

  /** True when a committed object, or one of the same commit, has the value. */
  isTaken(kind: ServedKind, value: string, transaction: Transaction): boolean {
    if (this.#taken.get(kindText(kind.ref))?.has(value) === true) return true;
    return transaction.changes.some(
      (change) => change.kind === kind.ref && kind.unique?.valueOf(change.object) === value,
    );
  }

  #note(change: CommittedChange): void {
    const rule = this.#rules.get(kindText(change.kind));
    const taken = this.#taken.get(kindText(change.kind));
    if (rule === undefined || taken === undefined) return;
    const before = change.previous === null ? null : rule.valueOf(change.previous);
    const after = change.removed ? null : rule.valueOf(change.object);
    if (before !== null) taken.delete(before);
    if (after !== null) taken.add(after);
  }
}
