/**
 * S5 by rules of our own (Z-16): how many owned record sets may go in an hour before a person has
 * said yes, and how many of them on a weak proof. Counts what left the zone, not what the fuse says
 * of itself.
 */
import type { RecordSet } from "../../../src/model/record-set.ts";
import { type Claimed, claimsOf } from "../world/zone-truth.ts";
import { Violation } from "./checks.ts";

const HOUR_MS = 3_600_000;
/** Z-16. */
const SHARE = 0.1;
const WEAK_SHARE = 0.01;
const WEAK_MOST = 3;
/** Removals of a namespace that pass in any case, while few namespaces remove. */
const FREE = 3;
/** A process counts its zone once a minute. */
const SAMPLE_MS = 60_000;

/** One write by a process of an owner. */
export interface OwnedWrite {
  readonly owner: string;
  readonly before: readonly RecordSet[];
  readonly after: readonly RecordSet[];
  readonly atMs: number;
  /** `name type` of what only makes room for another type: that is an update (Z-16). */
  readonly replaced: ReadonlySet<string>;
  /** `name type` of what was sent as removed because the object's end or change was watched. */
  readonly strong: ReadonlySet<string>;
  /** `name type` of what was last sent as wanted. */
  readonly wanted: ReadonlySet<string>;
  /** Names that a living object lists now, with something to put there. */
  readonly listedBy: (resource: string) => readonly string[];
  /**
   * Whether the object in a marker was ever deleted, or lives without the name: else no proof is a
   * strong one.
   */
  readonly isIntended: (resource: string, name: string) => boolean;
}

interface Removal {
  /** Name, type and the object in the marker: one that comes and goes again is one (Z-16). */
  readonly id: string;
  readonly atMs: number;
  readonly isWeak: boolean;
}

/** What is known of one owner. */
interface Ledger {
  readonly owned: readonly { readonly atMs: number; readonly sets: number }[];
  /** Those that nobody had approved. */
  readonly removals: readonly Removal[];
}

/** One zone's removals of one owner each. */
export class RemovalBudget {
  /** Z-16's most strongly proven removals of a small zone; null = without the fuse. */
  readonly #fuseMin: number | null;
  readonly #ledgers = new Map<string, Ledger>();
  /**
   * By owner: ids of removals that a person approved, for as long as the name has records of ours
   * under that marker (Z-16).
   */
  readonly #approved = new Map<string, Set<string>>();
  /** How often a limit was all but reached; a run without is no proof. */
  readonly reached = { weak: 0, all: 0 };

  constructor(fuseMin: number | null) {
    this.#fuseMin = fuseMin;
  }

  /** Whether anything is limited at all. */
  get isLimited(): boolean {
    return this.#fuseMin !== null;
  }

  /** A person lets the removals of one held set pass (`name type`), each as the zone has it now. */
  approved(owner: string, keys: readonly string[], sets: readonly RecordSet[]): void {
    const there = dataOf(sets, owner).filter(({ set: { name, type } }) =>
      keys.includes(`${name} ${type}`),
    );
    this.#approved.set(owner, new Set([...(this.#approved.get(owner) ?? []), ...there.map(idOf)]));
    const ledger = this.#ledgers.get(owner);
    if (ledger === undefined) return;
    // What the namespaces had removed before was the beginning of the same removal (ADR 0064).
    const namespaces = new Set(there.map((one) => namespaceOf({ id: idOf(one) })));
    const removals = ledger.removals.filter((one) => !namespaces.has(namespaceOf(one)));
    this.#ledgers.set(owner, { ...ledger, removals });
  }

  /** Throws a violation when more is gone than may go. */
  wrote(write: OwnedWrite): void {
    if (this.#fuseMin === null) return;
    const { owner, before, after, atMs } = write;
    const was = dataOf(before, owner);
    const left = dataOf(after, owner);
    const fresh = this.#unapproved(write, goneOf(was, write));
    this.#useUp(owner, left);
    const ledger = this.#ledgers.get(owner) ?? { owned: [], removals: [] };
    const startMs = atMs - HOUR_MS;
    const isRecent = (one: { readonly atMs: number }): boolean => one.atMs > startMs;
    const owned = [...ledger.owned, { atMs, sets: was.length }].filter(
      (one) => one.atMs > startMs - 2 * SAMPLE_MS,
    );
    const again = new Set(fresh.map(({ id }) => id));
    const earlier = ledger.removals.filter((one) => isRecent(one) && !again.has(one.id));
    const removals = [...earlier, ...fresh];
    this.#ledgers.set(owner, { owned, removals });
    const first = owned.findIndex(isRecent);
    this.#judge(removals, Math.max(...owned.slice(0, first + 1).map(({ sets }) => sets)));
    if (left.length === 0 && fresh.some(({ isWeak }) => isWeak) && !isMaking(write, was))
      throw new Violation(`S5: the last owned name is gone on a weak proof: ${textOf(fresh)}`);
  }

  #unapproved({ owner, strong, isIntended, atMs }: OwnedWrite, gone: readonly Claimed[]) {
    const approved = this.#approved.get(owner) ?? new Set();
    return gone
      .filter((claim) => !approved.has(idOf(claim)))
      .map((claim): Removal => {
        const { set, resource } = claim;
        const isStrong =
          strong.has(`${set.name} ${set.type}`) && isIntended(resource ?? "", set.name);
        return { id: idOf(claim), atMs, isWeak: !isStrong };
      });
  }

