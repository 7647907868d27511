/**
 * A PublishEngine for tests of controllers: it keeps zones, contributions and what would stand in
 * each zone, with the rules of removal that controllers rely on (Z-2), and reports. It plans
 * nothing and talks to nobody.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { type ObjectKey, objectKeyText } from "../../../src/model/provenance.ts";
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { Zone } from "../../../src/model/zone.ts";
import type { ProviderSession } from "../../../src/providers/provider.ts";
import {
  type Contribution,
  type ContributionReport,
  isWithdrawn,
  type NameReport,
} from "../../../src/sync/contract/contribution.ts";
import type { AwaitedRemovals, PublishEngine } from "../../../src/sync/contract/publish-engine.ts";
import {
  type OpenZoneInput,
  type ZoneCut,
  type ZoneKey,
  zoneKeyText,
} from "../../../src/sync/contract/zone.ts";
import { ReportListeners } from "../../../src/sync/report/report-listeners.ts";

interface PublishedSet {
  readonly set: RecordSet;
  readonly object: ObjectKey;
}

interface MemoryZone {
  readonly key: ZoneKey;
  zoneInput: OpenZoneInput | null;
  readonly contributions: Map<string, Contribution>;
  /** What stands, by name and type. Survives `closeZone`, as a real zone does. */
  readonly standing: Map<string, PublishedSet>;
}

/** Trouble that a test wants at a name. */
export interface NameTrouble {
  readonly state: "held" | "failed" | "pending";
  readonly code: string;
  readonly message: string;
}

/** The engine. Reports arrive in a microtask after the call that caused them. */
export class MemoryEngine implements PublishEngine {
  /** While a name is in here it is not written. */
  readonly trouble = new Map<string, NameTrouble>();
  /** While a zone's id is in here nothing is written there. */
  readonly troubleIn = new Map<string, NameTrouble>();
  /** Delegations by zone id and name; a zone without any answers for all its names itself. */
  readonly cuts = new Map<string, ZoneCut>();
  readonly #cutListeners = new Set<() => void>();
  readonly withdrawn: string[] = [];
  /** Ids of zones that were closed, in order. */
  readonly closed: string[] = [];
  /** Ways of which something else is known now. */
  readonly retried: ZoneKey[] = [];
  readonly #zones = new Map<string, MemoryZone>();
  readonly #listeners = new ReportListeners();

