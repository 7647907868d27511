/**
 * Which names objects took in place of names that they list no more. A name that is taken off while
 * another one comes is renamed; one that is taken off alone is given up. Remembers; decides
 * nothing. Bounded by the names whose records are not gone yet.
 */
import type { DnsName } from "../../model/dns-name.ts";
import {
  isMarkOf,
  type ObjectMark,
  objectKeyText,
  type Provenance,
} from "../../model/provenance.ts";
import type { Contribution } from "../contract/contribution.ts";

/** An edit that took names off. */
interface Edit {
  readonly object: Provenance;
  /** The names that it took off, and whose records are not gone yet. */
  readonly former: Set<DnsName>;
  /** Names that came instead and are not published yet. */
  readonly instead: Set<DnsName>;
}

/** What an edit took off, and what came with it. */
interface NamesEdit {
  readonly dropped: readonly DnsName[];
  readonly taken: readonly DnsName[];
}

/** Former names of the objects of one zone. */
export class RenamedNames {
  readonly #at = new Map<DnsName, Map<string, Edit>>();
  readonly #ofObject = new Map<string, Set<Edit>>();

  /**
   * Takes a new contribution of an object that listed the names `before`; of `listed`, those that
   * it lists now.
   */
  edited(contribution: Contribution, before: readonly DnsName[], listed: readonly DnsName[]): void {
    const names = editOf(contribution, before, listed);
    if (names === null && this.#at.size === 0) return;
    const object = objectOf(contribution);
    const key = objectKeyText(object);
    for (const name of listed) this.#forget(name, key);
    if (names === null || names.dropped.length === 0) return;
    for (const edit of this.#ofObject.get(key) ?? []) follow(edit, names);
    this.#put(key, { object, former: new Set(names.dropped), instead: new Set(names.taken) });
  }

  /**
   * Names that the object of a marker took in place of this one; null = it was not seen to take the
   * name off.
   */
  insteadOf(name: DnsName, marker: ObjectMark): ReadonlySet<DnsName> | null {
    return this.#editAt(name, marker)?.instead ?? null;
  }

  /** Of the names that the object took in place of `former`, this one is published. */
  published(former: DnsName, marker: ObjectMark, name: DnsName): void {
    this.#editAt(former, marker)?.instead.delete(name);
  }

  /** No record of ours is at the name. */
  cleared(name: DnsName): void {
    for (const key of [...(this.#at.get(name)?.keys() ?? [])]) this.#forget(name, key);
  }

  #editAt(name: DnsName, marker: ObjectMark): Edit | undefined {
    const edits = [...(this.#at.get(name)?.values() ?? [])];
    return edits.find(({ object }) => isMarkOf(marker, object));
  }

  #put(key: string, edit: Edit): void {
    for (const name of edit.former) {
      this.#forget(name, key);
      const atName = this.#at.get(name) ?? new Map<string, Edit>();
      this.#at.set(name, atName.set(key, edit));
    }
    const edits = this.#ofObject.get(key) ?? new Set<Edit>();
    this.#ofObject.set(key, edits.add(edit));
  }

  #forget(name: DnsName, key: string): void {
    const atName = this.#at.get(name);
    const edit = atName?.get(key);
    if (atName === undefined || edit === undefined) return;
    atName.delete(key);
    if (atName.size === 0) this.#at.delete(name);
    edit.former.delete(name);
    if (edit.former.size > 0) return;
    const edits = this.#ofObject.get(key);
    edits?.delete(edit);
    if (edits?.size === 0) this.#ofObject.delete(key);
  }
}

/** Of what was taken instead, something is taken off in turn: what comes for it counts. */
function follow({ instead }: Edit, { dropped, taken }: NamesEdit): void {
  const gone = dropped.filter((name) => instead.delete(name));
  if (gone.length > 0) for (const name of taken) instead.add(name);
}

/** Null = nothing is known of what the object wanted before, or of what it wants now. */
function editOf(
  { deleting, renamedTo = [], found }: Contribution,
  before: readonly DnsName[],
  listed: readonly DnsName[],
): NamesEdit | null {
  const isKnown = deleting ? renamedTo.length > 0 : found.complete && before.length > 0;
  if (!isKnown) return null;
  const known = new Set(deleting ? [...before, ...listed] : before);
  const now = new Set(deleting ? [] : listed);
  const dropped = [...known].filter((name) => !now.has(name));
  const taken = [...now].filter((name) => !known.has(name));
  return { dropped, taken: [...taken, ...renamedTo] };
}

/** As markers name it. */
function objectOf({ object, found: { items, waiting } }: Contribution): Provenance {
  return items[0]?.provenance ?? waiting[0]?.provenance ?? object;
}
