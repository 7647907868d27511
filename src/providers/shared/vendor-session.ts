/**
 * What the sessions of all vendors do alike: reading few names or the whole zone, what is known by
 * name, the rate of the account, troubles that may be shown. A vendor is the hooks: how a zone is
 * listed, how names are asked for, what an item of an answer is. How changes are sent is in
 * batch-session.ts (one call for all groups) and call-session.ts (call by call). Batching, retries
 * and ownership are not its business.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { Problem } from "../../model/problem.ts";
import { compareKeys, hasSameData, isSameKey, type RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import type {
  Capabilities,
  ProviderEnvironment,
  ProviderSession,
  ZoneSnapshot,
} from "../provider.ts";
import { incomplete, refusedTogether, shownTrouble } from "./failed-calls.ts";
import { KnownNames } from "./known-names.ts";
import type { Listing } from "./pages.ts";
import { explainCall, type RefusalTable } from "./refused-call.ts";

/** Names that one question reads; the vendor knows how. */
export type Question = readonly [DnsName, ...DnsName[]];

/**
 * See `ProviderSession`. Methods may be called concurrently. `T`: an item as the API has it, a
 * record or a record set with what a write must name.
 */
export abstract class VendorSession<T> implements ProviderSession {
  abstract readonly capabilities: Capabilities;
  protected readonly environment: ProviderEnvironment;
  protected readonly refusals: RefusalTable;
  protected readonly known = new KnownNames<T>();
  /** The apex of a listing has an SOA record; one without is not whole (Z-6). */
  protected readonly listsSoa: boolean = true;
  /** An API that names hosts without their zone would put the zone behind a name of another one. */
  protected readonly namesHosts: boolean = true;
  /** Calls of each zone when it was last listed; at most one entry for each zone. */
  readonly #callsOf = new Map<string, number>();
  #pace: () => Promise<void> = async () => undefined;

  constructor(environment: ProviderEnvironment, refusals: RefusalTable) {
    this.environment = environment;
    this.refusals = refusals;
  }

  abstract zones(signal: AbortSignal): Promise<readonly Zone[]>;
  abstract audit(set: RecordSet, zone: Zone): readonly Problem[];
  abstract normalize(set: RecordSet, zone: Zone): RecordSet;
  abstract close(): void;

  /** All items of the zone. */
  protected abstract listZone(zone: Zone, signal: AbortSignal): Promise<Listing<T>>;
  /** All items at the names, and perhaps others. Null = some may lack: the zone is listed. */
  protected async ask(
    _zone: Zone,
    _question: Question,
    _signal: AbortSignal,
  ): Promise<Listing<T> | null> {
    return null;
  }
  /**
   * Questions that are asked at most; more are one listing. 0 where the API takes none.
   * `zoneCalls`: null = not listed yet.
   */
  protected questionsMax(zoneCalls: number | null): number {
    return zoneCalls ?? Number.POSITIVE_INFINITY;
  }
  protected abstract nameOf(item: T): DnsName;
  /** Those of more names do no harm. */
  protected abstract toSets(items: readonly T[], zone: Zone): readonly RecordSet[];
  /** One outcome for each group; not empty. Names are in the zone where `namesHosts`. */
  protected abstract applyGroups(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Promise<readonly Outcome[]>;

  /** One for each name. Null = they cannot be asked for: the zone is listed. */
  protected questions(names: readonly DnsName[], _zone: Zone): readonly Question[] | null {
    return names.map((name) => [name]);
  }

  /** Learns what a reading needs to know of the zone; the calls that it took. */
  protected async ready(_zone: Zone, _signal: AbortSignal): Promise<number> {
    return 0;
  }

  /** What is worth remembering of a name's items. */
  protected worthKeeping(items: readonly T[]): readonly T[] {
    return items;
  }

  /** Names whose items a group's call depends on. */
  protected namesOf(group: ChangeGroup): readonly DnsName[] {
    return namesOf(group);
  }

  /** What became of the name is not known. */
  protected forget(zone: Zone, name: DnsName): void {
    this.known.forget(zone, name);
  }

  /** A group that was refused, or not sent, left what is known as it is. */
  protected forgetAfter({ status }: Outcome, zone: Zone, group: ChangeGroup): void {
    if (status !== "unknown" && status !== "precondition-failed") return;
    for (const name of this.namesOf(group)) this.forget(zone, name);
  }

  pace(before: () => Promise<void>): void {
    this.#pace = before;
  }

  /** Awaited before each call that follows another one (Z-20). */
  protected readonly turn = (): Promise<void> => this.#pace();

  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const asked = await this.ready(zone, signal);
    if (asked > 0) await this.turn();
    const wanted = names === null ? null : new Set(names);
    const read =
      wanted === null
        ? await this.#readZone(zone, [], signal)
        : await this.readNames(zone, [...wanted], signal);
    const sets = this.toSets(read.items, zone).filter(({ name }) => wanted?.has(name) ?? true);
    return { sets: [...sets].sort(compareKeys), token: null, pages: read.calls + asked };
  }

  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncIterable<Outcome> {
    if (groups.length === 0) return;
    const outside = this.namesHosts ? outsideOutcomes(zone, groups) : null;
    yield* outside ?? (await this.applyGroups(zone, groups, signal));
  }

