/**
 * S5 by rules of our own: how many owned record sets may go in an hour before a person has said yes. Counts what left
 * the zone, not what the fuse says of itself.
 */
import type { RecordSet } from "../../src/model/record-set.ts";
import { Violation } from "./checks.ts";
import { type Claimed, claimsOf } from "./zone-truth.ts";

const HOUR_MS = 3_600_000;
/** Z-16. */
const SHARE = 0.3;
const WEAK_MOST = 3;

/** One write by a process of an owner. */
export interface OwnedWrite {
  readonly owner: string;
  readonly before: readonly RecordSet[];
  readonly after: readonly RecordSet[];
  readonly atMs: number;
  /** `name type` of what only makes room for another type: that is an update (Z-16). */
  readonly replaced: ReadonlySet<string>;
}

interface Seen {
  readonly atMs: number;
  readonly owned: number;
  /** Name, type and the object in the marker. */
  readonly removed: readonly string[];
}

/** One zone's removals of one owner each. */
export class RemovalBudget {
  readonly #fuseMin: number | null;
  readonly #seen = new Map<string, Seen[]>();
  /** By owner: how many removals a person has let pass. */
  readonly #approved = new Map<string, number>();

  constructor(fuseMin: number | null) {
    this.#fuseMin = fuseMin;
  }

  /** Whether anything is limited at all. */
  get isLimited(): boolean {
    return this.#fuseMin !== null;
  }

  /** A person lets so many more removals pass. */
  approved(owner: string, removals: number): void {
    this.#approved.set(owner, (this.#approved.get(owner) ?? 0) + removals);
  }

  /** Throws a violation when more is gone than may go. */
  wrote({ owner, before, after, atMs, replaced }: OwnedWrite): void {
    if (this.#fuseMin === null) return;
    const was = dataOf(before, owner);
    const is = new Set(dataOf(after, owner).map(({ set: { name, type } }) => `${name} ${type}`));
    const removed = was
      .filter(
        ({ set: { name, type } }) => !is.has(`${name} ${type}`) && !replaced.has(`${name} ${type}`),
      )
      .map(({ set: { name, type }, resource }) => `${name} ${type} ${resource}`);
    const seen = [...(this.#seen.get(owner) ?? []), { atMs, owned: was.length, removed }];
    const recent = seen.filter((one) => one.atMs > atMs - HOUR_MS);
    this.#seen.set(owner, recent);
    const most = Math.max(...recent.map(({ owned }) => owned));
    const limit = Math.max(this.#fuseMin, WEAK_MOST, Math.floor(SHARE * most));
    // One that comes and goes again with the same marker is one (Z-16).
    const gone = new Set(recent.flatMap((one) => one.removed)).size;
    const allowed = limit + (this.#approved.get(owner) ?? 0);
    if (gone > allowed)
      throw new Violation(`S5: ${gone} record sets removed within an hour, ${allowed} may go`);
  }
}

function dataOf(sets: readonly RecordSet[], owner: string): readonly Claimed[] {
  return claimsOf(sets).filter((claim) => claim.owner === owner && !claim.isMarker);
}
