/** One account of Cloudflare: its zones, and batches of records that are named by their ids. */
import { hexText } from "@zonekeeper/base/bytes";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import {
  type Fields,
  fieldsOf,
  listOf,
  textOf,
  textsOf,
} from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import type { Capabilities, ProviderEnvironment } from "../provider.ts";
import {
  type Batch,
  BatchSession,
  heldTogether,
  type ItemsAt,
  type Sent,
} from "../shared/batch-session.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import { allOf, type Listing, listNumbered } from "../shared/pages.ts";
import { type MadeApex, withApex } from "../shared/plain-sets.ts";
import type { Question } from "../shared/vendor-session.ts";
import { CloudflareApi, REFUSALS } from "./api.ts";
import { batchBody, isAboutOperation, type Operation, toBatch, unknownNames } from "./batch.ts";
import { auditSet, type NamedRecord, normalizeSet, toRecord, toRecordSets } from "./convert.ts";
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

/** As in `DNSProvider.spec.type`. */
export const CLOUDFLARE_TYPE = "cloudflare-dns";

/** See `VendorSession`. */
export class CloudflareSession extends BatchSession<NamedRecord> {
  readonly rateKey: string;
  protected override readonly listsSoa = false;
  readonly #options: CloudflareOptions;
  readonly #api: CloudflareApi;
  /** By zone id; at most one entry for each zone. */
  readonly #factsOf = new Map<string, ZoneFacts>();
  #capabilities = capabilitiesOf(planLimits(""));

  constructor(options: CloudflareOptions, environment: ProviderEnvironment) {
    super(environment, { refusals: REFUSALS, itemsMax: KNOWN_RECORDS_MAX });
    this.#options = options;
    this.#api = new CloudflareApi(options, environment);
    // The API does not say whose a token is; equal ones are of one user. The hash is no secret.
    const { origin, credentials } = options;
    const secret = "token" in credentials ? credentials.token : credentials.email;
    const hash = environment.crypto.hash("sha256", new TextEncoder().encode(secret));
    this.rateKey = `${CLOUDFLARE_TYPE} ${origin} ${hexText(hash.slice(0, 8))}`;
  }