  /** What stands in all zones of that id, as lines `name ttl type value…`, sorted. */
  zone(id: string): readonly string[] {
    return [...this.#zones.values()]
      .filter((zone) => zone.key.zone === id)
      .flatMap((zone) => [...zone.standing.values()])
      .map(({ set }) => `${set.name} ${set.ttlSeconds} ${set.type} ${set.values.join(" ")}`)
      .sort();
  }

  /** Tries everything again, e.g. after `trouble` was changed. */
  again(): void {
    for (const zone of this.#zones.values()) this.#work(zone);
  }

  /** Unpaid. */
  listZones(
    _account: string,
    session: ProviderSession,
    signal: AbortSignal,
  ): Promise<readonly Zone[]> {
    return session.zones(signal);
  }

  /** It plans nothing: what is said here. */
  awaited: AwaitedRemovals = { isSettled: true, ownedNames: 0, removals: 0, hashes: [] };

  awaitedRemovals(): AwaitedRemovals {
    return this.awaited;
  }

  openZone(zoneInput: OpenZoneInput): void {
    const zone = this.#zone(zoneInput.key);
    zone.zoneInput = zoneInput;
    this.#work(zone);
  }

  retryZone(key: ZoneKey): void {
    this.retried.push(key);
  }

  /** The ways that are open. */
  ways(): readonly OpenZoneInput[] {
    return [...this.#zones.values()].flatMap(({ zoneInput }) => zoneInput ?? []);
  }

  async propagationOf(): Promise<null> {
    return null;
  }

  async closeZone(key: ZoneKey): Promise<void> {
    this.#zone(key).zoneInput = null;
    this.closed.push(key.zone);
  }

  isOpen(key: ZoneKey): boolean {
    return this.#zone(key).zoneInput !== null;
  }

  contribute(key: ZoneKey | null, contribution: Contribution): void {
    if (key === null) return;
    const zone = this.#zone(key);
    zone.contributions.set(objectKeyText(contribution.object), contribution);
    this.#work(zone);
  }

  withdraw(object: ObjectKey, proof: "deleted-object" | "missing-from-list"): void {
    const id = objectKeyText(object);
    this.withdrawn.push(`${id} ${proof}`);
    for (const zone of this.#zones.values()) {
      zone.contributions.delete(id);
      if (zone.zoneInput === null) continue;
      for (const [key, standing] of zone.standing)
        if (objectKeyText(standing.object) === id) zone.standing.delete(key);
    }
  }

  /**
   * What stands stays, save names that another contribution of the object, a complete one, omits
   * (Z-2).
   */
  unassign(key: ZoneKey, object: ObjectKey): void {
    const id = objectKeyText(object);
    const zone = this.#zone(key);
    zone.contributions.delete(id);
    const others = [...this.#zones.values()].flatMap((one) => one.contributions.get(id) ?? []);
    if (others.length === 0 || others.some(({ found }) => !found.complete)) return;
    const listed = new Set<string>(
      others.flatMap(({ found }) => [...found.items, ...found.waiting].map((item) => item.name)),
    );
    for (const [set, standing] of zone.standing)
      if (objectKeyText(standing.object) === id && !listed.has(standing.set.name))
        zone.standing.delete(set);
  }

  /** Open zones have one name server, named after them, unless `cuts` has something else. */
  cutOf(key: ZoneKey, name: DnsName): ZoneCut | null {
    if (!this.isOpen(key)) return null;
    const apex = trustedDnsName(key.zone);
    return this.cuts.get(`${key.zone} ${name}`) ?? { at: apex, servers: [`ns.${apex}`] };
  }

  onCuts(listener: () => void): () => void {
    this.#cutListeners.add(listener);
    return () => this.#cutListeners.delete(listener);
  }

  /** Changes who answers for `name` in a zone, and tells. */
  cut(zoneId: string, name: string, cut: ZoneCut | null): void {
    if (cut === null) this.cuts.delete(`${zoneId} ${name}`);
    else this.cuts.set(`${zoneId} ${name}`, cut);
    for (const listener of this.#cutListeners) listener();
  }

  /** Tests report records that nobody lists by `leave`. */
  onReport(...asked: Parameters<PublishEngine["onReport"]>): () => void {
    return this.#listeners.add(...asked);
  }

  /** What is held of an object at names that it no longer lists. */
  leave(object: ObjectKey, unlisted: readonly NameReport[]): void {
    this.#listeners.tell({ object, unlisted });
  }

  #zone(key: ZoneKey): MemoryZone {
    const present = this.#zones.get(zoneKeyText(key));
    if (present !== undefined) return present;
    const made: MemoryZone = {
      key,
      zoneInput: null,
      contributions: new Map(),
      standing: new Map(),
    };
    this.#zones.set(zoneKeyText(key), made);
    return made;
  }

  #work(zone: MemoryZone): void {
    if (zone.zoneInput === null) return;
    for (const contribution of zone.contributions.values()) {
      this.#remove(zone, contribution);
      this.#write(zone, contribution);
      const report = this.#reportOf(zone, contribution);
      queueMicrotask(() => this.#listeners.tell(report));
    }
  }

  #remove(zone: MemoryZone, contribution: Contribution): void {
    const { object, found } = contribution;
    const deleting = isWithdrawn(contribution);
    if (!deleting && !found.complete) return;
    const kept = new Set<string>(found.waiting.map((wait) => wait.name));
    const wanted = new Set(found.items.map((item) => `${item.name} ${item.type}`));
    for (const [key, standing] of zone.standing) {
      if (objectKeyText(standing.object) !== objectKeyText(object)) continue;
      if (this.trouble.has(standing.set.name)) continue;
      const isWanted = wanted.has(key) || kept.has(standing.set.name);
      if (deleting || !isWanted) zone.standing.delete(key);
    }
  }

  #write(zone: MemoryZone, contribution: Contribution): void {
    const { object, found } = contribution;
    if (isWithdrawn(contribution)) return;
    for (const item of found.items) {
      const key = `${item.name} ${item.type}`;
      const present = zone.standing.get(key);
      const isForeign =
        present !== undefined && objectKeyText(present.object) !== objectKeyText(object);
      if (this.#troubleAt(zone, item.name) !== undefined || isForeign) continue;
      const { provenance: _, owner: __, createdAtMs: ___, ...set } = item;
      const ttlSeconds = item.ttlSeconds ?? zone.zoneInput?.defaultTtlSeconds ?? 0;
      zone.standing.set(key, { set: { ...set, ttlSeconds }, object });
    }
  }

  #reportOf(zone: MemoryZone, contribution: Contribution): ContributionReport {
    const { object, generation, found } = contribution;
    const deleting = isWithdrawn(contribution);
    const own = [...zone.standing.values()].filter(
      (standing) => objectKeyText(standing.object) === objectKeyText(object),
    );
    const listed = [...found.items, ...found.waiting].map((item) => item.name);
    const standing = own.map(({ set }) => set.name);
    const names = [...new Set(deleting ? standing : [...listed, ...standing])].sort(compareText);
    return {
      object,
      zone: zone.key,
      generation,
      names: names.map((n) => this.#nameOf(n, own, zone)),
    };
  }

  #troubleAt(zone: MemoryZone, name: DnsName): NameTrouble | undefined {
    return this.trouble.get(name) ?? this.troubleIn.get(zone.key.zone);
  }

  #nameOf(name: DnsName, own: readonly PublishedSet[], zone: MemoryZone): NameReport {
    const sets = own.filter(({ set }) => set.name === name).map(({ set }) => set);
    const base = { name, sets, isPublished: sets.length > 0 };
    const trouble = this.#troubleAt(zone, name);
    if (trouble !== undefined) return { ...base, ...trouble };
    return { ...base, state: base.isPublished ? "published" : "pending", code: null, message: "" };
  }
}
