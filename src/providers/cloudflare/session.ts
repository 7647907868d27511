/**
 * One account of Cloudflare: reads its zones and sends batches. Batching, retries and ownership are
 * not its business. Records have ids; a bounded number of those that were read is kept.
 */
import { type DnsName, isAtOrBelow } from "../../model/dns-name.ts";
import { type Fields, fieldsOf, listOf, textOf } from "../../model/object-fields.ts";
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
import { allOf, explained, shownTrouble } from "../shared/call-rules.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import { refusedTogether } from "../shared/failed-calls.ts";
import { type Listing, listNumbered } from "../shared/pages.ts";
import { CloudflareApi } from "./api.ts";
import { auditSet } from "./audit.ts";
import { batchBody, type Operation, toBatch, unknownNames } from "./batch.ts";
import { type NamedRecord, normalizeSet, toRecord, toRecordSets } from "./convert.ts";
import { explain, outcomesOf } from "./failures.ts";
import {
  capabilitiesOf,
  KNOWN_RECORDS_MAX,
  leastLimits,
  type PlanLimits,
  planLimits,
  QUESTIONS_PER_PAGE,
  RECORDS_PER_PAGE,
  ZONES_PER_PAGE,
} from "./limits.ts";
import type { CloudflareOptions } from "./options.ts";
import { type Question, questionsFor } from "./questions.ts";
import { type KnownRecord, RecordIds } from "./record-ids.ts";
import { toFacts, withApex, type ZoneFacts } from "./zone-facts.ts";

/** As in `DNSProvider.spec.type`. */
export const CLOUDFLARE_TYPE = "cloudflare-dns";

/** See `ProviderSession`. Methods may be called concurrently. */
export class CloudflareSession implements ProviderSession {
  readonly rateKey: string;
  readonly #options: CloudflareOptions;
  readonly #environment: ProviderEnvironment;
  readonly #api: CloudflareApi;
  readonly #ids = new RecordIds(KNOWN_RECORDS_MAX);
  /** By zone id; at most one entry for each zone. */
  readonly #factsOf = new Map<string, ZoneFacts>();
  /** Pages of each zone when it was last listed; at most one entry for each zone. */
  readonly #pagesOf = new Map<string, number>();
  #capabilities = capabilitiesOf(planLimits(""));
  #pace: () => Promise<void> = async () => undefined;

  constructor(options: CloudflareOptions, environment: ProviderEnvironment) {
    this.#options = options;
    this.#environment = environment;
    this.#api = new CloudflareApi(options, environment);
    this.rateKey = rateKeyOf(options, environment);
  }

