/**
 * One account of Alibaba Cloud DNS: reads its zones and writes records, one a call. Batching,
 * retries and ownership are not its business. Records are written by id; a bounded number of ids is
 * kept, and one that is missing is read before its record is written.
 */
import { type DnsName, isAtOrBelow } from "../../model/dns-name.ts";
import { type Fields, fieldsOf, textOf } from "../../model/object-fields.ts";
import type { Problem } from "../../model/problem.ts";
import { compareKeys, type RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import type {
  Capabilities,
  ProviderEnvironment,
  ProviderSession,
  ZoneSnapshot,
} from "../provider.ts";
import { BoundedMap } from "../shared/bounded-map.ts";
import { allOf, explained, shownTrouble } from "../shared/call-rules.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import { PARTLY_MADE } from "../shared/failed-calls.ts";
import { type Listing, listNumbered } from "../shared/pages.ts";
import { RefusedCall } from "../shared/refused-call.ts";
import { AliDnsApi, type ListedCall } from "./api.ts";
import { auditSet } from "./audit.ts";
import {
  idOf,
  type KnownRecord,
  LINE_DEFAULT,
  normalizeSet,
  toRecord,
  toRecordSets,
} from "./convert.ts";
import { explain, outcomeOf, throwIfThrottled } from "./failures.ts";
import {
  capabilitiesOf,
  KNOWN_NAMES_MAX,
  QUESTION_PER_PAGE,
  QUESTIONS_MAX,
  RECORDS_PER_PAGE,
  TTL_SECONDS_MIN,
  ZONES_PER_PAGE,
} from "./limits.ts";
import type { AliDnsOptions } from "./options.ts";
import { lacksRecords, type Step, stepsOf } from "./steps.ts";
import { toFacts, withApex, type ZoneFacts } from "./zone-facts.ts";

/** As in `DNSProvider.spec.type`. */
export const ALIDNS_TYPE = "alicloud-dns";

/** See `ProviderSession`. Methods may be called concurrently. */
export class AliDnsSession implements ProviderSession {
  readonly rateKey: string;
  readonly #origin: string;
  readonly #environment: ProviderEnvironment;
  readonly #api: AliDnsApi;
  readonly #known = new BoundedMap<readonly KnownRecord[]>(KNOWN_NAMES_MAX);
  /** By zone id; at most one entry for each zone, and none for one whose edition changed. */
  readonly #factsOf = new Map<string, ZoneFacts>();
  readonly #editionOf = new Map<string, string>();
  /** Pages of each zone when it was last listed; at most one entry for each zone. */
  readonly #pagesOf = new Map<string, number>();
  #pace: () => Promise<void> = async () => undefined;

  constructor(options: AliDnsOptions, environment: ProviderEnvironment) {
    this.#origin = options.origin;
    this.#environment = environment;
    this.#api = new AliDnsApi(options, environment);
    this.rateKey = `${ALIDNS_TYPE} ${options.origin} ${options.key?.id ?? ""}`;
  }

  /** Of the free edition. */
  get capabilities(): Capabilities {
    return capabilitiesOf(TTL_SECONDS_MIN);
  }

  capabilitiesOf(zone: Zone): Capabilities {
    return capabilitiesOf(this.#ttlMin(zone));
  }

  pace(before: () => Promise<void>): void {
    this.#pace = before;
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const call = { action: "DescribeDomains", outer: "Domains", inner: "Domain", parameters: {} };
    const { items } = await this.#list(
      { ...call, perPage: ZONES_PER_PAGE },
      { what: "the list of zones", idOf: zoneIdOf, signal },
    );
    return items.map(fieldsOf).flatMap((fields) => this.#toZone(fields));
  }

  /** Few names one by one; more by the whole zone, where that takes no more calls. */
  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const asked = this.#factsOf.has(zone.id) ? 0 : 1;
    const facts = await this.#facts(zone, signal);
    const wanted = names === null ? null : new Set(names);
    const questionsMax = Math.max(QUESTIONS_MAX, this.#pagesOf.get(zone.id) ?? 1);
    if (asked > 0) await this.#pace();
    const read =
      wanted === null || wanted.size > questionsMax
        ? await this.#readZone(zone, facts, signal)
        : await this.#readNames(zone, facts, { names: [...wanted], signal });
    const sets = withApex(toRecordSets(read.records), zone, facts).filter(
      ({ name }) => wanted?.has(name) ?? true,
    );
    return { sets: [...sets].sort(compareKeys), token: null, pages: read.calls + asked };
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone, this.#ttlMin(zone));
  }

  normalize(set: RecordSet, zone: Zone): RecordSet {
    return normalizeSet(set, this.#ttlMin(zone));
  }

  /** A call for each value that comes or goes; `capabilities` say that there is one group. */
  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncIterable<Outcome> {
    for (const group of groups) yield await this.#applyGroup(zone, group, signal);
  }

  close(): void {
    this.#api.close();
  }

  /** In order; whatever fails after the first call leaves a name that must be read. */
  async #applyGroup(zone: Zone, group: ChangeGroup, signal: AbortSignal): Promise<Outcome> {
    const { name } = group;
    const sent: Step[] = [];
    try {
      for (const change of group.changes) await this.#applyChange(zone, { change, sent }, signal);
      return { name, status: "applied" };
    } catch (error) {
      const shown = shownTrouble(this.#environment, error, "the change was not made");
      // Throws where nothing was done: what is known stays.
      const outcome = sent.length > 0 ? PARTLY_MADE : outcomeOf(shown, group);
      for (const change of group.changes) this.#known.forget(keyOf(zone, setOf(change).name));
      if (sent.length > 0) throwIfThrottled(shown);
      return { ...outcome, name };
    }
  }

  /** `sent`: gets each step that was answered. */
  async #applyChange(
    zone: Zone,
    { change, sent }: { readonly change: Change; readonly sent: Step[] },
    signal: AbortSignal,
  ): Promise<void> {
    for (const step of await this.#steps(zone, this.#normalized(change, zone), signal)) {
      if (sent.length > 0) await this.#pace();
      await this.#write(zone, step, signal);
      sent.push(step);
    }
  }

  /** The API refuses a TTL that is out of its bounds, such as that of a marker. */
  #normalized(change: Change, zone: Zone): Change {
    return change.op === "remove" ? change : { ...change, next: this.normalize(change.next, zone) };
  }

  /** Refused if a value that is to be replaced is not there any more, or one is disabled. */
  async #steps(zone: Zone, change: Change, signal: AbortSignal): Promise<readonly Step[]> {
    const facts = await this.#facts(zone, signal);
    const set = setOf(change);
    if (!isAtOrBelow(set.name, zone.name)) throw outside(set.name, zone);
    const recordsOf = (): readonly KnownRecord[] =>
      (this.#known.at(keyOf(zone, set.name)) ?? []).filter(
        ({ type, line }) => type === set.type && line === LINE_DEFAULT,
      );
    if (lacksRecords(change, recordsOf()) || recordsOf().some(({ isDisabled }) => isDisabled)) {
      await this.#pace();
      await this.#readNames(zone, facts, { names: [set.name], signal });
      if (recordsOf().some(({ isDisabled }) => isDisabled)) throw disabledSet(set);
      if (change.op === "replace" && lacksRecords(change, recordsOf())) throw changedSet();
    }
    return stepsOf(change, recordsOf(), { apex: zone.name, domainName: facts.domainName });
  }

  /** An answer without an id leaves a record that is read before it is written again. */
  async #write(zone: Zone, step: Step, signal: AbortSignal): Promise<void> {
    const { action, parameters, name, id, record } = step;
    const answer = await this.#api.send({ action, parameters, changes: zone.name }, signal);
    const written = id ?? idOf(answer["RecordId"]);
    const key = keyOf(zone, name);
    const others = (this.#known.at(key) ?? []).filter((one) => one.id !== written);
    const own = record === null || written === null ? [] : [{ ...record, id: written }];
    this.#known.put(key, [...others, ...own]);
  }

  async #readZone(zone: Zone, facts: ZoneFacts, signal: AbortSignal): Promise<ReadRecords> {
    const listed = { ...RECORDS, action: "DescribeDomainRecords", perPage: RECORDS_PER_PAGE };
    const parameters = { DomainName: facts.domainName };
    const read = await this.#readRecords(zone, { ...listed, parameters }, signal);
    this.#pagesOf.set(zone.id, read.calls);
    this.#keep(zone, new Set(read.records.map(({ name }) => name)), read.records);
    return read;
  }

  async #readNames(
    zone: Zone,
    { domainName }: ZoneFacts,
    { names, signal }: { readonly names: readonly DnsName[]; readonly signal: AbortSignal },
  ): Promise<ReadRecords> {
    const records: KnownRecord[] = [];
    let calls = 0;
    for (const name of names) {
      if (calls > 0) await this.#pace();
      const listed = { ...RECORDS, action: "DescribeSubDomainRecords", perPage: QUESTION_PER_PAGE };
      const parameters = { SubDomain: fullName(name, zone, domainName), DomainName: domainName };
      const read = await this.#readRecords(zone, { ...listed, parameters }, signal);
      const found = read.records.filter((record) => record.name === name);
      this.#keep(zone, [name], found);
      records.push(...found);
      calls += read.calls;
    }
    return { records, calls };
  }

  #keep(zone: Zone, names: Iterable<DnsName>, records: readonly KnownRecord[]): void {
    const byName = new Map<DnsName, KnownRecord[]>([...names].map((name) => [name, []]));
    for (const record of records) byName.get(record.name)?.push(record);
    for (const [name, known] of byName) this.#known.put(keyOf(zone, name), known);
  }

  async #readRecords(zone: Zone, call: ListedCall, signal: AbortSignal): Promise<ReadRecords> {
    const idOfRecord = (item: unknown): string | null => idOf(fieldsOf(item)["RecordId"]);
    const what = `the zone ${zone.name}`;
    const { items, calls } = await this.#list(call, { what, idOf: idOfRecord, signal });
    return { records: allOf(items, (item) => toRecord(item, zone.name), what), calls };
  }

  #list(call: ListedCall, { what, idOf: id, signal }: ListedThings): Promise<Listing> {
    return this.#read(`${what} cannot be read`, () =>
      listNumbered({
        what,
        page: (number) => this.#api.page(call, number, signal),
        idOf: id,
        pace: () => this.#pace(),
      }),
    );
  }

  #read<T>(what: string, call: () => Promise<T>): Promise<T> {
    return explained(call, { environment: this.#environment, what, explain });
  }

  /** Asked for once, and when the edition of the zone is another one. */
  async #facts(zone: Zone, signal: AbortSignal): Promise<ZoneFacts> {
    const known = this.#factsOf.get(zone.id);
    if (known !== undefined) return known;
    const parameters = { DomainName: zone.name };
    const call = { action: "DescribeDomainInfo", parameters, changes: null };
    const what = `the zone ${zone.name} cannot be read`;
    const facts = toFacts(await this.#read(what, () => this.#api.send(call, signal)), zone);
    this.#factsOf.set(zone.id, facts);
    return facts;
  }

  #ttlMin({ id }: Zone): number {
    return this.#factsOf.get(id)?.ttlSecondsMin ?? TTL_SECONDS_MIN;
  }

  #toZone(fields: Fields): readonly Zone[] {
    const name = textOf(fields["PunyCode"]) ?? textOf(fields["DomainName"]);
    const id = zoneIdOf(fields);
    if (name === null || id === null) return [];
    const edition = textOf(fields["VersionCode"]) ?? "";
    if (this.#editionOf.get(id) !== edition) this.#factsOf.delete(id);
    this.#editionOf.set(id, edition);
    const endpoint = new URL(this.#origin).host;
    return [{ id, name: nameFromUnicode(name), providerType: ALIDNS_TYPE, endpoint, view: "" }];
  }
}

