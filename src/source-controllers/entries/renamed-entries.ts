/**
 * Entries of names that their object lists no more, where others come in the same edit: they note
 * the new names before those get entries, and are deleted when these are Ready (Z-32), also where
 * the process dies in between, and where other controllers serve them. Pure.
 */

import { isRenamed, RENAMED_TO_ANNOTATION } from "../../model/annotation-keys.ts";
import { compareText } from "../../model/dns-name.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { fieldsOf, textOf, textsOf } from "../../model/object-fields.ts";

/** Before the names: a mistake may hide that the object still lists the entry's name. */
const PERHAPS = "?";

/**
 * A patch for each of these entries that does not note all of the new names yet. `isCertain`: the
 * object was read completely, and lists their names no more.
 */
export function renamePatches(
  former: readonly KubeObject[],
  names: readonly string[],
  isCertain: boolean,
): readonly { readonly entry: KubeObject; readonly patch: Readonly<Record<string, unknown>> }[] {
  return former.flatMap((entry) => {
    const all = [...new Set([...renamedTo(entry), ...names])].sort(compareText);
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
  return renamedTo(entry).some((name) => wanted.includes(name) && !isPublished(name));
}

/** One of these entries of an object has a note: it may wait for the state of another one. */
export function isRenaming(own: readonly KubeObject[]): boolean {
  return own.some((entry) => renamedTo(entry).length > 0);
}

/**
 * The note of an entry whose name is listed: a copy has that of its original, so that it gives the
 * name up as well. Null = it has none.
 */
export function noteOfListed(original: KubeObject | null): string | null {
  return original !== null && isRenamed(original) ? noteOf(original) : null;
}

function renamedTo(entry: KubeObject): readonly string[] {
  return noteOf(entry).replace(PERHAPS, "").split(",").filter(Boolean);
}

function noteOf({ metadata }: KubeObject): string {
  return metadata.annotations?.[RENAMED_TO_ANNOTATION] ?? "";
}

/** `spec.dnsName` as it is written; empty when it is missing. */
export function dnsNameOf(entry: KubeObject): string {
  return textOf(fieldsOf(entry["spec"])["dnsName"]) ?? "";
}
