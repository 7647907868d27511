/**
 * Whose each record of a simulated zone is, read by its own small rules and not by the product's
 * code, so that a fault of the product's reader cannot hide itself: typed external-dns names and
 * the `_owner.<type>.` form.
 */
import type { RecordSet } from "../../../src/model/record-set.ts";

/** A record set with the owner that its marker states; null = no owner. */
export interface Claimed {
  readonly set: RecordSet;
  readonly owner: string | null;
  /** Object in the marker of `owner`, else in that of `changedBy`. */
  readonly resource: string | null;
  /** Cluster of the object of `owner`; null = its marker names none. */
  readonly cluster: string | null;
  readonly isMarker: boolean;
  /**
   * Owner of a marker that speaks of a change under way and not for this data (Z-10); null = there
   * is none.
   */
  readonly changedBy: string | null;
}

const TYPES = ["a", "aaaa", "cname", "txt"] as const;

/**
 * Every record set with its claim, but for fences and proofs of ways, which claim nothing. Markers
 * carry the owner they state.
 */
export function claimsOf(all: readonly RecordSet[]): readonly Claimed[] {
  const sets = all.filter((set) => !isFence(set) && !isWayProof(set));
  const markers = new Map<string, MarkerClaim>();
  for (const set of sets) {
    const stated = claimOf(set);
    if (stated !== null) markers.set(set.name, stated);
  }
  return sets.map((set) => {
    const stated = claimOf(set);
    if (stated !== null)
      return {
        set,
        owner: stated.owner,
        resource: stated.resource,
        cluster: stated.cluster,
        isMarker: true,
        changedBy: null,
      };
    const found = markerNames(set).flatMap((name) => markers.get(name) ?? []);
    const marker = found.find((m) => !(m.pending && isHandMade(set)));
    return {
      set,
      owner: marker?.owner ?? null,
      resource: (marker ?? found[0])?.resource ?? null,
      cluster: marker?.cluster ?? null,
      isMarker: false,
      changedBy: marker === undefined ? (found[0]?.owner ?? null) : null,
    };
  });
}

/** Z-17: the program's own record about who may write. */
export function isFence({ name, type }: RecordSet): boolean {
  return type === "TXT" && isOfFences(name) && !name.startsWith("_way-");
}

/** Z-18: what proves that two ways lead into the zone; it is not there for long. */
export function isWayProof({ name, type }: RecordSet): boolean {
  return type === "TXT" && name.startsWith("_way-") && isOfFences(name);
}

/** A name that the program has for itself, and nobody guesses. */
export function isOfFences(name: string): boolean {
  return name.includes("._zonekeeper-fence.");
}

/** S13: what a person adds to a marker's record set. */
export const FOREIGN_VALUE = '"v=verify by hand"';

/** At the end of the owner id that an instance has besides its own while a DNSOwner says so. */
const FURTHER = "-shop";

/** That id. */
export const furtherIdOf = (owner: string): string => `${owner}${FURTHER}`;

/** Whether it is one. */
export const isFurtherId = (ownerId: string): boolean => ownerId.endsWith(FURTHER);

/** What a marker says. */
export interface MarkerClaim {
  /** As it is written. */
  readonly ownerId: string;
  /** Of the instance whose id it is. */
  readonly owner: string;
  readonly resource: string | null;
  readonly cluster: string | null;
  /**
   * True = in the middle of a sequence: the marker covers only what its owner writes (Z-10).
   */
  readonly pending: boolean;
}

/** True for data that foreign-writers.ts writes: no owner of ours ever wants it. */
export function isHandMade({ values }: RecordSet): boolean {
  return values.some((value) => value.startsWith("198.51.100.") || value === '"by hand"');
}

/** Z-27: true for data of a stranger and of somebody else in one record set. */
export function isMixed(set: RecordSet): boolean {
  const isOwn = (value: string): boolean => !isHandMade({ ...set, values: [value] });
  return isHandMade(set) && set.values.some(isOwn);
}

/** What a marker says, or null for any other record. */
export function claimOf(set: RecordSet): MarkerClaim | null {
  const texts = set.type === "TXT" ? set.values.filter((value) => value !== FOREIGN_VALUE) : [];
  const text = texts.length === 1 ? (texts[0] ?? "") : "";
  if (!text.startsWith('"heritage=external-dns,')) return null;
  const ownerId = /external-dns\/owner=([^,"]*)/.exec(text)?.[1];
  const resource = /external-dns\/resource=([^,"]*)/.exec(text)?.[1] ?? null;
  const cluster = /external-dns\/cluster=([^,"]*)/.exec(text)?.[1] ?? null;
  const pending = text.includes("external-dns/state=pending");
  if (ownerId === undefined) return null;
  const owner = isFurtherId(ownerId) ? ownerId.slice(0, -FURTHER.length) : ownerId;
  return { ownerId, owner, resource, cluster, pending };
}

/** The names at which a marker of this record set may stand. */
export function markerNames(set: RecordSet): readonly string[] {
  const type = set.type.toLowerCase();
  if (!TYPES.some((known) => known === type)) return [];
  const shown = set.name.startsWith("*.") ? `_wildcard${set.name.slice(1)}` : set.name;
  return [`${type}-${set.name}`, `_owner.${type}.${shown}`];
}

/** Parts of the name of a marker. */
export const MARKER_NAME = /^(?:(a|aaaa|cname|txt)-|_owner\.(a|aaaa|cname|txt)\.)(.*)$/;

/**
 * Names that a record or a marker may be about: its own, and the one that a marker name stands for.
 */
export function namesAbout(name: string): readonly string[] {
  const marked = MARKER_NAME.exec(name)?.[3];
  return marked === undefined ? [name] : [name, marked.replace(/^_wildcard\./, "*.")];
}

/** Name and type of a record set. */
export function keyText({ name, type }: Pick<RecordSet, "name" | "type">): string {
  return `${name} ${type}`;
}

/** A text that is equal for equal content. */
export function contentText(set: RecordSet): string {
  return `${set.name} ${set.ttlSeconds} ${set.type} ${[...set.values].sort().join(" | ")}`;
}
