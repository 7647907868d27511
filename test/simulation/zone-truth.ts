/**
 * Whose each record of a simulated zone is, read by its own small rules and not by the product's code, so that a
 * fault of the product's reader cannot hide itself: typed external-dns names and the `_owner.<type>.` form.
 */
import type { RecordSet } from "../../src/model/record-set.ts";

/** A record set with the owner that its marker states; null = nobody's. */
export interface Claimed {
  readonly set: RecordSet;
  readonly owner: string | null;
  readonly resource: string | null;
  readonly isMarker: boolean;
}

const TYPES = ["a", "aaaa", "cname", "txt"] as const;

/** Every record set with its claim. Markers carry the owner they state. */
export function claimsOf(sets: readonly RecordSet[]): readonly Claimed[] {
  const markers = new Map<string, { owner: string; resource: string | null }>();
  for (const set of sets) {
    const stated = statementOf(set);
    if (stated !== null) markers.set(set.name, stated);
  }
  return sets.map((set) => {
    const stated = statementOf(set);
    if (stated !== null) return { set, ...stated, isMarker: true };
    const marker = markerNames(set)
      .map((name) => markers.get(name))
      .find((m) => m !== undefined);
    return {
      set,
      owner: marker?.owner ?? null,
      resource: marker?.resource ?? null,
      isMarker: false,
    };
  });
}

/** What a marker says, or null for any other record. */
export function statementOf(set: RecordSet): { owner: string; resource: string | null } | null {
  const text = set.type === "TXT" && set.values.length === 1 ? (set.values[0] ?? "") : "";
  if (!text.startsWith('"heritage=external-dns,')) return null;
  const owner = /external-dns\/owner=([^,"]*)/.exec(text)?.[1];
  const resource = /external-dns\/resource=([^,"]*)/.exec(text)?.[1] ?? null;
  return owner === undefined ? null : { owner, resource };
}

/** The names at which a marker of this record set may stand. */
export function markerNames(set: RecordSet): readonly string[] {
  const type = set.type.toLowerCase();
  if (!TYPES.some((known) => known === type)) return [];
  const shown = set.name.startsWith("*.") ? `_wildcard${set.name.slice(1)}` : set.name;
  return [`${type}-${set.name}`, `_owner.${type}.${shown}`];
}

/** A text that is equal for equal content. */
export function contentText(set: RecordSet): string {
  return `${set.name} ${set.ttlSeconds} ${set.type} ${[...set.values].sort().join(" | ")}`;
}