  /** Few names by questions, many by the whole zone; all are known after it. */
  protected async readNames(
    zone: Zone,
    names: readonly DnsName[],
    signal: AbortSignal,
  ): Promise<Listing<T>> {
    const questions = this.questions(names, zone);
    const most = this.questionsMax(this.#callsOf.get(zone.id) ?? null);
    if (questions === null || questions.length > most) return this.#readZone(zone, names, signal);
    const items: T[] = [];
    let calls = 0;
    for (const question of questions) {
      if (calls > 0) await this.turn();
      const found = await this.ask(zone, question, signal);
      if (found === null) {
        await this.turn();
        const whole = await this.#readZone(zone, names, signal);
        return { items: whole.items, calls: calls + 1 + whole.calls };
      }
      this.#keep(zone, question, found.items);
      items.push(...found.items);
      calls += found.calls;
    }
    return { items, calls };
  }

  /** `names`: known after it even where they have no items. */
  async #readZone(zone: Zone, names: readonly DnsName[], signal: AbortSignal): Promise<Listing<T>> {
    const read = await this.listZone(zone, signal);
    const isWhole = (): boolean => this.toSets(read.items, zone).some(({ type }) => type === "SOA");
    if (this.listsSoa && !isWhole())
      throw incomplete(`the zone ${zone.name} cannot be read: the answer has no SOA record`);
    this.#callsOf.set(zone.id, read.calls);
    this.known.forgetZone(zone);
    this.#keep(zone, [...names, ...read.items.map((item) => this.nameOf(item))], read.items);
    return read;
  }

  #keep(zone: Zone, names: readonly DnsName[], items: readonly T[]): void {
    const byName = new Map<DnsName, T[]>(names.map((name) => [name, []]));
    for (const item of items) byName.get(this.nameOf(item))?.push(item);
    for (const [name, found] of byName) this.remember(zone, name, found);
  }

  /** A name none of whose items is worth keeping is as one that was not read. */
  protected remember(zone: Zone, name: DnsName, items: readonly T[]): void {
    const kept = this.worthKeeping(items);
    if (kept.length === 0 && items.length > 0) this.known.forget(zone, name);
    else this.known.put(zone, name, kept);
  }

  /** The answer of a call that reads; it fails with an error that may be shown. */
  protected async read<R>(what: string, call: () => Promise<R>): Promise<R> {
    try {
      return await call();
    } catch (error) {
      throw explainCall(shownTrouble(this.environment, error, what), what, this.refusals);
    }
  }
}

/** Names that a group writes, each once. */
export function namesOf({ changes }: Pick<ChangeGroup, "changes">): readonly DnsName[] {
  return [...new Set(changes.map((change) => writtenSet(change).name))];
}

/** The record set that a change writes, or removes. */
export function writtenSet(change: Change): RecordSet {
  return change.op === "remove" ? change.previous : change.next;
}

/**
 * What the group makes of the record sets, those of its names at least. Null = its preconditions,
 * or what it changes, are not as they were read, or a CNAME would have other data beside it (RFC
 * 1034 §3.6.2).
 */
export function setsAfterGroup(
  sets: readonly RecordSet[],
  group: ChangeGroup,
  normalized: (set: RecordSet) => RecordSet,
): readonly RecordSet[] | null {
  const has = (set: RecordSet): boolean =>
    sets.some((one) => isSameKey(one, set) && hasSameData(one, normalized(set)));
  for (const one of group.preconditions) {
    if (one.is === "exact" && !has(one.set)) return null;
    if (one.is === "absent" && sets.some((set) => isSameKey(set, one.key))) return null;
    if (one.is === "name-unused" && sets.some(({ name }) => name === one.name)) return null;
  }
  const gone = group.changes.flatMap((one) => (one.op === "create" ? [] : [one.previous]));
  const come = group.changes.flatMap((one) => (one.op === "remove" ? [] : [normalized(one.next)]));
  const kept = sets.filter((set) => !gone.some((one) => isSameKey(one, set)));
  const isTaken = come.some(({ name, type }) =>
    kept.some((set) => set.name === name && [set.type, type].includes("CNAME")),
  );
  const isThere = come.some((set) => kept.some((one) => isSameKey(one, set)));
  return gone.every(has) && !isTaken && !isThere ? [...kept, ...come] : null;
}

/** True where no other one of the zones is a longer one that has the name. */
export function isOfZone(name: DnsName, zone: DnsName, zones: readonly DnsName[]): boolean {
  if (!isAtOrBelow(name, zone)) return false;
  return !zones.some((apex) => apex.length > zone.length && isAtOrBelow(name, apex));
}

/** Null = all names are in the zone. */
function outsideOutcomes(zone: Zone, groups: readonly ChangeGroup[]): readonly Outcome[] | null {
  const outside = groups.map((group) =>
    namesOf(group).find((name) => !isAtOrBelow(name, zone.name)),
  );
  if (outside.every((name) => name === undefined)) return null;
  return groups.map(({ name }, index): Outcome => {
    if (outside[index] === undefined) return refusedTogether(name);
    const message = `${outside[index]} is not in the zone ${zone.name}`;
    return { name, status: "rejected", code: "InvalidName", message };
  });
}
