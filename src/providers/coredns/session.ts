/**
 * The zones that CoreDNS answers from one etcd: reads keys and sends transactions. Batching,
 * retries and ownership are not its business. What was last read of names is kept, bounded; a
 * transaction compares it, so that no key of another writer is written over.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { Problem } from "../../model/problem.ts";
import { compareKeys, type RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type {
  Capabilities,
  ProviderEnvironment,
  ProviderSession,
  ZoneSnapshot,
} from "../provider.ts";
import { BoundedMap } from "../shared/bounded-map.ts";
import { explained, shownTrouble } from "../shared/call-rules.ts";
import { refusedTogether } from "../shared/failed-calls.ts";
import { EtcdApi, type KeyRange } from "./api.ts";
import { auditSet } from "./audit.ts";
import { type Entry, entryName, type KeySpace, normalizeSet, toSets } from "./convert.ts";
import { explain, outcomesOf } from "./failures.ts";
import { endOf, folderOf, foldersOf } from "./keys.ts";
import { CAPABILITIES, KNOWN_NAMES_MAX, QUESTIONS_MAX } from "./limits.ts";
import type { CoreDnsOptions } from "./options.ts";
import { type KnownName, namesOf, type Transaction, toTransaction } from "./transaction.ts";

/** As in `DNSProvider.spec.type`. */
export const COREDNS_TYPE = "coredns-etcd";

const UNREAD: KnownName = { revision: null, entries: [] };

/** See `ProviderSession`. Methods may be called concurrently. */
export class CoreDnsSession implements ProviderSession {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #options: CoreDnsOptions;
  readonly #environment: ProviderEnvironment;
  readonly #api: EtcdApi;
  readonly #known = new BoundedMap<KnownName>(KNOWN_NAMES_MAX);
  #pace: () => Promise<void> = async () => undefined;

  constructor(options: CoreDnsOptions, environment: ProviderEnvironment) {
    this.#options = options;
    this.#environment = environment;
    this.#api = new EtcdApi(options, environment);
  }

  pace(before: () => Promise<void>): void {
    this.#pace = before;
  }

