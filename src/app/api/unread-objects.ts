/**
 * Groups objects that list names for external-dns only, in annotations that this program does not
 * read: `plan` counts them, `explain` shows them. Pure.
 */
import type { NamedElsewhere } from "../../controllers/zone-choice/named-elsewhere.ts";

/** An object, with the first of its names that was asked for. */
export type UnreadObject = Pick<NamedElsewhere, "object" | "name" | "where">;

/** Objects of one source, in all clusters. */
export interface UnreadObjects extends Pick<NamedElsewhere, "source" | "kind"> {
  readonly count: number;
  /** The first UNREAD_SHOWN_MAX of them. */
  readonly objects: readonly UnreadObject[];
}

/** Objects that are shown of a source. */
const UNREAD_SHOWN_MAX = 20;

/** By source; a source without such objects is left out. */
export function unreadObjects(named: readonly NamedElsewhere[]): readonly UnreadObjects[] {
  const bySource = new Map<string, Map<string, NamedElsewhere>>();
  for (const one of named.filter(({ isRead }) => !isRead)) {
    const objects = bySource.get(one.source) ?? new Map<string, NamedElsewhere>();
    const id = `${one.cluster}|${one.object}`;
    if (!objects.has(id)) objects.set(id, one);
    bySource.set(one.source, objects);
  }
  return [...bySource].map(([source, objects]) => {
    const all = [...objects.values()];
    const shown = all.slice(0, UNREAD_SHOWN_MAX);
    return {
      source,
      kind: all[0]?.kind ?? "",
      count: all.length,
      objects: shown.map(({ object, name, where }) => ({ object, name, where })),
    };
  });
}
