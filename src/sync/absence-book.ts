/**
 * Proof of absence (SAFETY Z-2, Z-3): remembers which objects list which names, live or last known, and how
 * it is known that one no longer does. Shared by all zones, because a name may move between them.
 */
import type { DnsName } from "../model/dns-name.ts";
import {
  matchesResource,
  type ObjectKey,
  objectKeyText,
  type Provenance,
  resourceOf,
} from "../model/provenance.ts";
import type { AbsenceProof, OwnedRecordSet } from "../plan/changes.ts";
import type { AbsenceVerdict } from "../plan/rules.ts";
import { type AddressWait, type AddressWaits, NO_TARGETS } from "./address-waits.ts";
import type { AbsenceOracle, Contribution } from "./contract.ts";
import { namesOf } from "./desired-index.ts";

interface Entry {
  readonly object: ObjectKey;
  /** The object that markers of this one's records name. */
  readonly provenance: Provenance;
  /** Names live or last known, each with the reason it waits for, null when it is wanted. */
  readonly names: ReadonlyMap<string, string | null>;
  readonly complete: boolean;
  /** What it said last, in whichever zone. */
  readonly latest: Contribution;
}

interface Tombstone {
  readonly provenance: Provenance;
  readonly proof: AbsenceProof;
}

/** What is known about objects and names, over all zones. */
export class AbsenceBook {
  readonly #oracle: AbsenceOracle;
  readonly #waits: AddressWaits;
  readonly #entries = new Map<string, Entry>();
  /** Key of the object that is the resource itself, not one that was made from it. */
  readonly #keyOfResource = new Map<string, string>();
  readonly #listers = new Map<string, Set<string>>();
  /** By name and `resource`: objects that no longer list the name, and how that is known. */
  readonly #tombstones = new Map<string, Map<string, Tombstone>>();

  constructor(oracle: AbsenceOracle, waits: AddressWaits) {
    this.#oracle = oracle;
    this.#waits = waits;
  }

