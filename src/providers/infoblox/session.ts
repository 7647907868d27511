/**
 * One account of an Infoblox Grid: reads the zones of a DNS view and sends transactions. Batching,
 * retries and ownership are not its business. Each write names references; a bounded number of
 * those that were read is kept.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, numberOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type {
  Capabilities,
  ProviderEnvironment,
  ProviderSession,
  ZoneSnapshot,
} from "../provider.ts";
import { BoundedMap } from "../shared/bounded-map.ts";
import { allOf, explained, incomplete, shownTrouble } from "../shared/call-rules.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import { InfobloxApi, type PartialCall } from "./api.ts";
import { auditSet } from "./audit.ts";
import { type Operation, toBatch, unknownNames } from "./batch.ts";
import {
  type KnownRecord,
  type NamedRecord,
  normalizeSet,
  toRecordSets,
  toRecords,
} from "./convert.ts";
import { explain, outcomesOf } from "./failures.ts";
import { CAPABILITIES, KNOWN_NAMES_MAX, OPERATIONS_MAX, TTL_SECONDS_DEFAULT } from "./limits.ts";
import { RECORD_OBJECTS } from "./objects.ts";
import type { InfobloxOptions } from "./options.ts";

/** As in `DNSProvider.spec.type`. */
export const INFOBLOX_TYPE = "infoblox-dns";

/** Names of one question: each is asked for in every kind of object. */
const NAMES_PER_QUESTION = Math.floor(OPERATIONS_MAX / RECORD_OBJECTS.length);

/** See `ProviderSession`. Methods may be called concurrently. */
export class InfobloxSession implements ProviderSession {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #options: InfobloxOptions;
  readonly #environment: ProviderEnvironment;
  readonly #api: InfobloxApi;
  readonly #known = new BoundedMap<readonly KnownRecord[]>(KNOWN_NAMES_MAX);
  /** By zone id; at most one entry for each zone. */
  readonly #factsOf = new Map<string, ZoneFacts>();
  /** Calls of each zone when it was last listed; at most one entry for each zone. */
  readonly #callsOf = new Map<string, number>();
  #pace: () => Promise<void> = async () => undefined;

  constructor(options: InfobloxOptions, environment: ProviderEnvironment) {
    this.#options = options;
    this.#environment = environment;
    this.#api = new InfobloxApi(options, environment);
  }

  pace(before: () => Promise<void>): void {
    this.#pace = before;
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const query = {
      view: this.#options.view,
      _return_fields: "fqdn,view,zone_format,disable,primary_type,soa_default_ttl",
    };
    const { items } = await this.#list(
      { object: "zone_auth", query, what: "the zones cannot be listed" },
      signal,
    );
    return items.map(fieldsOf).flatMap((zone) => this.#toZone(zone));
  }

