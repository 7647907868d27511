/**
 * S1 and S2 where a back end compares nothing, and adds what it is told to what is there (Z-27):
 * there a record set may have values of several writers, so each value is somebody's.
 */
import type { RecordSet } from "../../../src/model/record-set.ts";
import {
  claimOf,
  claimsOf,
  isFence,
  isHandMade,
  isWayProof,
  keyText,
  markerNames,
} from "../world/zone-truth.ts";
import { Violation } from "./checks.ts";

/** Z-27: when all trouble is over no record set has markers of two owners. */
export function checkRacesEnded(sets: readonly RecordSet[]): void {
  for (const set of sets) {
    const owners = new Set(
      set.values.flatMap((value) => claimOf({ ...set, values: [value] })?.owner ?? []),
    );
    if (owners.size > 1)
      throw new Violation(`Z-27: ${keyText(set)} has markers of ${[...owners].join(" and ")}`);
  }
}

/** Who has written each value that is there; a value that nobody of ours wrote is foreign. */
export class ValueWriters {
  readonly #owners = new Map<string, string>();

  /**
   * Somebody else changed the zone: what is new there is foreign, unless it comes with a marker of
   * an owner, as what was there before the story.
   */
  foreign(before: readonly RecordSet[], after: readonly RecordSet[]): void {
    const had = valuesOf(before);
    const claimed = new Map(claimsOf(after).map((claim) => [keyText(claim.set), claim.owner]));
    for (const [text, set] of valuesOf(after)) {
      if (had.has(text)) continue;
      const owner = isHandMade(set) ? null : (claimed.get(keyText(set)) ?? null);
      if (owner === null) this.#owners.delete(text);
      else this.#owners.set(text, owner);
    }
  }

  /** A process of this owner changed the zone. Throws a violation. */
  wrote(before: readonly RecordSet[], after: readonly RecordSet[], owner: string): void {
    const [had, has] = [valuesOf(before), valuesOf(after)];
    const claimed = new Map(claimsOf(before).map((claim) => [keyText(claim.set), claim.owner]));
    for (const [text, set] of had) {
      if (has.has(text) || this.#isOf(text, set, owner)) continue;
      // Of two owners with equal data the one that stays has it.
      if (this.#owners.has(text) && claimed.get(keyText(set)) === owner) continue;
      throw new Violation(`S1: foreign ${text} was removed by ${owner}`);
    }
    const marked = markedBy(after, owner);
    for (const [text, set] of has) {
      if (had.has(text)) continue;
      this.#owners.set(text, owner);
      if (ownerOf(set, text) !== null || isMarkedIn(marked, set)) continue;
      throw new Violation(`S2: ${text} was written without a marker of ${owner}`);
    }
  }

  /** What a process wrote, and markers that state its owner. */
  #isOf(text: string, set: RecordSet, owner: string): boolean {
    return ownerOf(set, text) === owner || this.#owners.get(text) === owner;
  }
}

function valuesOf(sets: readonly RecordSet[]): ReadonlyMap<string, RecordSet> {
  const data = sets.filter((set) => set.type !== "SOA" && !isFence(set) && !isWayProof(set));
  return new Map(
    data.flatMap((set) => set.values.map((value) => [`${keyText(set)} ${value}`, set] as const)),
  );
}

/** The owner that a text states as a marker; null = it is none. */
function ownerOf(set: RecordSet, text: string): string | null {
  const value = text.slice(keyText(set).length + 1);
  return claimOf({ ...set, values: [value] })?.owner ?? null;
}

/** Names at which a marker of the owner is. */
function markedBy(sets: readonly RecordSet[], owner: string): ReadonlySet<string> {
  const isMarked = (set: RecordSet): boolean =>
    set.values.some((value) => claimOf({ ...set, values: [value] })?.owner === owner);
  return new Set(sets.filter(isMarked).map(({ name }) => name));
}

function isMarkedIn(marked: ReadonlySet<string>, set: RecordSet): boolean {
  return markerNames(set).some((name) => marked.has(name));
}
