/**
 * One account of Alibaba Cloud DNS: its zones, and records that are written one a call, by their
 * ids; one whose id is not known is read before it is written.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change } from "../../plan/changes.ts";
import type { Capabilities, ProviderEnvironment } from "../provider.ts";
import { CallSession, type Calls } from "../shared/call-session.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import { allOf, countOf, type Listing } from "../shared/pages.ts";
import { type MadeApex, withApex } from "../shared/plain-sets.ts";
import { valueChange } from "../shared/record-session.ts";
import { changedCall, RefusedCall } from "../shared/refused-call.ts";
import { type Question, writtenSet } from "../shared/vendor-session.ts";
import { sessionType } from "../shared/vendor-type.ts";
import { AliDnsApi, type ListedCall, REFUSALS } from "./api.ts";
import {
  auditSet,
  fromValue,
  idOf,
  type KnownRecord,
  LINE_DEFAULT,
  normalizeSet,
  toRecord,
  toRecordSets,
} from "./convert.ts";
import { capabilitiesOf, LIMITS } from "./limits.ts";
import { type AliDnsOptions, parseOptions } from "./options.ts";

/** As in `DNSProvider.spec.type`. */
const ALIDNS_TYPE = "alicloud-dns";

/** See `VendorSession`. */
class AliDnsSession extends CallSession<KnownRecord> {
  readonly rateKey: string;
  protected override readonly listsSoa = false;
  readonly #origin: string;
  readonly #api: AliDnsApi;
  /** By zone id; at most one entry for each zone, and none for one whose edition changed. */
  readonly #factsOf = new Map<string, ZoneFacts>();
  readonly #editionOf = new Map<string, string>();

  constructor(options: AliDnsOptions, environment: ProviderEnvironment) {
    super(environment, REFUSALS);
    this.#origin = options.origin;
    this.#api = new AliDnsApi(options, environment);
    this.rateKey = `${ALIDNS_TYPE} ${options.origin} ${options.key?.id ?? ""}`;
  }

  /** Of the free edition. */
  get capabilities(): Capabilities {
    return capabilitiesOf(LIMITS.ttlSecondsMin);
  }