  /** An approval ends with what it was given for: what is made there later is asked for anew. */
  #useUp(owner: string, left: readonly Claimed[]): void {
    const names = new Set(left.map(({ set }) => set.name as string));
    const approved = [...(this.#approved.get(owner) ?? [])];
    this.#approved.set(owner, new Set(approved.filter((id) => names.has(id.split(" ")[0] ?? ""))));
  }

  #judge(all: readonly Removal[], base: number): void {
    const removals = withoutFree(all);
    const weak = removals.filter(({ isWeak }) => isWeak);
    const weakMost = Math.max(WEAK_MOST, Math.floor(WEAK_SHARE * base));
    const allMost = Math.max(this.#fuseMin ?? 0, Math.floor(SHARE * base), weakMost);
    if (weak.length > weakMost)
      throw new Violation(
        `S5: ${weak.length} record sets removed on weak proofs within an hour, ${weakMost} may go: ${textOf(weak)}`,
      );
    if (removals.length > allMost)
      throw new Violation(
        `S5: ${removals.length} record sets removed within an hour, ${allMost} may go: ${textOf(removals)}`,
      );
    if (weak.length === weakMost) this.reached.weak += 1;
    if (removals.length === allMost) this.reached.all += 1;
  }
}

/** Of the object in the marker; empty = it names none. */
function namespaceOf({ id }: Pick<Removal, "id">): string {
  return id.split(" ")[2]?.split("/")[1] ?? "";
}

/** Those of namespaces that lost more than what passes in any case. */
function withoutFree(removals: readonly Removal[]): readonly Removal[] {
  const counts = new Map<string, number>();
  for (const one of removals) counts.set(namespaceOf(one), (counts.get(namespaceOf(one)) ?? 0) + 1);
  return removals.filter((one) => (counts.get(namespaceOf(one)) ?? 0) > FREE);
}

/**
 * What left the zone and makes no room for another type. A record set that stands is not removed,
 * whatever its marker says now.
 */
function goneOf(was: readonly Claimed[], { after, replaced }: OwnedWrite): readonly Claimed[] {
  const is = new Set(after.map(({ name, type }) => `${name} ${type}`));
  return was.filter(({ set: { name, type } }) => {
    const key = `${name} ${type}`;
    return !is.has(key) && !replaced.has(key);
  });
}

/** What the same plan creates counts as owned: step by step the old one may go first. */
function isMaking({ before, wanted, listedBy }: OwnedWrite, was: readonly Claimed[]): boolean {
  const stood = new Set(was.map(({ set: { name, type } }) => `${name} ${type}`));
  if ([...wanted].some((key) => !stood.has(key))) return true;
  // An object gets another name: if one of the two names is the marker name of the other one, that
  // is a call of its own (Z-11).
  const data = claimsOf(before).filter(({ isMarker }) => !isMarker);
  const taken = new Set(data.map(({ set }) => set.name as string));
  return was
    .flatMap(({ resource }) => (resource === null ? [] : listedBy(resource)))
    .some((name) => !taken.has(name));
}

function idOf({ set: { name, type }, resource }: Claimed): string {
  return `${name} ${type} ${resource}`;
}

function textOf(removals: readonly Removal[]): string {
  return removals.map(({ id, isWeak }) => `${id}${isWeak ? " (weak)" : ""}`).join(", ");
}

/** Also data that a person changed, while the owner's marker says that a change is under way. */
function dataOf(sets: readonly RecordSet[], owner: string): readonly Claimed[] {
  return claimsOf(sets).filter(
    (claim) => (claim.owner ?? claim.changedBy) === owner && !claim.isMarker,
  );
}