const RECORDS = { outer: "DomainRecords", inner: "Record" } as const;

interface ListedThings {
  /** For messages. */
  readonly what: string;
  readonly idOf: (item: unknown) => string | null;
  readonly signal: AbortSignal;
}

/** Records, and the calls that it took. */
interface ReadRecords {
  readonly records: readonly KnownRecord[];
  readonly calls: number;
}

/** Zones of other people's domains may have no id of their own. */
function zoneIdOf(item: unknown): string | null {
  const fields = fieldsOf(item);
  return idOf(fields["DomainId"]) ?? textOf(fields["DomainName"]);
}

/** With the zone's name as calls have it. */
function fullName(name: DnsName, zone: Zone, domainName: string): string {
  return name === zone.name ? domainName : `${name.slice(0, -zone.name.length)}${domainName}`;
}

/** Calls name the host alone, so that the API would put the zone behind it. */
function outside(name: DnsName, zone: Zone): RefusedCall {
  const text = `${name} is not in the zone ${zone.name}`;
  return new RefusedCall({ status: 400, text, reason: "InvalidName", retryAfterMs: null });
}

function changedSet(): RefusedCall {
  const text = "a record that is to be replaced does not exist any more";
  return new RefusedCall({ status: 412, text, reason: "changed", retryAfterMs: null });
}

/** Enabled later, it would stand beside ours, or be one that was given up. */
function disabledSet({ name, type }: RecordSet): RefusedCall {
  const text = `the record set ${name} ${type} has disabled records; enable or delete them in Alibaba Cloud DNS`;
  return new RefusedCall({ status: 400, text, reason: "disabled", retryAfterMs: null });
}

function setOf(change: Change): RecordSet {
  return change.op === "remove" ? change.previous : change.next;
}

function keyOf(zone: Zone, name: DnsName): string {
  return `${zone.id} ${name}`;
}