  /** Few names in one call, many by the whole zone. */
  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const wanted = names === null ? null : [...new Set(names)];
    const questions = Math.ceil((wanted?.length ?? 0) / NAMES_PER_QUESTION);
    const calls = this.#callsOf.get(zone.id) ?? Number.POSITIVE_INFINITY;
    const read =
      wanted === null || questions > calls || wanted.some(isInternational)
        ? await this.#readZone(zone, signal)
        : await this.#readNames(zone, wanted, signal);
    const shown = new Set(wanted ?? []);
    const sets = toRecordSets(read.records).filter(
      ({ name }) => wanted === null || shown.has(name),
    );
    return { sets, token: null, pages: read.calls };
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone);
  }

  normalize(set: RecordSet): RecordSet {
    return normalizeSet(set);
  }

  /** One transaction for all groups; a name whose references are not known is read before. */
  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncIterable<Outcome> {
    if (groups.length === 0) return;
    const recordsAt = (name: DnsName): readonly KnownRecord[] =>
      this.#known.at(`${zone.id} ${name}`) ?? [];
    const unread = unknownNames(groups, recordsAt);
    if (unread.length > 0) {
      await this.#pace();
      if (unread.some(isInternational)) await this.#readZone(zone, signal);
      else await this.#readNames(zone, unread, signal);
    }
    const creation = { zone, extraAttributes: this.#options.extraAttributes };
    const batch = toBatch(groups, recordsAt, creation);
    yield* "outcomes" in batch
      ? batch.outcomes
      : await this.#send(zone, { groups, operations: batch.operations }, signal);
  }

  close(): void {
    this.#api.close();
  }

  async #send(
    zone: Zone,
    { groups, operations }: SentBatch,
    signal: AbortSignal,
  ): Promise<readonly Outcome[]> {
    const applied = groups.map(({ name }): Outcome => ({ name, status: "applied" }));
    if (operations.length === 0) return applied;
    try {
      const answers = await this.#api.request(operations.map(toCall), zone.name, signal);
      this.#learn(zone, operations, answers);
      return applied;
    } catch (error) {
      const shown = shownTrouble(this.#environment, error, "the changes were not made");
      // Throws where nothing was done: what is known stays.
      const outcomes = outcomesOf(shown, groups);
      for (const { name } of operations) this.#known.forget(`${zone.id} ${name}`);
      return outcomes;
    }
  }

  /** What the Grid answers: the reference of each object, which a change of its value changes. */
  #learn(zone: Zone, operations: readonly Operation[], answers: readonly unknown[]): void {
    const gone = new Set(operations.map(({ before }) => before?.ref));
    const refs = answers.map((answer) => textOf(answer) ?? textOf(fieldsOf(answer)["_ref"]));
    const come = operations.map(({ after }, at) => ({ after, ref: refs[at] ?? null }));
    for (const name of new Set(operations.map((operation) => operation.name))) {
      const key = `${zone.id} ${name}`;
      const staying = (this.#known.at(key) ?? []).filter(({ ref }) => !gone.has(ref));
      const added = come.filter((_, at) => operations[at]?.name === name);
      const whole = added.flatMap(({ after, ref }) =>
        after === null || ref === null ? [] : [{ ...after, ref }],
      );
      this.#known.put(key, [...staying, ...whole]);
    }
  }

  async #readZone(zone: Zone, signal: AbortSignal): Promise<ReadRecords> {
    const { ttl, fqdn } = await this.#facts(zone, signal);
    const records: NamedRecord[] = [];
    let calls = 0;
    for (const kind of RECORD_OBJECTS) {
      if (calls > 0) await this.#pace();
      const query = { zone: fqdn, view: zone.view, _return_fields: kind.fields };
      const what = `the zone ${zone.name} cannot be read`;
      const listing = await this.#list({ object: kind.object, query, what }, signal);
      records.push(
        ...recordsIn(
          zone,
          allOf(listing.items, (one) => toRecords(kind, one, ttl), `the zone ${zone.name}`).flat(),
        ),
      );
      calls += listing.calls;
    }
    this.#callsOf.set(zone.id, calls);
    this.#keep(zone, [], records);
    return { records, calls };
  }

  async #readNames(
    zone: Zone,
    names: readonly DnsName[],
    signal: AbortSignal,
  ): Promise<ReadRecords> {
    const records: NamedRecord[] = [];
    let calls = 0;
    for (let at = 0; at < names.length; at += NAMES_PER_QUESTION) {
      if (calls > 0) await this.#pace();
      const some = names.slice(at, at + NAMES_PER_QUESTION);
      records.push(...(await this.#ask(zone, some, signal)));
      calls += 1;
    }
    this.#keep(zone, names, records);
    return { records, calls };
  }

  /** Calls that read are no changes, although `request` is sent by POST. */
  async #ask(
    zone: Zone,
    names: readonly DnsName[],
    signal: AbortSignal,
  ): Promise<readonly NamedRecord[]> {
    const { ttl, fqdn } = await this.#facts(zone, signal);
    const what = `the zone ${zone.name} cannot be read`;
    const questions = names.flatMap((name) => RECORD_OBJECTS.map((kind) => ({ name, kind })));
    const calls = questions.map(
      ({ name, kind }): PartialCall => ({
        method: "GET",
        object: kind.object,
        data: { name, zone: fqdn, view: zone.view },
        args: { _return_fields: kind.fields },
      }),
    );
    const answers = await this.#read(what, () => this.#api.request(calls, null, signal));
    if (answers.length !== questions.length)
      throw incomplete(`${what}: the answer does not have one list for each question`);
    return questions.flatMap(({ name, kind }, at) => {
      const found = answers[at];
      if (!Array.isArray(found)) throw incomplete(`${what}: the answer holds no list`);
      const records = allOf(found, (one) => toRecords(kind, one, ttl), `the zone ${zone.name}`);
      return recordsIn(zone, records.flat()).filter((one) => one.name === name);
    });
  }

  #keep(zone: Zone, names: readonly DnsName[], records: readonly NamedRecord[]): void {
    const byName = new Map<DnsName, KnownRecord[]>(names.map((name) => [name, []]));
    for (const { name, record } of records) {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [record]);
      else known.push(record);
    }
    for (const [name, known] of byName) this.#known.put(`${zone.id} ${name}`, known);
  }

  async #list(
    { object, query, what }: ListedObjects,
    signal: AbortSignal,
  ): ReturnType<InfobloxApi["list"]> {
    const pace = (): Promise<void> => this.#pace();
    return this.#read(what, () => this.#api.list({ object, query, signal, pace }));
  }

  #read<T>(what: string, call: () => Promise<T>): Promise<T> {
    return explained(call, { environment: this.#environment, what, explain });
  }

  /** Known from the listing of zones. */
  async #facts(zone: Zone, signal: AbortSignal): Promise<ZoneFacts> {
    if (!this.#factsOf.has(zone.id)) await this.zones(signal);
    return this.#factsOf.get(zone.id) ?? { ttl: TTL_SECONDS_DEFAULT, fqdn: zone.name };
  }

  #toZone(fields: Fields): readonly Zone[] {
    const [id, name] = [textOf(fields["_ref"]), textOf(fields["fqdn"])];
    if (id === null || name === null || !isWritable(fields)) return [];
    const seconds = fields["soa_default_ttl"];
    const ttl = numberOf(seconds) ?? (Number(textOf(seconds) ?? 0) || TTL_SECONDS_DEFAULT);
    this.#factsOf.set(id, { ttl, fqdn: name });
    return [
      {
        id,
        name: nameFromUnicode(name),
        providerType: INFOBLOX_TYPE,
        endpoint: new URL(this.#options.server).host,
        view: textOf(fields["view"]) ?? this.#options.view,
      },
    ];
  }
}