  /** Of the zone with the smallest plan, as soon as the zones were listed. */
  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  capabilitiesOf(zone: Zone): Capabilities {
    return capabilitiesOf(this.#limitsOf(zone));
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const request = { path: "/zones", perPage: ZONES_PER_PAGE, what: "the list of zones" };
    const { items } = await this.#list(request, signal);
    const zones = items.flatMap((item) => this.#toZone(fieldsOf(item)) ?? []);
    const plans = zones.map((zone) => this.#limitsOf(zone));
    this.#capabilities = capabilitiesOf(leastLimits(plans));
    return zones;
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone, this.#limitsOf(zone));
  }

  normalize(set: RecordSet, zone: Zone): RecordSet {
    return normalizeSet(set, this.#limitsOf(zone));
  }

  close(): void {
    this.#api.close();
  }

  protected override questionsMax(zoneCalls: number | null): number {
    return QUESTIONS_PER_PAGE * (zoneCalls ?? Number.POSITIVE_INFINITY);
  }

  /**
   * A marker mostly has the name of its data at its end: names that end with another one are asked
   * for with it, which comes first; not with the apex.
   */
  protected override questions(names: readonly DnsName[], zone: Zone): readonly Question[] {
    const byEnd = new Map<DnsName, Question>();
    // Of the ends so far, from the shortest on: of thousands of names each is compared with few.
    const lengths = new Set<number>();
    for (const name of [...new Set(names)].sort((a, b) => a.length - b.length)) {
      const ends = [...lengths].map((length) => trustedDnsName(name.slice(-length)));
      const end = ends.find((one) => one !== zone.name && byEnd.has(one)) ?? name;
      const known = byEnd.get(end);
      byEnd.set(end, known === undefined ? [name] : [...known, name]);
      lengths.add(end.length);
    }
    return [...byEnd.values()];
  }

  /** The facts are known from the listing of zones; else the zone is asked for. */
  protected override async ready(zone: Zone, signal: AbortSignal): Promise<number> {
    if (this.#factsOf.has(zone.id)) return 0;
    const what = `the zone ${zone.name} cannot be read`;
    const fields = await this.read(what, () => this.#api.result(zonePath(zone), signal));
    this.#factsOf.set(zone.id, toFacts(fields));
    return 1;
  }

  protected nameOf({ name }: NamedRecord): DnsName {
    return name;
  }

  protected toSets(items: readonly NamedRecord[], zone: Zone): readonly RecordSet[] {
    const facts = this.#factsOf.get(zone.id);
    const sets = toRecordSets(items);
    return facts === undefined ? sets : withApex(sets, zone.name, facts.apex);
  }

  protected listZone(zone: Zone, signal: AbortSignal): Promise<Listing<NamedRecord>> {
    return this.#records(zone, {}, signal);
  }

  /** All names of a question end with its first one. */
  protected ask(
    zone: Zone,
    [name, ...more]: Question,
    signal: AbortSignal,
  ): Promise<Listing<NamedRecord>> {
    const query = more.length === 0 ? { "name.exact": name } : { "name.endswith": name };
    return this.#records(zone, query, signal);
  }

  protected override unread(
    groups: readonly ChangeGroup[],
    at: ItemsAt<NamedRecord>,
  ): readonly DnsName[] {
    return unknownNames(groups, recordsBy(at));
  }

  protected batchOf(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Batch<NamedRecord> {
    const recordsAt = recordsBy((name) => this.known.at(zone, name));
    const { operations, missing } = toBatch(groups, recordsAt, this.#limitsOf(zone));
    return {
      held: heldTogether(groups, missing),
      isAbout: (group, _text, pointer) => isAboutOperation(group, pointer, operations),
      send: () => this.#send(zone, operations, signal),
    };
  }

  /** The answer has the records that were deleted, changed and created. */
  async #send(
    zone: Zone,
    operations: readonly Operation[],
    signal: AbortSignal,
  ): Promise<Sent<NamedRecord>> {
    if (operations.length === 0) return { after: new Map() };
    const path = `${zonePath(zone)}/dns_records/batch`;
    const change = { body: batchBody(operations), changes: zone.name };
    const result = await this.#api.post(path, change, signal);
    const gone = new Set(operations.map(({ body }) => textOf(body["id"])));
    const after = new Map(
      operations.map(({ name }) => {
        const known = this.known.at(zone, name) ?? [];
        return [name, known.filter(({ record }) => !gone.has(record.id))] as const;
      }),
    );
    const come = ["patches", "posts"]
      .flatMap((list) => listOf(result[list]) ?? [])
      .flatMap((item) => toRecord(item) ?? []);
    for (const one of come) after.get(one.name)?.push(one);
    return { after };
  }

  async #records(
    zone: Zone,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Listing<NamedRecord>> {
    const path = `${zonePath(zone)}/dns_records`;
    const request = { path, perPage: RECORDS_PER_PAGE, query, what: `the zone ${zone.name}` };
    const { items, calls } = await this.#list(request, signal);
    return { items: allOf(items, toRecord, request.what), calls };
  }

  #list(request: ListingRequest, signal: AbortSignal): Promise<Listing> {
    const { path, perPage, query = {}, what } = request;
    return this.read(`${what} cannot be read`, () =>
      listNumbered({
        what,
        page: (page) => this.#api.list(path, { page, perPage, query }, signal),
        idOf: (item) => textOf(fieldsOf(item)["id"]),
        pace: this.turn,
      }),
    );
  }

  #limitsOf({ id }: Zone): PlanLimits {
    return this.#factsOf.get(id)?.limits ?? planLimits("");
  }

  #toZone(fields: Fields): Zone | null {
    const { zoneType, origin } = this.#options;
    const [id, name] = [textOf(fields["id"]), textOf(fields["name"])];
    if (id === null || name === null) return null;
    const facts = toFacts(fields);
    const visibility = facts.isPrivate ? "private" : "public";
    if (facts.isSecondary || (zoneType !== null && zoneType !== visibility)) return null;
    this.#factsOf.set(id, facts);
    return {
      id,
      name: nameFromUnicode(name),
      providerType: CLOUDFLARE_TYPE,
      endpoint: new URL(origin).host,
      view: "",
      visibility,
    };
  }
}

interface ListingRequest {
  readonly path: string;
  readonly perPage: number;
  readonly query?: Readonly<Record<string, string>>;
  /** What it is, for messages: `the zone example.org`. */
  readonly what: string;
}

function recordsBy(at: ItemsAt<NamedRecord>) {
  return (name: DnsName) => (at(name) ?? []).map(({ record }) => record);
}

function zonePath({ id }: Zone): string {
  return `/zones/${encodeURIComponent(id)}`;
}

// What the listing of zones tells beside their names: the plan, and the name servers. The API shows
// neither SOA nor NS records of an apex; they are made of it.

/** Of one zone. */
interface ZoneFacts {
  readonly limits: PlanLimits;
  /** What the servers answer for the apex, but for the serial. */
  readonly apex: MadeApex;
  /** Enterprise's internal DNS. */
  readonly isPrivate: boolean;
  /** Its records come from another primary server, and cannot be written. */
  readonly isSecondary: boolean;
}

/** From a zone of "List Zones" or "Zone Details". */
function toFacts(zone: Fields): ZoneFacts {
  const type = textOf(zone["type"]) ?? "full";
  const vanity = textsOf(zone["vanity_name_servers"]) ?? [];
  const servers = vanity.length > 0 ? vanity : (textsOf(zone["name_servers"]) ?? []);
  return {
    limits: planLimits(textOf(fieldsOf(zone["plan"])["legacy_id"]) ?? ""),
    apex: {
      // None = the vendor does not answer for the zone (partial and internal ones).
      nameServers: type === "full" ? servers.map(nameFromUnicode) : [],
      // Docs "Nameserver options": the default TTL of NS records.
      nsTtlSeconds: 86_400,
      // Docs "DNS record types", SOA: the defaults of TTL, refresh, retry, expire and minimum.
      soaTtlSeconds: 3600,
      soaRest: "dns.cloudflare.com 0 10000 2400 604800 1800",
    },
    isPrivate: type === "internal",
    isSecondary: type === "secondary",
  };
}