  capabilitiesOf(zone: Zone): Capabilities {
    return capabilitiesOf(this.#facts(zone).ttlSecondsMin);
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const { items } = await this.#list(
      {
        ...{ action: "DescribeDomains", outer: "Domains", inner: "Domain", parameters: {} },
        ...{ perPage: LIMITS.zonesPerPage, what: "the list of zones", idOf: zoneIdOf },
      },
      signal,
    );
    return items.map(fieldsOf).flatMap((fields) => this.#toZone(fields) ?? []);
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone, this.#facts(zone).ttlSecondsMin);
  }

  normalize(set: RecordSet, zone: Zone): RecordSet {
    return normalizeSet(set, this.#facts(zone).ttlSecondsMin);
  }

  close(): void {
    this.#api.close();
  }

  protected override questionsMax(zoneCalls: number | null): number {
    return Math.max(LIMITS.questionsMax, zoneCalls ?? 1);
  }

  /** The facts are asked for once, and when the edition of the zone is another one. */
  protected override async ready(zone: Zone, signal: AbortSignal): Promise<number> {
    if (this.#factsOf.has(zone.id)) return 0;
    const parameters = { DomainName: zone.name };
    const call = { action: "DescribeDomainInfo", parameters, changes: null };
    const what = `the zone ${zone.name} cannot be read`;
    const fields = await this.read(what, () => this.#api.send(call, signal));
    this.#factsOf.set(zone.id, toFacts(fields, zone));
    return 1;
  }

  protected nameOf({ name }: KnownRecord): DnsName {
    return name;
  }

  protected toSets(items: readonly KnownRecord[], zone: Zone): readonly RecordSet[] {
    return withApex(toRecordSets(items), zone.name, this.#facts(zone).apex);
  }

  protected listZone(zone: Zone, signal: AbortSignal): Promise<Listing<KnownRecord>> {
    const parameters = { DomainName: this.#facts(zone).domainName };
    const listed = { action: "DescribeDomainRecords", perPage: LIMITS.recordsPerPage, parameters };
    return this.#records(zone, listed, signal);
  }

  protected override async ask(
    zone: Zone,
    [name]: Question,
    signal: AbortSignal,
  ): Promise<Listing<KnownRecord>> {
    const { domainName: DomainName } = this.#facts(zone);
    const labels = name.slice(0, -zone.name.length);
    const parameters = { SubDomain: `${labels}${DomainName}`, DomainName };
    const listed = {
      action: "DescribeSubDomainRecords",
      perPage: LIMITS.questionPerPage,
      parameters,
    };
    const { items, calls } = await this.#records(zone, listed, signal);
    return { items: items.filter((record) => record.name === name), calls };
  }

  /** A call for each value that comes or goes. */
  protected async makeChange(zone: Zone, change: Change, { send, signal }: Calls): Promise<null> {
    // The API refuses a TTL that is out of its bounds, such as that of a marker.
    const normalized =
      change.op === "remove" ? change : { ...change, next: this.normalize(change.next, zone) };
    const { name } = writtenSet(change);
    const steps = await this.#steps(zone, normalized, signal);
    for (const step of steps) await send(() => this.#write(zone, name, step, signal));
    return null;
  }

  /** Refused if a value that is to be replaced is not there any more, or one is disabled. */
  async #steps(zone: Zone, change: Change, signal: AbortSignal): Promise<readonly RecordStep[]> {
    await this.ready(zone, signal);
    const { name, type } = writtenSet(change);
    const recordsOf = (): readonly KnownRecord[] =>
      (this.known.at(zone, name) ?? []).filter(
        (one) => one.type === type && one.line === LINE_DEFAULT,
      );
    const lacksRecords = (): boolean => valueChange(change, recordsOf()).lacksRecords;
    const hasDisabled = (): boolean => recordsOf().some(({ isDisabled }) => isDisabled);
    if (lacksRecords() || hasDisabled()) {
      await this.turn();
      await this.readNames(zone, [name], signal);
      // Enabled later, one would stand beside ours, or be one that was given up.
      if (hasDisabled()) {
        const text = `the record set ${name} ${type} has disabled records; enable or delete them in Alibaba Cloud DNS`;
        throw new RefusedCall({ status: 400, text, reason: "disabled", retryAfterMs: null });
      }
      if (change.op === "replace" && lacksRecords())
        throw changedCall("a record that is to be replaced does not exist any more");
    }
    return stepsOf(change, recordsOf(), zone, this.#facts(zone).domainName);
  }

  /** An answer without an id leaves a record that is read before it is written again. */
  async #write(
    zone: Zone,
    name: DnsName,
    { action, parameters, record }: RecordStep,
    signal: AbortSignal,
  ): Promise<void> {
    const answer = await this.#api.send({ action, parameters, changes: zone.name }, signal);
    const id = parameters["RecordId"] ?? idOf(answer["RecordId"]);
    const come = record === null || id === null ? [] : [{ ...record, id }];
    this.learn(zone, name, { isGone: (known) => known.id === id, come });
  }

  async #records(
    zone: Zone,
    listed: Pick<ListedCall, "action" | "perPage" | "parameters">,
    signal: AbortSignal,
  ): Promise<Listing<KnownRecord>> {
    const what = `the zone ${zone.name}`;
    const idOfRecord = (item: unknown): string | null => idOf(fieldsOf(item)["RecordId"]);
    const records = { outer: "DomainRecords", inner: "Record", what, idOf: idOfRecord };
    const { items, calls } = await this.#list({ ...listed, ...records }, signal);
    return { items: allOf(items, (item) => toRecord(item, zone.name), what), calls };
  }

  #list(listed: ListedCall, signal: AbortSignal): Promise<Listing> {
    const pacing = { pace: this.turn, signal };
    return this.read(`${listed.what} cannot be read`, () => this.#api.list(listed, pacing));
  }

  #facts(zone: Zone): ZoneFacts {
    return this.#factsOf.get(zone.id) ?? toFacts({}, zone);
  }

  #toZone(fields: Fields): Zone | null {
    const name = textOf(fields["PunyCode"]) ?? textOf(fields["DomainName"]);
    const id = zoneIdOf(fields);
    if (name === null || id === null) return null;
    const edition = textOf(fields["VersionCode"]) ?? "";
    if (this.#editionOf.get(id) !== edition) this.#factsOf.delete(id);
    this.#editionOf.set(id, edition);
    const endpoint = new URL(this.#origin).host;
    return { id, name: nameFromUnicode(name), providerType: ALIDNS_TYPE, endpoint, view: "" };
  }
}

/** Secret: `ACCESS_KEY_ID` and `ACCESS_KEY_SECRET`; see options.ts for the rest. */
export const ALIDNS_PROVIDER = sessionType(ALIDNS_TYPE, parseOptions, AliDnsSession);

// A change of a record set as calls, each of which writes one record: a value that comes takes the
// place of one that goes. What comes is written before what goes is removed, so that the name
// always has an answer.

/** One call that writes. */
interface RecordStep {
  readonly action: "AddDomainRecord" | "UpdateDomainRecord" | "DeleteDomainRecord";
  /** `RecordId` is that of the record that is updated or removed; without it one is added. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What the record is afterwards; null = it is gone. */
  readonly record: Omit<KnownRecord, "id"> | null;
}

/** `records`: those of the record set as they are known; `domainName`: as calls name the zone. */
function stepsOf(
  change: Change,
  records: readonly KnownRecord[],
  zone: Pick<Zone, "name">,
  domainName: string,
): readonly RecordStep[] {
  const set = writtenSet(change);
  const { name, type, ttlSeconds } = set;
  const { staying, going, coming } = valueChange(change, records);
  const late = staying.filter((record) => record.ttlSeconds !== ttlSeconds);
  const write = (value: string, record: KnownRecord | undefined): RecordStep => {
    const of = record ? { RecordId: record.id } : { DomainName: domainName };
    return {
      action: record ? "UpdateDomainRecord" : "AddDomainRecord",
      parameters: { ...of, ...fromValue(set, value, zone.name) },
      record: { name, type, ttlSeconds, value, line: LINE_DEFAULT, isDisabled: false },
    };
  };
  return [
    ...coming.map((value, index) => write(value, going[index])),
    ...late.map((record) => write(record.value, record)),
    ...going.slice(coming.length).map(({ id }): RecordStep => {
      return { action: "DeleteDomainRecord", parameters: { RecordId: id }, record: null };
    }),
  ];
}

/** Zones of other people's domains may have no id of their own. */
function zoneIdOf(item: unknown): string | null {
  const fields = fieldsOf(item);
  return idOf(fields["DomainId"]) ?? textOf(fields["DomainName"]);
}

// What the API tells of a zone beside its records: the least TTL, which depends on the edition, and
// the name servers. It shows neither the SOA nor the vendor's NS records; they are made from it.

/** Of one zone. */
interface ZoneFacts {
  /** As calls name the zone; with the letters of its language. */
  readonly domainName: string;
  readonly ttlSecondsMin: number;
  /** What the servers answer for the apex, but for the serial. */
  readonly apex: MadeApex;
}

/** From `DescribeDomainInfo`; without it those of the free edition, and no name servers. */
function toFacts(fields: Fields, zone: Zone): ZoneFacts {
  const servers = fieldsOf(fields["DnsServers"])["DnsServer"];
  const texts = (Array.isArray(servers) ? servers : [servers]).flatMap((one) => textOf(one) ?? []);
  return {
    domainName: textOf(fields["DomainName"]) ?? zone.name,
    ttlSecondsMin: countOf(fields["MinTtl"]) ?? LIMITS.ttlSecondsMin,
    apex: {
      nameServers: texts.map(nameFromUnicode),
      nsTtlSeconds: LIMITS.apexTtlSeconds,
      soaTtlSeconds: LIMITS.soaTtlSeconds,
      // Refresh, retry, expire and minimum, as the vendor's servers answer.
      soaRest: "hostmaster.hichina.com 0 3600 1200 86400 600",
    },
  };
}
