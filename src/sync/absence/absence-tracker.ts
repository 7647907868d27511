/**
 * Proof of absence (SAFETY Z-2, Z-3): remembers which objects list which names, live or last known,
 * and how it is known that one no longer does. Shared by all zones, because a name may move between
 * them.
 */
import { type DnsName, trustedDnsName } from "../../model/dns-name.ts";
import { fingerprint64 } from "../../model/fingerprint.ts";
import {
  isMarkOf,
  matchesResource,
  type ObjectKey,
  type ObjectMark,
  objectKeyText,
  type Provenance,
  resourceOf,
} from "../../model/provenance.ts";
import type { AbsenceProof, Marker, OwnedRecordSet } from "../../plan/changes.ts";
import type { AbsenceVerdict } from "../../plan/rules.ts";
import { bodyText } from "../cache/columns/zone-texts.ts";
import { namesOf } from "../cache/desired-index.ts";
import type { AbsenceOracle, LiveAnswer, LiveObject } from "../contract/absence-oracle.ts";
import type { Contribution } from "../contract/contribution.ts";
import { addressVerdict, elsewhereVerdict, unproven, waitingVerdict } from "./absence-reasons.ts";
import { type AddressWait, type AddressWaits, NO_TARGETS } from "./address-waits.ts";
import { AbsenceEntries, type AbsenceEntry, type Lister } from "./name-listings.ts";

/** A marker that names an object. */
type NamedMark = ObjectMark & { readonly resource: string };

/** The object in a marker, as the oracle is asked for it. */
interface Original extends NamedMark {
  readonly cluster: string | null;
}

/** An object on whose word a removal rests, as its API server is asked for it. */
export interface ConfirmingObject {
  /** Null = this one. */
  readonly cluster: string | null;
  /** `kind/namespace/name`. */
  readonly resource: string;
  /**
   * It was made from the object in the marker, which may want the record although this one is gone.
   */
  readonly isDerived: boolean;
}

interface Tombstone {
  /** What said so last; another one than `provenance` where it was made from that. */
  readonly object: ObjectKey;
  readonly provenance: Provenance;
  readonly proof: AbsenceProof;
}

/** What stands at a name over all zones; null = not known now. */
type RecordsAt = (name: DnsName) => readonly OwnedRecordSet[] | null;

/** What is known about objects and names, over all zones. */
export class AbsenceTracker {
  readonly #oracle: AbsenceOracle;
  readonly #waits: AddressWaits;
  readonly #recordsAt: RecordsAt;
  readonly #entries = new AbsenceEntries();
  /** By name and `resource`: objects that no longer list the name, and how that is known. */
  readonly #tombstones = new Map<string, Map<string, Tombstone>>();

  constructor(oracle: AbsenceOracle, waits: AddressWaits, recordsAt: RecordsAt) {
    this.#oracle = oracle;
    this.#waits = waits;
    this.#recordsAt = recordsAt;
  }

  /**
   * Notes what an object lists now. An incomplete contribution keeps what it listed before (Z-1).
   * Answers the names that it lists no more: they may have waited for it in any zone.
   */
  contributed(contribution: Contribution): readonly DnsName[] {
    const { object, generation, deleting, found } = contribution;
    const before = this.#entries.of(object);
    const known = before === null ? [] : this.#entries.namesOf(before);
    const names = listedNames(contribution, known);
    const provenance = provenanceOf(contribution, before);
    const isComplete = deleting || found.complete;
    const print = printOf(contribution);
    this.#entries.put({ object, provenance, names, isComplete, generation, print });
    for (const name of names.keys()) this.#tombstones.get(name)?.delete(resourceOf(provenance));
    const proof = deleting ? "deleted-object" : "object-omits-name";
    const gone = deleting ? [...known, ...namesOf(contribution)] : known;
    const unlisted = gone.filter((name) => !names.has(name));
    for (const name of unlisted) this.#recordGone(name, { object, provenance, proof });
    return unlisted.map(trustedDnsName);
  }

