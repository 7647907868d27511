/**
 * The zones that CoreDNS answers from one etcd: keys, and transactions that compare what was last
 * read of each name, so that no key of another writer is written over.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type { Capabilities, ProviderEnvironment } from "../provider.ts";
import {
  type Batch,
  BatchSession,
  heldTogether,
  type ItemsAt,
  type Sent,
} from "../shared/batch-session.ts";
import { changedOutcome, refusedTogether } from "../shared/failed-calls.ts";
import type { Listing } from "../shared/pages.ts";
import { isOfZone, type Question } from "../shared/vendor-session.ts";
import { namedZones, sessionType } from "../shared/vendor-type.ts";
import { EtcdApi, type KeyRange, REFUSALS } from "./api.ts";
import {
  auditSet,
  type EtcdEntry,
  endOf,
  entryName,
  folderOf,
  foldersOf,
  type KeySpace,
  normalizeSet,
  toSets,
} from "./convert.ts";
import { CAPABILITIES, QUESTIONS_MAX } from "./limits.ts";
import { type CoreDnsOptions, parseOptions } from "./options.ts";
import { type KnownName, namesOf, type Transaction, toTransaction } from "./transaction.ts";

/** As in `DNSProvider.spec.type`. */
const COREDNS_TYPE = "coredns-etcd";

/** See `VendorSession`. An item is all keys of a name. */
class CoreDnsSession extends BatchSession<KnownName> {
  readonly audit = auditSet;
  readonly normalize = normalizeSet;
  readonly capabilities: Capabilities = CAPABILITIES;
  protected override readonly listsSoa = false;
  readonly #options: CoreDnsOptions;
  readonly #api: EtcdApi;

  constructor(options: CoreDnsOptions, environment: ProviderEnvironment) {
    super(environment, REFUSALS);
    this.#options = options;
    this.#api = new EtcdApi(options, environment);
  }

