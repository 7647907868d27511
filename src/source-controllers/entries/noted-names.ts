/**
 * Remembers the notes of entries whose name their object no longer lists: a note is an annotation
 * that names the names that came instead, and the entry stays until these are published (Z-32). A
 * person, or a tool that prunes annotations, may remove a note before; without it nobody could tell
 * which names to wait for. Memory only: after a restart the annotation itself counts.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName } from "@zonekeeper/kube/objects/object-fields";
import { dnsNameOf, type NotedNames, renamedTo } from "./renamed-entries.ts";

/** Entries of an object, and what it lists. */
interface SeenEntries {
  readonly own: readonly KubeObject[];
  readonly found: { readonly items: readonly { readonly name: string }[] };
}

/** For the objects of one source; bounded by their entries. */
export class NotesSeen {
  readonly #byObject = new Map<string, NotedNames>();

  /**
   * Adds the present notes of the entries to the remembered ones, and answers all. An entry whose
   * name the object lists (again) is forgotten.
   */
  of(key: string, { own, found: { items } }: SeenEntries): NotedNames {
    const before = this.#byObject.get(key);
    const listed = new Set(items.map(({ name }) => name));
    const former = own.filter((entry) => !listed.has(dnsNameOf(entry)));
    const all = former.map((entry) => {
      const id = namespacedName(entry);
      const names = new Set([
        /* clause: note-is-written-again */ ...(before?.get(id) ?? []),
        ...(renamedTo(entry) ?? []),
      ]);
      return [id, [...names]] as const;
    });
    const noted = new Map(all.filter(([, names]) => names.length > 0));
    if (noted.size > 0) this.#byObject.set(key, noted);
    else this.#byObject.delete(key);
    return noted;
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#byObject.delete(key);
  }
}