  /** Notes what an object lists now. An incomplete contribution keeps what it listed before (Z-1). */
  contributed(contribution: Contribution): void {
    const key = objectKeyText(contribution.object);
    const before = this.#entries.get(key);
    const known = before === undefined ? [] : [...before.names.keys()];
    const names = listedNames(contribution, known);
    const provenance = provenanceOf(contribution, before);
    const complete = contribution.deleting || contribution.found.complete;
    this.#replace(key, {
      object: contribution.object,
      provenance,
      names,
      complete,
      latest: contribution,
    });
    const proof = contribution.deleting ? "deleted-object" : "object-omits-name";
    const gone = contribution.deleting ? [...known, ...namesOf(contribution)] : known;
    for (const name of gone) if (!names.has(name)) this.#bury(name, { provenance, proof });
  }

  /** The object is gone for good. */
  withdrawn(object: ObjectKey, proof: AbsenceProof): void {
    const key = objectKeyText(object);
    const before = this.#entries.get(key);
    if (before === undefined) return;
    this.#replace(key, null);
    for (const name of before.names.keys())
      this.#bury(name, { provenance: before.provenance, proof });
  }

  /** Nothing of a resource is left at a name: its tombstone is no longer needed. */
  settled(name: string, owned: readonly OwnedRecordSet[]): void {
    const stones = this.#tombstones.get(name);
    if (stones === undefined) return;
    for (const [key, { provenance }] of [...stones])
      if (!owned.some((set) => matchesResource(set.marker?.resource ?? null, provenance)))
        stones.delete(key);
    if (stones.size === 0) this.#tombstones.delete(name);
  }

  /**
   * Whether this record set of ours, which nobody wants at its key, may be removed. `here` = what objects that list the
   * name said last in this very zone: one that lists it, or said something newer, in another zone or account says
   * nothing about this zone's copy, which may be the same record seen twice (Z-2, Z-18).
   */
  verdict(name: DnsName, unwanted: OwnedRecordSet, here: readonly Contribution[]): AbsenceVerdict {
    const gate = this.#oracle.gate();
    if (!gate.open) return unproven("NotSynced", gate.reason);
    for (const entry of this.#listersOf(name)) {
      if (!here.some((said) => isLatest(said, entry))) return elsewhereVerdict(entry);
      const verdict = this.#listedVerdict(entry, name, unwanted);
      if (verdict !== null) return verdict;
    }
    return this.#verdictOn(name, unwanted);
  }

  /** What an object that lists the name means for the record; null = nothing. */
  #listedVerdict(entry: Entry, name: DnsName, { marker }: OwnedRecordSet): AbsenceVerdict | null {
    const reason = entry.names.get(name) ?? (entry.complete ? null : "SourceIncomplete");
    if (reason === null) return null;
    const wait = reason === NO_TARGETS ? this.#waits.at(entry.object, name) : null;
    if (wait === null) return waitingVerdict(entry, reason);
    if (!this.#isGivenUp(entry, name, wait)) return addressVerdict(entry, wait);
    const isItsOwn = marker !== null && matchesResource(marker.resource, entry.provenance);
    return isItsOwn ? { proven: true, proof: "no-targets-grace" } : null;
  }

  /** Looked up again at the end of the grace: an address that has just come is not in a contribution yet. */
  #isGivenUp({ provenance }: Entry, name: DnsName, { isOver }: AddressWait): boolean {
    const { cluster } = provenance;
    return isOver && this.#oracle.lacksTargets?.(cluster, resourceOf(provenance), name) === true;
  }

  #verdictOn(name: DnsName, set: OwnedRecordSet): AbsenceVerdict {
    if (set.marker === null || set.marker.resource === null)
      return unproven(
        "KindUnknown",
        "its marker names no object, so nobody can say that it is gone",
      );
    const { resource, cluster } = set.marker;
    const buried = this.#buried(name, resource);
    if (buried !== undefined) return { proven: true, proof: buried.proof };
    if (this.#omitsByItself(name, resource)) return { proven: true, proof: "object-omits-name" };
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

  #listersOf(name: string): readonly Entry[] {
    return [...(this.#listers.get(name) ?? [])].flatMap((key) => this.#entries.get(key) ?? []);
  }

  /** The marker's own object, or the object that still lists this name, is complete and does not want this key. */
  #omitsByItself(name: DnsName, resource: string): boolean {
    if (this.#listersOf(name).some((one) => matchesResource(resource, one.provenance))) return true;
    const entry = this.#entries.get(this.#keyOfResource.get(resource) ?? "");
    return entry?.complete === true && matchesResource(resource, entry.provenance);
  }

  #replace(key: string, next: Entry | null): void {
    const before = this.#entries.get(key);
    if (before !== undefined) this.#unlist(key, before);
    if (next === null) return;
    this.#entries.set(key, next);
    this.#keyOfResource.set(resourceOf(next.object), key);
    for (const name of next.names.keys()) {
      this.#tombstones.get(name)?.delete(resourceOf(next.provenance));
      this.#listers.set(name, (this.#listers.get(name) ?? new Set()).add(key));
    }
  }

  #unlist(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#keyOfResource.delete(resourceOf(entry.object));
    for (const name of entry.names.keys()) {
      const listers = this.#listers.get(name);
      listers?.delete(key);
      if (listers?.size === 0) this.#listers.delete(name);
    }
  }

  #buried(name: string, resource: string): Tombstone | undefined {
    const stones = [...(this.#tombstones.get(name)?.values() ?? [])];
    return stones.find(({ provenance }) => matchesResource(resource, provenance));
  }

  #bury(name: string, stone: Tombstone): void {
    const stones = this.#tombstones.get(name) ?? new Map<string, Tombstone>();
    this.#tombstones.set(name, stones.set(resourceOf(stone.provenance), stone));
  }
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

/** The provenance that markers of a contribution name: that of its items, else what it was, else the object. */
function provenanceOf(contribution: Contribution, before: Entry | undefined): Provenance {
  const { items, waiting } = contribution.found;
  return (
    items[0]?.provenance ?? waiting[0]?.provenance ?? before?.provenance ?? contribution.object
  );
}

/** Equal contents count too: a controller repeats to one zone only what is new there. */
function isLatest(said: Contribution, { object, latest }: Entry): boolean {
  if (said === latest) return true;
  if (objectKeyText(said.object) !== objectKeyText(object)) return false;
  return JSON.stringify(said.found) === JSON.stringify(latest.found);
}

function waitingVerdict(entry: Entry, code: string): AbsenceVerdict {
  return unproven(
    code,
    `${resourceOf(entry.object)} lists the name and has no complete answer now`,
  );
}

function addressVerdict(entry: Entry, { sinceMs, isDangling }: AddressWait): AbsenceVerdict {
  const since = new Date(sinceMs).toISOString();
  const text = `${resourceOf(entry.provenance)} has no address since ${since}; what was published stays`;
  return unproven(NO_TARGETS, isDangling ? `dangling: ${text}` : text);
}

function elsewhereVerdict(entry: Entry): AbsenceVerdict {
  const who = resourceOf(entry.object);
  return unproven("SourceAlive", `${who} wants the name through another provider or zone`);
}

function unproven(code: string, message: string): AbsenceVerdict {
  return { proven: false, code, message };
}