  /** etcd knows no zones: it is asked whether each may be read. */
  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const { servers, zones, prefix } = this.#options;
    for (const [index, name] of zones.entries()) {
      if (index > 0) await this.#pace();
      const folder = folderOf(prefix, name);
      const what = `the zone ${name} cannot be read`;
      await this.#range(folder, { end: `${folder}\0`, what, signal });
    }
    return zones.map((name) => ({
      id: name,
      name,
      providerType: COREDNS_TYPE,
      endpoint: servers
        .map((one) => new URL(one).host)
        .sort()
        .join(","),
      view: prefix === "/skydns" ? "" : prefix,
    }));
  }

  /** Few names one by one, many by the whole zone. */
  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const wanted = names === null ? null : [...new Set(names)];
    const isWhole = wanted === null || wanted.length > QUESTIONS_MAX;
    const calls = isWhole
      ? await this.#readBelow(zone, zone.name, { wanted, signal })
      : await this.#readNames(zone, wanted, signal);
    const sets = [...calls.byName]
      .filter(([name]) => wanted?.includes(name) ?? true)
      .flatMap(([name, entries]) => toSets(name, entries));
    return { sets: [...sets].sort(compareKeys), token: null, pages: calls.count };
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone);
  }

  normalize(set: RecordSet): RecordSet {
    return normalizeSet(set);
  }

  /** One transaction; groups that do not fit go with the next one. */
  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncIterable<Outcome> {
    if (groups.length === 0) return;
    yield* await this.#send(zone, groups, signal);
  }

  close(): void {
    this.#api.close();
  }

  /**
   * Compares fail for what is none of a group's business, too: another record set of the name, or a
   * name below that was written since. What was read anew decides, once.
   */
  async #send(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Promise<readonly Outcome[]> {
    const outside = outsideOutcomes(zone, groups);
    if (outside !== null) return outside;
    await this.#readUnread(zone, groups.filter(isAboutExisting), signal);
    const first = await this.#commit(zone, groups, signal);
    if (first !== null) return first;
    await this.#readUnread(zone, groups, signal);
    await this.#pace();
    return (await this.#commit(zone, groups, signal)) ?? groups.map(stale);
  }

  /** Null = the keys of some name are not as they were read; nothing was done. */
  async #commit(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Promise<readonly Outcome[] | null> {
    const known = (name: DnsName): KnownName => this.#known.at(keyOf(zone, name)) ?? UNREAD;
    const transaction = toTransaction(groups, known, this.#keySpace(zone));
    if (transaction.changed.size > 0) return groups.map(changedOutcome(transaction));
    const sent = groups.slice(0, transaction.groupCount);
    const rest = groups.slice(transaction.groupCount).map(({ name }) => refusedTogether(name));
    const forget = (): void => {
      for (const name of transaction.names.keys()) this.#known.forget(keyOf(zone, name));
    };
    try {
      const revision = await this.#api.commit(transaction, zone.name, signal);
      forget();
      if (revision === null) return null;
      this.#keepWritten(zone, transaction, revision);
    } catch (error) {
      const shown = shownTrouble(this.#environment, error, "the changes were not made");
      // Throws where nothing was done: what is known stays.
      const outcomes = outcomesOf(shown, sent);
      forget();
      return [...outcomes, ...rest];
    }
    return [...sent.map(({ name }): Outcome => ({ name, status: "applied" })), ...rest];
  }

  async #readUnread(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Promise<void> {
    const names = new Set(groups.flatMap(namesOf));
    const unread = [...names].filter((name) => this.#known.at(keyOf(zone, name)) === null);
    if (unread.length === 0) return;
    await this.#pace();
    if (unread.length <= QUESTIONS_MAX) await this.#readNames(zone, unread, signal);
    else await this.#readBelow(zone, zone.name, { wanted: unread, signal });
  }

  /** What was compared is as it was read, at the new revision too. */
  #keepWritten(zone: Zone, { names, after, puts }: Transaction, revision: string): void {
    for (const [name, { entries: before }] of names) {
      const entries = (after.get(name) ?? before).map((entry) =>
        puts.includes(entry) ? { ...entry, revision } : entry,
      );
      this.#known.put(keyOf(zone, name), { revision, entries });
    }
  }

  async #readNames(zone: Zone, names: readonly DnsName[], signal: AbortSignal): Promise<Names> {
    const byName = new Map<DnsName, readonly Entry[]>();
    let count = 0;
    for (const name of names) {
      if (count > 0) await this.#pace();
      const read = await this.#readBelow(zone, name, { wanted: [name], signal });
      byName.set(name, read.byName.get(name) ?? []);
      count += read.count;
    }
    return { byName, count };
  }

  /** A name and what is below it; `wanted` names are known after it even where they have no key. */
  async #readBelow(
    zone: Zone,
    top: DnsName,
    {
      wanted,
      signal,
    }: { readonly wanted: readonly DnsName[] | null; readonly signal: AbortSignal },
  ): Promise<Names> {
    const keySpace = this.#keySpace(zone);
    const [folder = ""] = foldersOf(keySpace.prefix, top, zone.name);
    const what = `the zone ${zone.name} cannot be read`;
    const { entries, revision, calls } = await this.#range(folder, {
      end: endOf(`${folder}/`),
      what,
      signal,
    });
    const own = entries.filter((entry) => isIn(entry, folder));
    const byName = this.#byName(zone, own, wanted ?? []);
    for (const [name, found] of byName)
      if (wanted?.includes(name) ?? true)
        this.#known.put(keyOf(zone, name), { revision, entries: found });
    return { byName, count: calls };
  }

  #byName(
    zone: Zone,
    entries: readonly Entry[],
    wanted: readonly DnsName[],
  ): ReadonlyMap<DnsName, readonly Entry[]> {
    const byName = new Map<DnsName, Entry[]>(wanted.map((name) => [name, []]));
    for (const entry of entries) {
      const name = entryName(entry, this.#keySpace(zone));
      if (name === null || !this.#isOf(zone, name)) continue;
      const found = byName.get(name) ?? [];
      found.push(entry);
      byName.set(name, found);
    }
    return byName;
  }

  #range(
    key: string,
    {
      end,
      what,
      signal,
    }: { readonly end: string; readonly what: string; readonly signal: AbortSignal },
  ): Promise<KeyRange> {
    const pace = (): Promise<void> => this.#pace();
    const call = (): Promise<KeyRange> => this.#api.range(key, end, { pace, signal });
    return explained(call, { environment: this.#environment, what, explain });
  }

  /** The longest zone that the name is in. */
  #isOf(zone: Zone, name: DnsName): boolean {
    const { length } = zone.name;
    const isDeeper = (apex: DnsName): boolean => apex.length > length && isAtOrBelow(name, apex);
    return isAtOrBelow(name, zone.name) && !this.#options.zones.some(isDeeper);
  }

  #keySpace({ name: apex }: Zone): KeySpace {
    return { prefix: this.#options.prefix, apex };
  }
}

/** Keys by name, and the calls that it took. */
interface Names {
  readonly byName: ReadonlyMap<DnsName, readonly Entry[]>;
  readonly count: number;
}

/** `/skydns/org/www` and below, and not `/skydns/org/www-2`, which sorts between them. */
function isIn({ key }: Entry, folder: string): boolean {
  return key === folder || key.startsWith(`${folder}/`);
}

/** What is replaced, removed or compared has keys, which must be known. */
function isAboutExisting({ changes, preconditions }: ChangeGroup): boolean {
  return (
    changes.some(({ op }) => op !== "create") || preconditions.some(({ is }) => is === "exact")
  );
}

function outsideOutcomes(zone: Zone, groups: readonly ChangeGroup[]): readonly Outcome[] | null {
  const isOutside = (group: ChangeGroup): boolean =>
    namesOf(group).some((name) => !isAtOrBelow(name, zone.name));
  if (!groups.some(isOutside)) return null;
  const message = `the name is not in the zone ${zone.name}`;
  return groups.map((group): Outcome => {
    const { name } = group;
    if (!isOutside(group)) return refusedTogether(name);
    return { name, status: "rejected", code: "InvalidName", message };
  });
}

function changedOutcome({ changed }: Transaction): (group: ChangeGroup, index: number) => Outcome {
  return (group, index) => (changed.has(index) ? stale(group) : refusedTogether(group.name));
}

function stale({ name }: ChangeGroup): Outcome {
  const message = "the keys of the name are not as they were read";
  return { name, status: "precondition-failed", message };
}

function keyOf({ id }: Zone, name: DnsName): string {
  return `${id} ${name}`;
}
