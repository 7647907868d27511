/**
 * Notes of renamed entries. Where an edit of an object replaces names by others, the entries of the
 * former names note the new names in an annotation before the new entries are created, and are
 * deleted when these are Ready (Z-32). So the former record stays until then, also where the
 * process dies in between, and where other controllers publish the entries.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, namespacedName, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { RENAMED_TO_ANNOTATION } from "../../model/annotation-keys.ts";
import { isRenamed } from "../../model/generated-entries.ts";

/**
 * Prefix of a note that is not certain: a mistake may hide that the object still lists the entry's
 * name.
 */
const PERHAPS = "?";

/** Names that entries of an object noted, by the entry's `namespace/name`. */
export type NotedNames = ReadonlyMap<string, readonly string[]>;

/** The notes of entries of former names. */
export interface RenameFacts {
  /** New names of the object that have no entry yet. */
  readonly coming: readonly string[];
  /** Every name that the object lists. */
  readonly listed: readonly string[];
  /** Remembered notes, as somebody may have removed an annotation; absent = none. */
  readonly noted?: NotedNames | undefined;
  /** True = the object was read completely, so that it does not list the former names any more. */
  readonly isCertain: boolean;
}

/** A patch for each of these entries that does not note all of the new names yet. */
export function renamePatches(
  former: readonly KubeObject[],
  { coming, listed, noted, isCertain }: RenameFacts,
): readonly { readonly entry: KubeObject; readonly patch: Readonly<Record<string, unknown>> }[] {
  return former.flatMap((entry) => {
    // A note that cannot be read may mean any listed name.
    const own = [
      ...(renamedTo(entry) ?? /* clause: unreadable-note-names-all */ listed),
      ...(noted?.get(namespacedName(entry)) ?? []),
    ];
    const all = [...new Set([...own, ...coming])].sort(compareText);
    const note = `${isCertain ? "" : PERHAPS}${all.join(",")}`;
    if (all.length === 0 || note === noteOf(entry)) return [];
    return [{ entry, patch: { metadata: { annotations: { [RENAMED_TO_ANNOTATION]: note } } } }];
  });
}

/**
 * True = the entry must stay: it has a record, and one of the names that replace it, if the object
 * still lists that name, has no entry that is Ready.
 */
export function awaitsNames(
  entry: KubeObject,
  { wanted, own }: { readonly wanted: readonly string[]; readonly own: readonly KubeObject[] },
): boolean {
  if ((textsOf(fieldsOf(entry["status"])["targets"]) ?? []).length === 0) return false;
  const isReady = ({ metadata, status }: KubeObject): boolean =>
    metadata.deletionTimestamp === undefined && fieldsOf(status)["state"] === "Ready";
  const isPublished = (name: string): boolean =>
    own.some((one) => dnsNameOf(one) === name && isReady(one));
  const names = renamedTo(entry) ?? wanted;
  return names.some((name) => wanted.includes(name) && !isPublished(name));
}

/** True = one of the entries has a note, so that it may wait for the state of another one. */
export function isRenaming(own: readonly KubeObject[]): boolean {
  return own.some((entry) => noteOf(entry) !== null);
}

/**
 * The note that a copy of the entry gets, so that its name ends as the original's does; null =
 * none.
 */
export function noteOfCopy(original: KubeObject): string | null {
  // clause: certain-note-is-copied
  return isRenamed(original) ? /* clause: copy-withdraws-former-name */ noteOf(original) : null;
}

/** The names in the entry's note; empty = it has none; null = its note cannot be read. */
export function renamedTo(entry: KubeObject): readonly string[] | null {
  const note = noteOf(entry);
  if (note === null) return [];
  const items = note.replace(PERHAPS, "").split(",");
  const names = items
    .map((item) => parseDnsName(item.trim()))
    .flatMap((one) => (one.ok ? one.value : []));
  return names.length === items.length ? names : null;
}

function noteOf({ metadata }: KubeObject): string | null {
  return metadata.annotations?.[RENAMED_TO_ANNOTATION] ?? null;
}

/** `spec.dnsName` as it is written; empty when it is missing. */
export function dnsNameOf(entry: KubeObject): string {
  return textOf(fieldsOf(entry["spec"])["dnsName"]) ?? "";
}

/** Entries of an object, and what it lists. */
interface SeenEntries {
  readonly own: readonly KubeObject[];
  readonly found: { readonly items: readonly { readonly name: string }[] };
}

/**
 * Remembers the notes of entries whose name their object no longer lists. A person, or a tool that
 * prunes annotations, may remove a note while the entry waits; without it nobody could tell which
 * names to wait for. Memory only: after a restart the annotation itself counts. For the objects of
 * one source; bounded by their entries.
 */
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