interface ZoneFacts {
  /** Seconds of records without a TTL of their own. */
  readonly ttl: number;
  /** As the Grid writes it, which may be in Unicode. */
  readonly fqdn: string;
}

interface ListedObjects {
  readonly object: string;
  readonly query: Readonly<Record<string, string>>;
  /** What failed, for messages. */
  readonly what: string;
}

interface SentBatch {
  readonly groups: readonly ChangeGroup[];
  readonly operations: readonly Operation[];
}

interface ReadRecords {
  readonly records: readonly NamedRecord[];
  readonly calls: number;
}

/** The Grid may have such a name in Unicode: a question for its A-labels would miss it. */
function isInternational(name: DnsName): boolean {
  return name.split(".").some((label) => label.startsWith("xn--"));
}

/** A zone of names that this Grid answers for; networks are written as such, `192.0.2.0/24`. */
function isWritable(zone: Fields): boolean {
  const isForward = (textOf(zone["zone_format"]) ?? "FORWARD") === "FORWARD";
  const isDisabled = zone["disable"] === true || zone["disable"] === "true";
  return isForward && !isDisabled && zone["primary_type"] !== "External";
}

function recordsIn(zone: Zone, records: readonly NamedRecord[]): readonly NamedRecord[] {
  return records.filter(({ name }) => isAtOrBelow(name, zone.name));
}

function toCall({ method, object, data }: Operation): PartialCall {
  return { method, object, ...(data === null ? {} : { data }) };
}
