/**
 * Entries of names that their object lists no more, where others come in the same edit: they note
 * the new names before those get entries, and are deleted when these are Ready (Z-32), also where
 * the process dies in between, and where other controllers serve them. Pure.
 */

import { compareText } from "@zonekeeper/base/compare-text";
import { parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, namespacedName, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { isRenamed, RENAMED_TO_ANNOTATION } from "../../model/annotation-keys.ts";

/** Before the names: a mistake may hide that the object still lists the entry's name. */
const PERHAPS = "?";

/** Names that entries of an object noted, by the entry's `namespace/name`. */
export type NotedNames = ReadonlyMap<string, readonly string[]>;

/** What entries of former names note. */
export interface RenameFacts {
  /** Names that come now. */
  readonly coming: readonly string[];
  /** Every name that the object lists. */
  readonly listed: readonly string[];
  /** What they were seen to note: somebody may have taken it off; absent = nothing. */
  readonly noted?: NotedNames | undefined;
  /** The object was read completely, and lists their names no more. */
  readonly isCertain: boolean;
}

/** A patch for each of these entries that does not note all of the new names yet. */
export function renamePatches(
  former: readonly KubeObject[],
  { coming, listed, noted, isCertain }: RenameFacts,
): readonly { readonly entry: KubeObject; readonly patch: Readonly<Record<string, unknown>> }[] {
  return former.flatMap((entry) => {
    // What cannot be read may name any of them.
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
 * The entry has a record, and one of the names that come instead, as far as the object still wants
 * them, is not published: it has no entry that is Ready.
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

/** One of these entries of an object has a note: it may wait for the state of another one. */
export function isRenaming(own: readonly KubeObject[]): boolean {
  return own.some((entry) => noteOf(entry) !== null);
}

/** The note of a copy: it gives the name up as its original does. Null = it has none. */
export function noteOfCopy(original: KubeObject): string | null {
  // clause: certain-note-is-copied
  return isRenamed(original) ? /* clause: copy-withdraws-former-name */ noteOf(original) : null;
}

/** Empty = it has no note; null = it has one that cannot be read. */
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
