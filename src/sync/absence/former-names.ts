/**
 * Which names objects took in place of names that they list no more, over all zones (Z-32). If one
 * edit of an object drops a name and adds another, the name was renamed; if it only drops the name,
 * the name was given up. Remembers; decides nothing. Bounded by the names whose records are not
 * gone yet.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import type { Contribution } from "../contract/contribution.ts";

/** An object that listed a name, lists it no more, and lives. */
export interface RenamedObject {
  readonly object: ObjectKey;
  /** Names that it took instead and that were not seen published. */
  readonly instead: ReadonlySet<string>;
  /** It contributes itself, so that its edits are noted here. */
  readonly isFollowed: boolean;
}

/** Names that an edit added while it dropped others, and that were not seen published. */
type Edit = Set<string>;

/** What is remembered of one object. */
interface Memory {
  /** By dropped name, the edit that dropped it. */
  readonly at: Map<string, Edit>;
  /**
   * For names dropped by edits that this process did not see: any listed name may have come
   * instead. Null = a plan never waited for such a name.
   */
  unseen: Edit | null;
  /** The names of its last complete contribution, while its latest is incomplete; else null. */
  complete: ReadonlySet<string> | null;
}

/** A contribution, and the names that its object lists by it and before it, in whatever zone. */
export interface NamesEdit {
  readonly contribution: Contribution;
  readonly before: Iterable<string>;
  readonly now: Iterable<string>;
}

/**
 * The memory, of objects that markers name. For DNSEntries that we made from other objects, their
 * source controller knows the new names (renamed-entries.ts).
 */
export class FormerNames {
  readonly #memories = new Map<string, Memory>();

  /** Takes a new contribution. */
  edited({ contribution, before, now }: NamesEdit): void {
    const { object, deleting, found } = contribution;
    if (deleting) {
      this.forget(object);
      return;
    }
    const memory = this.#of(object);
    const known = /* clause: mistake-hides-no-edit */ memory.complete ?? new Set(before);
    if (found.complete) note(memory, { known, listed: new Set(now) });
    memory.complete = found.complete ? null : known;
    this.#keep(object, memory);
  }

  /**
   * Names that the object took in place of this one. `listed`: the names that it lists by its last
   * contribution.
   */
  insteadOf(
    name: DnsName,
    object: ObjectKey,
    listed: () => readonly string[],
  ): ReadonlySet<string> {
    const { at, unseen } = this.#of(object);
    return at.get(name) ?? unseen ?? new Set(/* clause: restart-may-name-all */ listed());
  }

  /** A plan waited for these names in place of this one, and some were published. */
  waited(name: DnsName, renamed: RenamedObject, published: readonly DnsName[]): void {
    const { object, instead, isFollowed } = renamed;
    if (!isFollowed) return;
    const memory = this.#of(object);
    let edit = memory.at.get(name);
    if (edit === undefined) edit = memory.unseen ??= new Set(instead);
    for (const one of published) edit.delete(one);
    this.#keep(object, memory);
  }

  /** No record of the object is at the name. */
  cleared(name: DnsName, object: ObjectKey): void {
    const memory = this.#of(object);
    memory.at.delete(name);
    this.#keep(object, memory);
  }

  /** The object is gone. */
  forget(object: ObjectKey): void {
    this.#memories.delete(objectKeyText(object));
  }

  #of(object: ObjectKey): Memory {
    const memory = this.#memories.get(objectKeyText(object));
    return memory ?? { at: new Map(), unseen: null, complete: null };
  }

  #keep(object: ObjectKey, memory: Memory): void {
    const { at, unseen, complete } = memory;
    if (at.size === 0 && unseen === null && complete === null) this.forget(object);
    else this.#memories.set(objectKeyText(object), memory);
  }
}

/** Notes an edit: what the object listed before, and what it lists now. */
function note(
  { at, unseen }: Memory,
  { known, listed }: Record<"known" | "listed", ReadonlySet<string>>,
): void {
  for (const name of listed) at.delete(name);
  const dropped = [...known].filter((name) => !listed.has(name));
  const taken = [...listed].filter((name) => !known.has(name));
  for (const edit of new Set(unseen === null ? at.values() : [...at.values(), unseen])) {
    // A name that was added instead is itself dropped now: the names that replace it count.
    const gone = dropped.filter((name) => edit.delete(name));
    // clause: former-name-is-followed
    if (gone.length > 0) for (const name of taken) edit.add(name);
  }
  const edit = new Set(taken);
  // clause: dropped-name-is-former
  for (const name of dropped) at.set(name, edit);
}
