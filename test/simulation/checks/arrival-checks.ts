/**
 * Records that were there before us, by rules of our own: one whose object was never seen to list
 * the name stays as it is (Z-22), and on first contact so does all that no user has changed (Z-24).
 */
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { Truth } from "../world/truth.ts";
import { type Claimed, claimsOf, contentText, namesAbout } from "../world/zone-truth.ts";
import { Violation } from "./checks.ts";

/** What users of an installation made, and where. */
export interface ArrivalContext {
  readonly truth: Truth;
  readonly clusterId: string;
}

/** One write by a process of an owner. */
export interface ArrivalWrite extends ArrivalContext {
  readonly before: readonly RecordSet[];
  readonly after: readonly RecordSet[];
  readonly owner: string;
}

/** What stood there when an installation came. */
export class ArrivalWatch {
  /** Owners whose first plan no person has approved. */
  readonly #waiting = new Set<string>();

  /** An installation is about to begin. */
  begin(owner: string, sets: readonly RecordSet[], truth: Truth): void {
    this.#waiting.add(owner);
    truth.changed.clear();
    for (const { owner: its, set, resource, isMarker } of claimsOf(sets)) {
      if (its !== owner) continue;
      truth.arrived.add(contentText(set));
      if (resource !== null && !isMarker) truth.found(resource, set);
    }
  }

  /** A person approved what it holds. */
  approved(owner: string): void {
    this.#waiting.delete(owner);
  }

  /** Throws a violation; answers how many records were there that had to stay. */
  wrote(write: ArrivalWrite): number {
    const { before, after, owner } = write;
    const now = new Set(claimsOf(after).map(claimText));
    const own = claimsOf(before).filter((claim) => claim.owner === owner && !claim.isMarker);
    const unseen = own.filter((claim) => isUnseen(claim, write));
    const waiting = own.filter((claim) => this.#mustWait(claim, write));
    for (const [rule, claims] of Object.entries({ "Z-22": unseen, "Z-24": waiting }))
      for (const claim of claims)
        if (!now.has(claimText(claim)))
          throw new Violation(
            `${rule}: ${contentText(claim.set)} of ${claim.resource} was changed`,
          );
    return unseen.length + waiting.length;
  }

  /** Neither the object in the marker was changed, nor another one that has the name now. */
  #mustWait({ set, resource }: Claimed, { owner, truth, after }: ArrivalWrite): boolean {
    if (!this.#waiting.has(owner) || !truth.arrived.has(contentText(set))) return false;
    const next = claimsOf(after).filter((claim) => !claim.isMarker && claim.set.name === set.name);
    const publishers = [resource, ...next.map((claim) => claim.resource)];
    return !publishers.some((publisher) => truth.changed.has(`${publisher} ${set.name}`));
  }
}

/** No object of this cluster, of the name in the marker, has ever listed the record's name. */
function isUnseen(claim: Claimed, { truth, clusterId }: ArrivalContext): boolean {
  const { resource, cluster } = claim;
  if (resource === null) return false;
  if (cluster !== null && cluster !== clusterId) return true;
  return !namesOf(claim).some((name) => truth.hasListed(resource, name));
}

/** Names that the record may be about: a marker's name says what it labels. */
function namesOf({ set, isMarker }: Claimed): readonly string[] {
  return isMarker ? namesAbout(set.name) : [set.name];
}

/**
 * Z-22: it may be that no process has seen its object list the name, so that it stays: what was
 * listed may have been so while none lived.
 */
export function isOrphan(claim: Claimed, context: ArrivalContext): boolean {
  const { truth } = context;
  const listed = truth.get(claim.resource ?? "")?.names ?? [];
  const isListed = namesOf(claim).some((name) => listed.includes(name));
  const hasArrived = truth.arrived.has(contentText(claim.set));
  return isUnseen(claim, context) || (hasArrived && !isListed);
}

/** A record and the object that its marker names, wherever that stands. */
function claimText({ set, owner, resource, cluster }: Claimed): string {
  return [contentText(set), owner, resource, cluster].join(" ");
}