  /** The object is gone for good. */
  withdrawn(object: ObjectKey, proof: AbsenceProof): void {
    const before = this.#entries.of(object);
    if (before === null) return;
    const names = this.#entries.namesOf(before);
    this.#entries.remove(object);
    for (const name of names)
      this.#recordGone(name, { object, provenance: before.provenance, proof });
  }

  /**
   * A name is planned: a tombstone goes when nothing of its resource is left there in any zone. One
   * zone alone says too little: another account that shows the same zone may not have read yet what
   * the first one wrote.
   */
  settled(name: DnsName): void {
    const tombstones = this.#tombstones.get(name);
    const owned = tombstones === undefined ? null : this.#recordsAt(name);
    if (tombstones === undefined || owned === null) return;
    for (const [key, { provenance }] of [...tombstones])
      if (!owned.some((set) => isMarkOf(set.marker, provenance))) tombstones.delete(key);
    if (tombstones.size === 0) this.#tombstones.delete(name);
  }

  /**
   * Whether this record set of ours, which nobody wants at its key, may be removed. `here` = what
   * objects that list the name said last in this very zone: one that lists it, or said something
   * newer, in another zone or account says nothing about this zone's copy, which may be the same
   * record seen twice (Z-2, Z-18). `neutral` = what other objects said elsewhere that is nothing to
   * this record (`Elsewhere`).
   */
  verdict(
    unwanted: OwnedRecordSet,
    here: readonly Contribution[],
    unrelated: () => readonly Contribution[] = () => [],
  ): AbsenceVerdict {
    const { name } = unwanted;
    const gate = this.#oracle.gate();
    if (!gate.open) return unproven("NotSynced", gate.reason);
    const listers = this.#entries.listing(name);
    const isHere = (lister: Lister): boolean => isLatestIn(lister, here);
    for (const lister of listers) {
      const verdict = isHere(lister)
        ? this.#judgeLister(lister, name, unwanted)
        : judgeOtherLister(lister, unwanted, here);
      if (verdict !== null) return verdict;
    }
    const verdict = this.#judgeByObject(name, unwanted);
    const otherLister = listers.find(
      (lister) => !isHere(lister) && !isLatestIn(lister, unrelated()),
    );
    if (otherLister === undefined) return verdict;
    const kept = elsewhereVerdict(otherLister.entry);
    return verdict.proven ? { ...kept, unlessAnswered: verdict.proof } : kept;
  }

