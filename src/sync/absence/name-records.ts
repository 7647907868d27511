/**
 * A memory for each object and name, over all zones: whether the object lists it, and how it is
 * known that it does so no longer (Z-2). Remembers; decides nothing.
 *
 *   listed, waits   by its last contribution, live or last known (name-listings.ts)
 *     │  a contribution without the name      │  its end, seen or found
 *   dropped                                 gone
 *     │  a contribution with the name: listed, or waits
 *     │  a plan of the name, and no record of the object there in any zone: forgotten
 *
 * What is dropped or gone is a tombstone: bounded by the names at which records of such objects are
 * known or expected. What came in place of a dropped name is in former-names.ts.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { fingerprint64 } from "../../model/fingerprint.ts";
import { DNS_ENTRY, markerKindOf } from "../../model/kinds.ts";
import {
  isMarkOf,
  isSameObject,
  type ObjectKey,
  type ObjectMark,
  objectKeyText,
  type Provenance,
} from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { AbsenceProof, OwnedRecordSet } from "../../plan/changes.ts";
import { bodyText } from "../cache/columns/zone-texts.ts";
import { namesOf } from "../cache/desired-index.ts";
import type { Contribution } from "../contract/contribution.ts";
import { FormerNames } from "./former-names.ts";
import { AbsenceEntries, type AbsenceEntry } from "./name-listings.ts";

/** An object, and what markers of its records name. */
export interface Contributor {
  readonly object: ObjectKey;
  /** The object itself, or the one that it was made from. */
  readonly provenance: Provenance;
}

/** An object that listed a name before: the last one for its provenance. */
export interface Tombstone extends Contributor {
  readonly proof: AbsenceProof;
}

/** Proofs that an object is gone; with the others (dropped) it still exists. */
export const GONE: ReadonlySet<AbsenceProof> = new Set([
  "deleted-object",
  "found-deleting",
  "missing-from-list",
]);

/** The memory of all objects and names. */
export class NameRecords {
  readonly listings = new AbsenceEntries();
  readonly former = new FormerNames();
  /** By name and provenance: an object of that name in another cluster has its own (Z-3). */
  readonly #tombstones = new Map<string, Map<string, Tombstone>>();
  /** How often an object contributed that was not known, in whatever zone; only ever grows. */
  arrivals = 0;

  /**
   * Notes what an object lists now. An incomplete contribution keeps what it listed before (Z-1).
   * Answers the names that it lists no more: they may have waited for it in any zone.
   */
  contributed(contribution: Contribution): readonly DnsName[] {
    const { object, generation, deleting, found } = contribution;
    const { items, succeeds = [] } = found;
    const before = this.listings.of(object);
    if (before === null) this.arrivals += 1;
    const known = before === null ? [] : this.listings.namesOf(before);
    const names = new Map([...this.#elsewhere(contribution), ...listedNames(contribution, known)]);
    const provenance = provenanceOf(contribution, before);
    // clause: incomplete-proves-nothing
    const isComplete = deleting || found.complete;
    const { print = printOf(contribution) } = contribution;
    const now = { object, provenance, isComplete, generation, print };
    this.listings.put({ ...now, names, hasChanged: before !== null && isChanged(before, now) });
    if (isItself(now)) this.former.edited({ contribution, before: known, now: names.keys() });
    for (const name of names.keys()) this.#tombstones.get(name)?.delete(objectKeyText(provenance));
    const proof = proofOfDrop(contribution, provenance, before);
    const unlisted = known.filter((name) => !names.has(name));
    for (const name of unlisted) this.#put(name, { object, provenance, proof });
    // An object that was copied from others takes over their names as soon as it lists them.
    for (const original of succeeds) {
      for (const { name } of items)
        this.#put(name, { object, provenance: original, proof: "object-omits-name" });
      this.#forget(original);
    }
    if (deleting) unlisted.push(...this.#foundDeleting(contribution, provenance));
    return unlisted.map(trustedDnsName);
  }

  /** Names that the object lists in other zones, each with why it waits there, or null. */
  #elsewhere({
    object,
    deleting,
    elsewhere = [],
  }: Contribution): ReadonlyMap<string, string | null> {
    const waitOf = (name: string): string | null =>
      this.listings.listing(name).find(({ entry }) => isSameObject(entry.object, object))
        ?.waitsFor ?? null;
    return new Map(deleting ? [] : elsewhere.map((name) => [name, waitOf(name)]));
  }

  /** Notes names of an object that was already being deleted when this process first saw it. */
  #foundDeleting(contribution: Contribution, provenance: Provenance): readonly string[] {
    const { object } = contribution;
    const isSeen = (name: string) =>
      this.#atName(name).get(objectKeyText(provenance))?.proof === "deleted-object";
    const names = namesOf(contribution).filter((name) => !isSeen(name));
    for (const name of names) this.#put(name, { object, provenance, proof: "found-deleting" });
    return names;
  }

  /** The object is gone for good. */
  withdrawn(object: ObjectKey, proof: AbsenceProof): void {
    const before = this.listings.of(object);
    if (before === null) return;
    const { provenance } = before;
    for (const name of this.listings.namesOf(before))
      this.#put(name, { object, provenance, proof });
    this.#forget(object);
  }

