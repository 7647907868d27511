/**
 * Which names objects took in place of names that they list no more, over all zones (Z-32). A name
 * that is taken off while another one comes is renamed; one that is taken off alone is given up.
 * Remembers; decides nothing. Bounded by the names whose records are not gone yet.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  type ObjectKey,
  type ObjectMark,
  objectKeyOf,
  objectKeyText,
} from "../../model/provenance.ts";
import type { Contribution } from "../contract/contribution.ts";
import type { ObjectObservation } from "../contract/object-observation.ts";

/** An object that listed a name, lists it no more, and lives. */
export interface RenamedObject {
  readonly object: ObjectKey;
  /** Names that it took instead and that were not seen published. */
  readonly instead: ReadonlySet<string>;
  /** It contributes, so that its edits are followed. */
  readonly isFollowed: boolean;
}

/** An edit that took names off. */
interface Edit {
  /** Names that came instead and were not seen published. */
  readonly instead: Set<string>;
}

/** What is remembered of one object. */
interface Memory {
  /** By name that was taken off. */
  readonly at: Map<string, Edit>;
  /** Edits before the first one that was seen: each listed name may have come by it. */
  unseen: Edit | null;
}

/** A contribution, and the names that its object lists by it and before it. */
export interface NamesEdit {
  readonly contribution: Contribution;
  readonly before: Iterable<string>;
  readonly now: Iterable<string>;
}

/** Of objects that markers name; of those made from others, their maker knows (renamed-entries). */
export class FormerNames {
  readonly #memories = new Map<string, Memory>();
  /** What objects that cannot be read completely now listed when they could (Z-1). */
  readonly #complete = new Map<string, ReadonlySet<string>>();
  /** Names that an object lists besides those of its last contribution. */
  readonly #elsewhere = new Map<string, readonly string[]>();

  /** Takes a new contribution. */
  edited({ contribution, before, now }: NamesEdit): void {
    const { object, deleting, found, elsewhere = [] } = contribution;
    if (deleting) {
      this.forget(object);
      return;
    }
    const key = objectKeyText(object);
    const others = this.#elsewhere.get(key) ?? [];
    const known =
      /* clause: mistake-hides-no-edit */ this.#complete.get(key) ??
      new Set([...before, ...others]);
    if (elsewhere.length > 0) this.#elsewhere.set(key, elsewhere);
    else this.#elsewhere.delete(key);
    if (!found.complete) {
      this.#complete.set(key, known);
      return;
    }
    this.#complete.delete(key);
    const listed = new Set([...now, ...elsewhere]);
    const dropped = [...known].filter((name) => !listed.has(name));
    if (dropped.length > 0 || this.#memories.has(key)) this.#note(key, { known, listed, dropped });
  }

  #note(
    key: string,
    {
      known,
      listed,
      dropped,
    }: Record<"known" | "listed", ReadonlySet<string>> & {
      readonly dropped: readonly string[];
    },
  ): void {
    const memory = this.#memoryOf(key);
    for (const name of listed) memory.at.delete(name);
    const taken = [...listed].filter((name) => !known.has(name));
    const edits = new Set(memory.at.values());
    if (memory.unseen !== null) edits.add(memory.unseen);
    for (const edit of edits) follow(edit, dropped, taken);
    const edit = { instead: new Set(taken) };
    // clause: dropped-name-is-former
    for (const name of dropped) memory.at.set(name, edit);
    this.#tidy(key, memory);
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
    const key = objectKeyText(object);
    const memory = this.#memories.get(key);
    const edit = memory?.at.get(name) ?? memory?.unseen ?? null;
    if (edit !== null) return edit.instead;
    const all = (): readonly string[] => [...listed(), ...(this.#elsewhere.get(key) ?? [])];
    return new Set(/* clause: restart-may-name-all */ all());
  }

  /** A plan waited for these names in place of this one, and some were published. */
  waited(name: DnsName, { object, instead }: RenamedObject, published: readonly DnsName[]): void {
    const memory = this.#memoryOf(objectKeyText(object));
    const seen = memory.at.get(name);
    if (seen === undefined) memory.unseen ??= { instead: new Set(instead) };
    for (const one of published) (seen ?? memory.unseen)?.instead.delete(one);
  }

  /** No record of the object is at the name. */
  cleared(name: DnsName, object: ObjectKey): void {
    const key = objectKeyText(object);
    const memory = this.#memories.get(key);
    if (memory?.at.delete(name) === true) this.#tidy(key, memory);
  }

  /** The object is gone. */
  forget(object: ObjectKey): void {
    const key = objectKeyText(object);
    for (const memory of [this.#memories, this.#complete, this.#elsewhere]) memory.delete(key);
  }

  #memoryOf(key: string): Memory {
    const memory = this.#memories.get(key) ?? { at: new Map(), unseen: null };
    this.#memories.set(key, memory);
    return memory;
  }

  #tidy(key: string, { at, unseen }: Memory): void {
    if (at.size === 0 && unseen === null) this.#memories.delete(key);
  }
}

/** Of what was taken instead, something is taken off in turn: what comes for it counts. */
function follow({ instead }: Edit, dropped: readonly string[], taken: readonly string[]): void {
  const gone = dropped.filter((name) => instead.delete(name));
  // clause: former-name-is-followed
  if (gone.length > 0) for (const name of taken) instead.add(name);
}

/** What a living object lists that its source reads; null = it does not live, or none reads it. */
export function observedNames(
  { resource }: ObjectMark,
  observation: ObjectObservation,
): RenamedObject | null {
  const found = observation.flatMap((one) =>
    one.state === "alive" && one.found !== null ? [{ ...one.found, cluster: one.cluster }] : [],
  );
  const object = objectKeyOf(resource, found[0]?.cluster ?? null);
  if (object === null || found.length === 0) return null;
  const names = found.flatMap(({ items, waiting }) => [...items, ...waiting]);
  return { object, instead: new Set(names.map(({ name }) => name)), isFollowed: false };
}