  /** What an object that lists the name means for the record; null = nothing. */
  #judgeLister(
    { entry, waitsFor }: Lister,
    name: DnsName,
    { marker }: OwnedRecordSet,
  ): AbsenceVerdict | null {
    const reason = waitsFor ?? (entry.isComplete ? null : "SourceIncomplete");
    if (reason === null) return null;
    const wait = reason === NO_TARGETS ? this.#waits.at(entry.object, name) : null;
    if (wait === null) return waitingVerdict(entry, reason);
    if (!this.#isGivenUp(entry, name, wait)) return addressVerdict(entry, wait);
    const isItsOwn = isMarkOf(marker, entry.provenance);
    return isItsOwn ? { proven: true, proof: "no-targets-grace" } : null;
  }

  /**
   * Looked up again at the end of the grace: an address that has just come is not in a contribution
   * yet.
   */
  #isGivenUp({ provenance }: AbsenceEntry, name: DnsName, { isOver }: AddressWait): boolean {
    const { cluster } = provenance;
    return isOver && this.#oracle.lacksTargets?.(cluster, resourceOf(provenance), name) === true;
  }

  /**
   * What API servers say now about the object in a marker; `absent` where nobody can ask them.
   * Never rejects for want of an answer.
   */
  async askedNow(cluster: string | null, resource: string): Promise<LiveAnswer> {
    return (await this.#oracle.askNow?.(cluster, resource)) ?? { is: "absent" };
  }

  /**
   * Who says that nobody wants a record set of this marker at the name: whatever lists the name for
   * the marker's object, without this set (a DNSEntry of a Service); where nothing does, that
   * object itself, and for a marker of any object what gave the name up.
   */
  confirmingObjects(name: DnsName, marker: Marker): readonly ConfirmingObject[] {
    const { cluster, resource } = marker;
    const listing = this.#entries.listing(name).map(({ entry }) => entry);
    const tombstones = this.#tombstones.get(name)?.values() ?? [];
    const gone = marker.anyObject === true ? [...tombstones] : [];
    const heard = listing.length > 0 ? listing : gone;
    const confirming = heard.filter(({ provenance }) => isMarkOf(marker, provenance));
    const itself = resource === null ? [] : [{ cluster, resource, isDerived: false }];
    return confirming.length > 0 ? confirming.map(toConfirming) : itself;
  }

  /**
   * Whether an object, as its API server has it now, is complete without the name; or is as it was
   * heard of, complete or with a mistake that came after it had given the name up.
   */
  isWithout(name: DnsName, resource: string, live: LiveObject): boolean {
    if (live.omits !== undefined) return live.omits(name);
    const gaveUp = this.#tombstoneOf(name, { resource }) !== undefined;
    return this.#entries
      .named(resource)
      .some(
        ({ object, isComplete, generation }) =>
          (isComplete || gaveUp) &&
          object.cluster === live.cluster &&
          generation === live.generation,
      );
  }

  #judgeByObject(name: DnsName, set: OwnedRecordSet): AbsenceVerdict {
    if (set.marker === null || set.marker.resource === null)
      return unproven(
        "KindUnknown",
        "its marker names no object, so nobody can say that it is gone",
      );
    const { resource, cluster } = set.marker;
    const tombstoneOf = this.#tombstoneOf(name, set.marker);
    if (tombstoneOf !== undefined)
      return this.#judgeGone(name, tombstoneOf, { ...set.marker, resource });
    if (this.#omitsByItself(name, { ...set.marker, resource }))
      return { proven: true, proof: "object-omits-name" };
    switch (this.#oracle.object(cluster, resource)) {
      case "absent":
        return { proven: true, proof: "missing-from-list" };
      case "alive":
        if (this.#oracle.omits?.(cluster, resource, name) === true)
          return { proven: true, proof: "object-omits-name" };
        return unproven(
          "SourceAlive",
          `${resource} exists and has not said that it no longer wants it`,
        );
      case "unknown":
        return unproven("KindGone", `whether ${resource} still exists cannot be seen from here`);
    }
  }

  /**
   * What was made from an object is no more than its word: as long as that object itself is seen to
   * list the name, the end of its entry says nothing (Z-2). The entry is made again.
   */
  #judgeGone(name: DnsName, tombstoneOf: Tombstone, original: Original) {
    const { cluster, resource } = original;
    const isItsOwn = objectKeyText(tombstoneOf.object) === objectKeyText(tombstoneOf.provenance);
    if (!isItsOwn && this.#oracle.lists?.(cluster, resource, name) === true)
      return unproven(
        "OriginalAlive",
        `${resource} lists the name; what was made for it (${resourceOf(tombstoneOf.object)}) comes back`,
      );
    return { proven: true, proof: this.#proofOf(tombstoneOf, name, original) } as const;
  }

  /**
   * Only its own DELETED event makes a removal an ordinary one (Z-16). An entry that was deleted
   * because the Service that it was made from wants the name no more says: alive, without the name.
   * So does an object that was missing from a list once and is back.
   */
  #proofOf(tombstoneOf: Tombstone, name: DnsName, original: Original): AbsenceProof {
    const { cluster, resource } = original;
    const isItsOwn = objectKeyText(tombstoneOf.object) === objectKeyText(tombstoneOf.provenance);
    const isOmitted = (): boolean =>
      isItsOwn
        ? this.#omitsByItself(name, original)
        : this.#oracle.omits?.(cluster, resource, name) === true;
    const isAlive = (): boolean => this.#oracle.object(cluster, resource) === "alive";
    if (tombstoneOf.proof === "missing-from-list")
      return isAlive() && isOmitted() ? "object-omits-name" : tombstoneOf.proof;
    if (isItsOwn || tombstoneOf.proof !== "deleted-object") return tombstoneOf.proof;
    return isAlive() ? "object-omits-name" : tombstoneOf.proof;
  }

  /**
   * The marker's own object, or the object that still lists this name, is complete and does not
   * want this key.
   */
  #omitsByItself(name: DnsName, mark: NamedMark): boolean {
    const listers = this.#entries.listing(name);
    if (listers.some(({ entry }) => isMarkOf(mark, entry.provenance))) return true;
    const named = this.#entries.named(mark.resource);
    const omits = (one: AbsenceEntry): boolean =>
      one.isComplete && matchesResource(mark.resource, one.provenance);
    return named.length > 0 && named.every(omits);
  }

  #tombstoneOf(name: string, mark: ObjectMark): Tombstone | undefined {
    const tombstones = [...(this.#tombstones.get(name)?.values() ?? [])];
    return tombstones.find(({ provenance }) => isMarkOf(mark, provenance));
  }

  #recordGone(name: string, tombstoneOf: Tombstone): void {
    const tombstones = this.#tombstones.get(name) ?? new Map<string, Tombstone>();
    this.#tombstones.set(name, tombstones.set(resourceOf(tombstoneOf.provenance), tombstoneOf));
  }
}

