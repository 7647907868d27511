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

/** A name that an object listed before. */
interface FormerName {
  readonly object: Provenance;
  /** Names that it took instead; empty = it gave the name up. */
  readonly instead: ReadonlySet<DnsName>;
}

/** What an edit took off, and what came with it. */
interface NamesEdit {
  readonly dropped: readonly DnsName[];
  readonly taken: readonly DnsName[];
}

/** Former names of the objects of one zone. */
export class RenamedNames {
  readonly #at = new Map<DnsName, Map<string, FormerName>>();
  readonly #ofObject = new Map<string, Set<DnsName>>();

  /**
   * Takes a new contribution of an object that listed the names `before`; of `listed`, those that
   * it lists now.
   */
  edited(contribution: Contribution, before: readonly DnsName[], listed: readonly DnsName[]): void {
    const edit = editOf(contribution, before, listed);
    if (edit === null && this.#at.size === 0) return;
    const object = objectOf(contribution);
    const key = objectKeyText(object);
    for (const name of listed) this.#forget(name, key);
    if (edit === null) return;
    for (const name of this.#ofObject.get(key) ?? []) this.#follow(name, key, edit);
    for (const name of edit.dropped) this.#put(name, { object, instead: new Set(edit.taken) });
  }

  /** What was taken instead of a name was taken off in turn. */
  #follow(name: DnsName, key: string, { dropped, taken }: NamesEdit): void {
    const former = this.#at.get(name)?.get(key);
    if (former === undefined || !dropped.some((one) => former.instead.has(one))) return;
    const left = [...former.instead].filter((one) => !dropped.includes(one));
    this.#put(name, { ...former, instead: new Set([...left, ...taken]) });
  }

  /**
   * Names that the object of a marker took in place of this one; null = it was not seen to take the
   * name off.
   */
  insteadOf(name: DnsName, marker: ObjectMark): ReadonlySet<DnsName> | null {
    const formers = [...(this.#at.get(name)?.values() ?? [])];
    return formers.find(({ object }) => isMarkOf(marker, object))?.instead ?? null;
  }

  /** No record of ours is at the name. */
  cleared(name: DnsName): void {
    for (const key of [...(this.#at.get(name)?.keys() ?? [])]) this.#forget(name, key);
  }

  #put(name: DnsName, former: FormerName): void {
    const key = objectKeyText(former.object);
    const atName = this.#at.get(name) ?? new Map<string, FormerName>();
    this.#at.set(name, atName.set(key, former));
    const names = this.#ofObject.get(key) ?? new Set<DnsName>();
    this.#ofObject.set(key, names.add(name));
  }

  #forget(name: DnsName, key: string): void {
    const atName = this.#at.get(name);
    if (atName?.delete(key) !== true) return;
    if (atName.size === 0) this.#at.delete(name);
    const names = this.#ofObject.get(key);
    names?.delete(name);
    if (names?.size === 0) this.#ofObject.delete(key);
  }
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