  /** etcd knows no zones: it is asked whether each may be read. */
  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const { servers, zones, prefix } = this.#options;
    for (const [index, name] of zones.entries()) {
      if (index > 0) await this.turn();
      const folder = folderOf(prefix, name);
      await this.#range(name, [folder, `${folder}\0`], signal);
    }
    const hosts = servers.map((one) => new URL(one).host).sort();
    const view = prefix === "/skydns" ? "" : prefix;
    const of = { providerType: COREDNS_TYPE, endpoint: hosts.join(","), view };
    return zones.map((name) => ({ id: name, name, ...of }));
  }

  close(): void {
    this.#api.close();
  }

  /** Few names one by one, many by the whole zone, after which they are known to have no keys. */
  protected override questions([first, ...more]: readonly DnsName[]): readonly Question[] {
    if (first === undefined) return [];
    if (more.length >= QUESTIONS_MAX) return [[first, ...more]];
    return [first, ...more].map((name): Question => [name]);
  }

  protected override questionsMax(): number {
    return Number.POSITIVE_INFINITY;
  }

  protected nameOf({ name }: KnownName): DnsName {
    return name;
  }

  protected toSets(items: readonly KnownName[]): readonly RecordSet[] {
    return items.flatMap(({ name, entries }) => toSets(name, entries));
  }

  protected listZone(zone: Zone, signal: AbortSignal): Promise<Listing<KnownName>> {
    return this.#readBelow(zone, zone.name, { wanted: [], signal });
  }

  protected override async ask(
    zone: Zone,
    [name, ...more]: Question,
    signal: AbortSignal,
  ): Promise<Listing<KnownName>> {
    const top = more.length === 0 ? name : zone.name;
    const wanted = [name, ...more];
    const { items, calls } = await this.#readBelow(zone, top, { wanted, signal });
    return { items: items.filter((one) => wanted.includes(one.name)), calls };
  }

  protected override namesOf(group: ChangeGroup): readonly DnsName[] {
    return namesOf(group);
  }

  /**
   * What is replaced, removed or compared has keys, which must be known. Compares fail for what is
   * none of a group's business, too: another record set of the name, or a name below that was
   * written since. What is read anew decides, once.
   */
  protected override unread(
    groups: readonly ChangeGroup[],
    at: ItemsAt<KnownName>,
    isAgain: boolean,
  ): readonly DnsName[] {
    const read = isAgain ? groups : groups.filter(isAboutExisting);
    return [...new Set(read.flatMap(namesOf))].filter((name) => at(name) === null);
  }

  /** One transaction; groups that do not fit go with the next one. */
  protected batchOf(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Batch<KnownName> {
    const known = (name: DnsName): KnownName =>
      this.known.at(zone, name)?.[0] ?? { name, revision: null, entries: [] };
    const transaction = toTransaction(groups, known, this.#keySpace(zone));
    const { changed, groupCount } = transaction;
    const rest = new Map<number, Outcome>();
    const stale = new Map<number, Outcome>();
    for (const [index, { name }] of groups.entries()) {
      if (index >= groupCount) rest.set(index, refusedTogether(name));
      if (changed.has(index)) stale.set(index, changedOutcome(name, STALE));
    }
    return {
      held: stale.size > 0 ? heldTogether(groups, stale) : rest,
      send: () => this.#send(zone, transaction, signal),
    };
  }

  /** What was compared is as it was read, at the new revision too. */
  async #send(
    zone: Zone,
    transaction: Transaction,
    signal: AbortSignal,
  ): Promise<Sent<KnownName> | null> {
    const revision = await this.#api.commit(transaction, zone.name, signal);
    if (revision === null) return null;
    const { names, after, puts } = transaction;
    const known = [...names].map(([name, { entries: before }]) => {
      const entries = (after.get(name) ?? before).map((entry) =>
        puts.includes(entry) ? { ...entry, revision } : entry,
      );
      return [name, [{ name, revision, entries }]] as const;
    });
    return { after: new Map(known) };
  }

  /** A name and what is below it; `wanted` names are items even where they have no key. */
  async #readBelow(
    zone: Zone,
    top: DnsName,
    { wanted, signal }: { readonly wanted: readonly DnsName[]; readonly signal: AbortSignal },
  ): Promise<Listing<KnownName>> {
    const keySpace = this.#keySpace(zone);
    const [folder = ""] = foldersOf(keySpace.prefix, top, zone.name);
    const range = await this.#range(zone.name, [folder, endOf(`${folder}/`)], signal);
    const byName = new Map<DnsName, EtcdEntry[]>(wanted.map((name) => [name, []]));
    for (const entry of range.entries) {
      // Not `/skydns/org/www-2`, which sorts between `/skydns/org/www` and what is below it.
      if (entry.key !== folder && !entry.key.startsWith(`${folder}/`)) continue;
      const name = entryName(entry, keySpace);
      if (name === null || !isOfZone(name, zone.name, this.#options.zones)) continue;
      const found = byName.get(name) ?? [];
      found.push(entry);
      byName.set(name, found);
    }
    const { revision, calls } = range;
    return { items: [...byName].map(([name, entries]) => ({ name, revision, entries })), calls };
  }

  #range(
    zone: DnsName,
    [key, end]: readonly [string, string],
    signal: AbortSignal,
  ): Promise<KeyRange> {
    const what = `the zone ${zone} cannot be read`;
    return this.read(what, () => this.#api.range(key, end, { pace: this.turn, signal }));
  }

  #keySpace({ name: apex }: Zone): KeySpace {
    return { prefix: this.#options.prefix, apex };
  }
}

/** Secret: `Server`, perhaps `Username` and `Password`; see options.ts for the rest. */
export const COREDNS_PROVIDER = {
  ...sessionType(COREDNS_TYPE, parseOptions, CoreDnsSession),
  namedZones,
};

function isAboutExisting({ changes, preconditions }: ChangeGroup): boolean {
  return (
    changes.some(({ op }) => op !== "create") || preconditions.some(({ is }) => is === "exact")
  );
}

const STALE = "the keys of the name are not as they were read";