function toConfirming({
  object,
  provenance,
}: Pick<AbsenceEntry, "object" | "provenance">): ConfirmingObject {
  const isDerived = objectKeyText(object) !== objectKeyText(provenance);
  return { cluster: object.cluster, resource: resourceOf(object), isDerived };
}

/** Names with the reason each waits for; an incomplete contribution keeps those known before. */
function listedNames(
  { deleting, found }: Contribution,
  known: readonly string[],
): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>();
  if (deleting) return names;
  if (!found.complete) for (const name of known) names.set(name, "SourceIncomplete");
  for (const wait of found.waiting) names.set(wait.name, wait.reason);
  for (const item of found.items) names.set(item.name, null);
  return names;
}

/**
 * The provenance that markers of a contribution name: that of its items, else what it was, else the
 * object.
 */
function provenanceOf(contribution: Contribution, before: AbsenceEntry | null): Provenance {
  const { items, waiting } = contribution.found;
  return (
    items[0]?.provenance ?? waiting[0]?.provenance ?? before?.provenance ?? contribution.object
  );
}

/** Equal contents count too: a controller repeats to one zone only what is new there. */
function isLatest(said: Contribution, entry: AbsenceEntry): boolean {
  return isSameObject(said, entry) && printOf(said) === entry.print;
}

function isLatestIn({ entry }: Lister, by: readonly Contribution[]): boolean {
  return by.some((said) => isLatest(said, entry));
}

function isSameObject(said: Contribution, { object }: AbsenceEntry): boolean {
  return objectKeyText(said.object) === objectKeyText(object);
}

/** A fingerprint of what a contribution says, whatever the order of its properties. */
function printOf({ found }: Contribution): string {
  const { items, waiting, problems, complete } = found;
  const said = items.map((item) => [
    ...[item.name, item.type, item.setIdentifier, item.ttlSeconds, bodyText(item)],
    ...[objectKeyText(item.provenance), item.owner, item.createdAtMs],
  ]);
  return fingerprint64(JSON.stringify([said, waiting, problems, complete]));
}

/**
 * What an object means for the record that lists the name and has its latest word elsewhere; null =
 * another's object, that one only.
 */
function judgeOtherLister(
  { entry, waitsFor }: Lister,
  { marker }: OwnedRecordSet,
  here: readonly Contribution[],
): AbsenceVerdict | null {
  if (!entry.isComplete) return waitingVerdict(entry, waitsFor ?? "SourceIncomplete");
  const hasOlderHere = here.some((said) => isSameObject(said, entry));
  return hasOlderHere || isMarkOf(marker, entry.provenance) ? elsewhereVerdict(entry) : null;
}