  /** Forgets, and answers, tombstones at the name whose object marks none of these record sets. */
  settled(name: DnsName, owned: readonly OwnedRecordSet[]): readonly Tombstone[] {
    const settled = this.tombstonesAt(name).filter(
      ({ provenance }) => !owned.some(({ marker }) => isMarkOf(marker, provenance)),
    );
    for (const { object, provenance } of settled) {
      this.#atName(name).delete(objectKeyText(provenance));
      this.former.cleared(name, object);
    }
    if (this.#atName(name).size === 0) this.#tombstones.delete(name);
    return settled;
  }

  /** Objects that listed the name and do so no longer: dropped or gone. */
  tombstonesAt(name: string): readonly Tombstone[] {
    return [...this.#atName(name).values()];
  }

  /** The tombstone of the object in a marker; null = that one is neither dropped nor gone. */
  tombstoneOf(name: string, mark: ObjectMark): Tombstone | null {
    return this.tombstonesAt(name).find(({ provenance }) => isMarkOf(mark, provenance)) ?? null;
  }

  /** The object in a marker, in each cluster where it was seen to list the name. */
  seen(name: string, mark: ObjectMark): readonly Provenance[] {
    const listing = this.listings.listing(name).map(({ entry }) => entry);
    return [...listing, ...this.tombstonesAt(name)]
      .map(({ provenance }) => provenance)
      .filter((provenance) => isMarkOf(mark, provenance));
  }

  /**
   * The object asks for something else than when this process first read it: what it asks for now
   * is an intent of its author (Z-24).
   */
  hasChanged({ name, provenance }: DesiredRecordSet): boolean {
    return this.listings
      .listing(name)
      .some(({ entry }) => entry.hasChanged && isSameObject(entry.provenance, provenance));
  }

  #put(name: string, tombstone: Tombstone): void {
    const atName = this.#atName(name);
    // clause: each-cluster-has-its-end
    this.#tombstones.set(name, atName.set(objectKeyText(tombstone.provenance), tombstone));
  }

  #atName(name: string): Map<string, Tombstone> {
    return this.#tombstones.get(name) ?? new Map<string, Tombstone>();
  }

  #forget(object: ObjectKey): void {
    this.listings.remove(object);
    this.former.forget(object);
  }
}

/** True when the contributor is the object that markers name, not one that was made from it. */
export function isItself({ object, provenance }: Contributor): boolean {
  return isSameObject(object, provenance);
}

/** True for a copy: made from an object of its own kind, in whose place it is asked for. */
export function isOfCopy({ object, provenance }: Contributor): boolean {
  return !isItself({ object, provenance }) && object.kind === provenance.kind;
}

/** Names with the reason each waits for; an incomplete contribution keeps those known before. */
function listedNames(
  { deleting, found }: Contribution,
  known: readonly string[],
): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>();
  if (deleting) return names;
  // clause: last-known-names-are-listed
  if (!found.complete) for (const name of known) names.set(name, "SourceIncomplete");
  // clause: waiting-names-are-listed
  for (const wait of found.waiting) names.set(wait.name, wait.reason);
  for (const item of found.items) names.set(item.name, null);
  return names;
}

/**
 * The provenance that markers of a contribution name: that of its items, else what it was, else the
 * object.
 */
function provenanceOf({ object, found }: Contribution, before: AbsenceEntry | null): Provenance {
  const { items, waiting } = found;
  return items[0]?.provenance ?? waiting[0]?.provenance ?? before?.provenance ?? object;
}

/**
 * The proof that a contribution without a name gives. Strong (`object-dropped-name`) only where a
 * new generation of the object was watched, so that its author changed it; an object that was made
 * from another one is changed by us, so that its change is no such proof.
 */
function proofOfDrop(
  { object, deleting, found, generation }: Contribution,
  provenance: Provenance,
  before: AbsenceEntry | null,
): AbsenceProof {
  if (deleting) return "deleted-object";
  const isWatched = before !== null && found.complete && generation >>> 0 !== before.generation;
  return isWatched && isItself({ object, provenance })
    ? "object-dropped-name"
    : "object-omits-name";
}

/** A fingerprint of a contribution, independent of the order of its properties. */
export function printOf({ found }: Pick<Contribution, "found">): string {
  const { items, waiting, problems, complete } = found;
  const sets = items.map((item) => [
    ...[item.name, item.type, item.setIdentifier, item.ttlSeconds, bodyText(item)],
    ...[objectKeyText(item.provenance), item.owner, item.createdAtMs],
  ]);
  return fingerprint64(JSON.stringify([sets, waiting, problems, complete]));
}

const ENTRY_KIND = markerKindOf(DNS_ENTRY);

/**
 * True when the object asks for something else than its first complete contribution of this
 * process. Of a DNSEntry only the spec counts: what its DNSProvider or a look-up adds is no intent
 * of its author.
 */
function isChanged(
  before: AbsenceEntry,
  { isComplete, print, generation }: Pick<AbsenceEntry, "isComplete" | "print" | "generation">,
): boolean {
  if (before.hasChanged || !before.isComplete || !isComplete) return before.hasChanged;
  const isSameSpec = before.object.kind === ENTRY_KIND && generation >>> 0 === before.generation;
  return before.print !== print && !isSameSpec;
}
