/**
 * Entries of names that their object lists no more, where new ones come in the same reconcile: they
 * note the new names before they are deleted. So their records stay until those are published
 * (Z-32), also where the process dies in between, and where other controllers serve them. Pure.
 */

import { RENAMED_TO_ANNOTATION } from "../../model/annotation-keys.ts";
import { compareText } from "../../model/dns-name.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { fieldsOf, textOf } from "../../model/object-fields.ts";

/** A patch for each entry that does not name all of the new ones yet. */
export function renamePatches(
  removed: readonly KubeObject[],
  created: readonly KubeObject[],
): readonly { readonly entry: KubeObject; readonly patch: Readonly<Record<string, unknown>> }[] {
  const names = created.map(({ spec }) => nameIn(spec));
  return removed.flatMap((entry) => {
    const noted = renamedTo(entry);
    const all = [...new Set([...noted, ...names])].sort(compareText);
    if (all.length === noted.length) return [];
    const annotations = { [RENAMED_TO_ANNOTATION]: all.join(",") };
    return [{ entry, patch: { metadata: { annotations } } }];
  });
}

/** Entries that come instead and are not decided about yet: no zone may know them (Z-19). */
export function awaitsNames(entry: KubeObject, own: readonly KubeObject[]): boolean {
  const names = renamedTo(entry);
  const isUndecided = ({ metadata, spec, status }: KubeObject): boolean => {
    const state = textOf(fieldsOf(status)["state"]) ?? "";
    const isAlive = metadata.deletionTimestamp === undefined;
    return isAlive && (state === "" || state === "Pending") && names.includes(nameIn(spec));
  };
  return own.some(isUndecided);
}

/** One of these entries of an object has a note: it may wait for the state of another one. */
export function isRenaming(own: readonly KubeObject[]): boolean {
  return own.some((entry) => renamedTo(entry).length > 0);
}

/** The note goes where the object lists the name again; null = there is none. */
export function withoutNote(entry: KubeObject): Readonly<Record<string, null>> | null {
  return renamedTo(entry).length === 0 ? null : { [RENAMED_TO_ANNOTATION]: null };
}

function renamedTo({ metadata }: KubeObject): readonly string[] {
  return (metadata.annotations?.[RENAMED_TO_ANNOTATION] ?? "").split(",").filter(Boolean);
}

function nameIn(spec: unknown): string {
  return textOf(fieldsOf(spec)["dnsName"]) ?? "";
}