  /** Of the zone with the smallest plan, as soon as the zones were listed. */
  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  capabilitiesOf(zone: Zone): Capabilities {
    return capabilitiesOf(this.#limitsOf(zone));
  }

  pace(before: () => Promise<void>): void {
    this.#pace = before;
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const request = { path: "/zones", perPage: ZONES_PER_PAGE, what: "the list of zones" };
    const { items } = await this.#list(request, signal);
    const zones = items.flatMap((item) => this.#toZone(fieldsOf(item)));
    const plans = zones.map((zone) => this.#limitsOf(zone));
    this.#capabilities = capabilitiesOf(leastLimits(plans));
    return zones;
  }

  /** By few questions for names, unless there are many more of them than pages of the zone. */
  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const facts = await this.#facts(zone, signal);
    const wanted = names === null ? null : new Set(names);
    const questions = questionsFor([...(wanted ?? [])], zone.name);
    const pages = this.#pagesOf.get(zone.id) ?? Number.POSITIVE_INFINITY;
    const read =
      wanted === null || questions.length > QUESTIONS_PER_PAGE * pages
        ? await this.#readZone(zone, signal)
        : await this.#readNames(zone, questions, signal);
    const sets = withApex(toRecordSets(read.records), zone, facts).filter(
      ({ name }) => wanted === null || wanted.has(name),
    );
    return { sets: [...sets].sort(compareKeys), token: null, pages: read.calls };
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone, this.#limitsOf(zone));
  }

  normalize(set: RecordSet, zone: Zone): RecordSet {
    return normalizeSet(set, this.#limitsOf(zone));
  }

  /** One batch for all groups; a name whose ids are not known is read before. */
  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncIterable<Outcome> {
    if (groups.length === 0) return;
    const outside = groups.map((group) => outsideOf(group, zone));
    if (outside.some((name) => name !== null)) {
      yield* groups.map(({ name }, index) => outcomeOutside(name, outside[index] ?? null, zone));
      return;
    }
    const recordsAt = (name: DnsName) => this.#ids.at(zone.id, name);
    const unread = unknownNames(groups, recordsAt);
    if (unread.length > 0) await this.#pace();
    await this.#readNames(zone, questionsFor(unread, zone.name), signal);
    const { operations, missing } = toBatch(groups, recordsAt, this.#limitsOf(zone));
    if (missing.size > 0) {
      yield* groups.map(({ name }, index) =>
        missing.has(index) ? goneOutcome(name) : refusedTogether(name),
      );
      return;
    }
    yield* await this.#send(zone, { groups, operations }, signal);
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
      const path = `/zones/${encodeURIComponent(zone.id)}/dns_records/batch`;
      const change = { body: batchBody(operations), changes: zone.name };
      const result = await this.#api.post(path, change, signal);
      this.#learn(zone, operations, result);
      return applied;
    } catch (error) {
      const shown = shownTrouble(this.#environment, error, "the changes were not made");
      const outcomes = outcomesOf(shown, groups, operations);
      this.#forget(zone, groups, outcomes);
      return outcomes;
    }
  }

  /** Ids of names that are not what they were, or may not be. */
  #forget(zone: Zone, groups: readonly ChangeGroup[], outcomes: readonly Outcome[]): void {
    for (const [index, { status }] of outcomes.entries()) {
      if (status !== "unknown" && status !== "precondition-failed") continue;
      for (const name of namesOf(groups[index])) this.#ids.forget(zone.id, name);
    }
  }

  /** What a batch answers: the records that it deleted, changed and created. */
  #learn(zone: Zone, operations: readonly Operation[], result: Fields): void {
    const gone = new Set(operations.map(({ body }) => textOf(body["id"])));
    const come = ["patches", "posts"].flatMap((list) => recordsOf(listOf(result[list]) ?? []));
    for (const name of new Set(operations.map((operation) => operation.name))) {
      const staying = this.#ids.at(zone.id, name).filter(({ id }) => !gone.has(id));
      const added = come.filter((one) => one.name === name).map(({ record }) => record);
      this.#ids.put(zone.id, name, [...staying, ...added]);
    }
  }

  async #readZone(zone: Zone, signal: AbortSignal): Promise<ReadRecords> {
    const read = await this.#readRecords(zone, {}, signal);
    this.#pagesOf.set(zone.id, read.calls);
    this.#keep(zone, new Set(read.records.map(({ name }) => name)), read.records);
    return read;
  }

  async #readNames(
    zone: Zone,
    questions: readonly Question[],
    signal: AbortSignal,
  ): Promise<ReadRecords> {
    const records: NamedRecord[] = [];
    let calls = 0;
    for (const { names, query } of questions) {
      if (calls > 0) await this.#pace();
      const read = await this.#readRecords(zone, query, signal);
      this.#keep(zone, names, read.records);
      records.push(...read.records);
      calls += read.calls;
    }
    return { records, calls };
  }

