/**
 * S5 by rules of our own: how many owned record sets may go in an hour before a person has said yes. Counts what left
 * the zone, not what the fuse says of itself.
 */
import type { RecordSet } from "../../src/model/record-set.ts";
import { Violation } from "./checks.ts";
import { claimsOf } from "./zone-truth.ts";

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
}

interface Seen {
  readonly atMs: number;
  readonly owned: number;
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
  wrote({ owner, before, after, atMs }: OwnedWrite): void {
    if (this.#fuseMin === null) return;
    const was = dataOf(before, owner);
    const names = new Set(after.map(({ name }) => name));
    const is = new Set(dataOf(after, owner).map(({ name, type }) => `${name} ${type}`));
    // What is replaced by another type at its name is an update (Z-16).
    const removed = was
      .filter(({ name, type }) => !is.has(`${name} ${type}`) && !names.has(name))
      .map(({ name, type }) => `${name} ${type}`);
    const seen = [...(this.#seen.get(owner) ?? []), { atMs, owned: was.length, removed }];
    const recent = seen.filter((one) => one.atMs > atMs - HOUR_MS);
    this.#seen.set(owner, recent);
    const most = Math.max(...recent.map(({ owned }) => owned));
    const limit = Math.max(this.#fuseMin, WEAK_MOST, Math.floor(SHARE * most));
    const gone = recent.reduce((sum, one) => sum + one.removed.length, 0);
    const allowed = limit + (this.#approved.get(owner) ?? 0);
    if (gone > allowed)
      throw new Violation(`S5: ${gone} record sets removed within an hour, ${allowed} may go`);
  }
}

function dataOf(sets: readonly RecordSet[], owner: string): readonly RecordSet[] {
  return claimsOf(sets)
    .filter((claim) => claim.owner === owner && !claim.isMarker)
    .map(({ set }) => set);
}