  #keep(zone: Zone, names: Iterable<DnsName>, records: readonly NamedRecord[]): void {
    const byName = new Map<DnsName, KnownRecord[]>([...names].map((name) => [name, []]));
    for (const { name, record } of records) byName.get(name)?.push(record);
    for (const [name, known] of byName) this.#ids.put(zone.id, name, known);
  }

  async #readRecords(
    zone: Zone,
    query: Question["query"],
    signal: AbortSignal,
  ): Promise<ReadRecords> {
    const path = `/zones/${encodeURIComponent(zone.id)}/dns_records`;
    const request = { path, perPage: RECORDS_PER_PAGE, query, what: `the zone ${zone.name}` };
    const { items, calls } = await this.#list(request, signal);
    return { records: allOf(items, toRecord, request.what), calls };
  }

  #list(request: ListingRequest, signal: AbortSignal): Promise<Listing> {
    const { path, perPage, query = {}, what } = request;
    return this.#read(`${what} cannot be read`, () =>
      listNumbered({
        what,
        page: (page) => this.#api.list(path, { page, perPage, query }, signal),
        idOf: (item) => textOf(fieldsOf(item)["id"]),
        pace: () => this.#pace(),
      }),
    );
  }

  #read<T>(what: string, call: () => Promise<T>): Promise<T> {
    return explained(call, { environment: this.#environment, what, explain });
  }

  /** Known from the listing of zones; else the zone is asked for. */
  async #facts(zone: Zone, signal: AbortSignal): Promise<ZoneFacts> {
    const known = this.#factsOf.get(zone.id);
    if (known !== undefined) return known;
    const path = `/zones/${encodeURIComponent(zone.id)}`;
    const what = `the zone ${zone.name} cannot be read`;
    const facts = toFacts(await this.#read(what, () => this.#api.get(path, signal)));
    this.#factsOf.set(zone.id, facts);
    return facts;
  }

  #limitsOf({ id }: Zone): PlanLimits {
    return this.#factsOf.get(id)?.limits ?? planLimits("");
  }

  #toZone(fields: Fields): readonly Zone[] {
    const { zoneType, origin } = this.#options;
    const [id, name] = [textOf(fields["id"]), textOf(fields["name"])];
    if (id === null || name === null) return [];
    const facts = toFacts(fields);
    const visibility = facts.isPrivate ? "private" : "public";
    if (facts.isSecondary || (zoneType !== null && zoneType !== visibility)) return [];
    this.#factsOf.set(id, facts);
    return [
      {
        id,
        name: nameFromUnicode(name),
        providerType: CLOUDFLARE_TYPE,
        endpoint: new URL(origin).host,
        view: "",
        ...(facts.isPrivate ? { visibility: "private" } : {}),
      },
    ];
  }
}

interface ListingRequest {
  readonly path: string;
  readonly perPage: number;
  readonly query?: Readonly<Record<string, string>>;
  /** What it is, for messages: `the zone example.org`. */
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

function recordsOf(items: readonly unknown[]): readonly NamedRecord[] {
  return items.map(toRecord).filter((record) => record !== null);
}

/** The API does not say whose a token is; equal ones are of one user. The hash is no secret. */
function rateKeyOf(
  { credentials, origin }: CloudflareOptions,
  { crypto }: Pick<ProviderEnvironment, "crypto">,
): string {
  const secret = "token" in credentials ? credentials.token : credentials.email;
  const hash = crypto.hash("sha256", new TextEncoder().encode(secret));
  const text = [...hash.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${CLOUDFLARE_TYPE} ${origin} ${text}`;
}

function namesOf(group: ChangeGroup | undefined): readonly DnsName[] {
  return (group?.changes ?? []).map((change) =>
    change.op === "remove" ? change.previous.name : change.next.name,
  );
}

/** The API would put the zone behind such a name. */
function outsideOf(group: ChangeGroup, zone: Zone): DnsName | null {
  return namesOf(group).find((name) => !isAtOrBelow(name, zone.name)) ?? null;
}

function outcomeOutside(name: DnsName, outside: DnsName | null, zone: Zone): Outcome {
  if (outside === null) return refusedTogether(name);
  const message = `${outside} is not in the zone ${zone.name}`;
  return { name, status: "rejected", code: "InvalidName", message };
}

function goneOutcome(name: DnsName): Outcome {
  const message = "a record that is to be replaced does not exist any more";
  return { name, status: "precondition-failed", message };
}
