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
import type { Change } from "../../plan/changes.ts";
import type { Capabilities, ProviderEnvironment } from "../provider.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import { allOf, type Listing } from "../shared/pages.ts";
import { type MadeApex, withApex } from "../shared/plain-sets.ts";
import {
  type MovedRecords,
  type NamedRecord,
  RecordSession,
  type ValueChange,
} from "../shared/record-session.ts";
import { type Question, writtenSet } from "../shared/vendor-session.ts";
import { sessionType } from "../shared/vendor-type.ts";
import { CloudflareApi, type Listed, REFUSALS } from "./api.ts";
import {
  attributesOf,
  auditSet,
  fromRecord,
  hasAttributesOf,
  type KnownRecord,
  normalizeSet,
  toRecord,
  toRecordSets,
} from "./convert.ts";
import { capabilitiesOf, LIMITS, type PlanLimits, planLimits } from "./limits.ts";
import { type CloudflareOptions, parseOptions } from "./options.ts";

/** As in `DNSProvider.spec.type`. */
const CLOUDFLARE_TYPE = "cloudflare-dns";

/** The lists of a batch, in the order in which the API carries them out. */
const LISTS = ["deletes", "patches", "posts"] as const;

/** One operation. */
interface Operation {
  readonly list: (typeof LISTS)[number];
  readonly body: Fields;
}

/** See `VendorSession`. */
class CloudflareSession extends RecordSession<KnownRecord, Operation> {
  /** Of the smallest plan. */
  readonly capabilities: Capabilities = capabilitiesOf(planLimits(""));
  readonly rateKey: string;
  readonly #options: CloudflareOptions;
  readonly #api: CloudflareApi;
  /** By zone id; at most one entry for each zone. */
  readonly #factsOf = new Map<string, ZoneFacts>();

  constructor(options: CloudflareOptions, environment: ProviderEnvironment) {
    super(environment, REFUSALS);
    this.#options = options;
    this.#api = new CloudflareApi(options, environment);
    // The API does not say whose a token is; equal ones are of one user. The hash is no secret.
    const { origin, credentials } = options;
    const secret = "token" in credentials ? credentials.token : credentials.email;
    const hash = environment.crypto.hash("sha256", new TextEncoder().encode(secret));
    this.rateKey = `${CLOUDFLARE_TYPE} ${origin} ${hexText(hash.slice(0, 8))}`;
  }

  capabilitiesOf(zone: Zone): Capabilities {
    return capabilitiesOf(this.#facts(zone).limits);
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const listed = { perPage: LIMITS.zonesPerPage, what: "the list of zones" };
    const { items } = await this.#list("/zones", listed, signal);
    return items.flatMap((item) => this.#toZone(fieldsOf(item)) ?? []);
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone, this.#facts(zone).limits);
  }

  normalize(set: RecordSet, zone: Zone): RecordSet {
    return normalizeSet(set, this.#facts(zone).limits);
  }

  close(): void {
    this.#api.close();
  }

  protected override questionsMax(zoneCalls: number | null): number {
    return LIMITS.questionsPerPage * (zoneCalls ?? Number.POSITIVE_INFINITY);
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

  protected toSets(items: readonly NamedRecord<KnownRecord>[], zone: Zone): readonly RecordSet[] {
    return withApex(toRecordSets(items), zone.name, this.#facts(zone).apex);
  }

  protected listZone(zone: Zone, signal: AbortSignal): Promise<Listing<NamedRecord<KnownRecord>>> {
    return this.#records(zone, {}, signal);
  }

  /** All names of a question end with its first one. */
  protected override ask(
    zone: Zone,
    [name, ...more]: Question,
    signal: AbortSignal,
  ): Promise<Listing<NamedRecord<KnownRecord>>> {
    const query = more.length === 0 ? { "name.exact": name } : { "name.endswith": name };
    return this.#records(zone, query, signal);
  }

  /**
   * Values that go are deleted by their ids, values that come are created, and a value that stays
   * is changed in place where its TTL or proxy status is another.
   */
  protected operationsOf(
    change: Change,
    { before, staying, going, coming }: ValueChange<KnownRecord>,
    zone: Zone,
  ): readonly Operation[] {
    const set = writtenSet(change);
    const { name, type } = set;
    const { tags, ...comment } = before.find((record) => record.notes !== undefined)?.notes ?? {};
    // What the plan has no place for would be refused for good (9300).
    const notes =
      this.#facts(zone).limits.hasTags && tags !== undefined ? { ...comment, tags } : comment;
    const changed = staying.filter((record) => !hasAttributesOf(set, record));
    // Name and type stay; the vendor's description of `patches` requires them.
    const patchOf = ({ id }: KnownRecord): Fields => ({ id, name, type, ...attributesOf(set) });
    return [
      ...going.map(({ id }) => ({ list: "deletes", body: { id } }) as const),
      ...changed.map((record) => ({ list: "patches", body: patchOf(record) }) as const),
      ...coming.map((value) => ({ list: "posts", body: fromRecord(set, value, notes) }) as const),
    ];
  }

  /** The answer has the records that were deleted, changed and created. */
  protected async send(
    zone: Zone,
    operations: readonly Operation[],
    signal: AbortSignal,
  ): Promise<MovedRecords<KnownRecord>> {
    const path = `${zonePath(zone)}/dns_records/batch`;
    const [body, changes] = [batchBody(operations), zone.name];
    const { result } = await this.#api.fields({ method: "POST", path, body, changes }, signal);
    const gone = new Set(operations.map(({ body: { id } }) => id));
    const come = ["patches", "posts"]
      .flatMap((list) => listOf(fieldsOf(result)[list]) ?? [])
      .flatMap((item) => toRecord(item) ?? []);
    return { isGone: ({ id }) => gone.has(id), come };
  }

  async #records(
    zone: Zone,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Listing<NamedRecord<KnownRecord>>> {
    const listed = { perPage: LIMITS.recordsPerPage, query, what: `the zone ${zone.name}` };
    const { items, calls } = await this.#list(`${zonePath(zone)}/dns_records`, listed, signal);
    return { items: allOf(items, toRecord, listed.what), calls };
  }

  #list(path: string, listed: Listed, signal: AbortSignal): Promise<Listing> {
    const pacing = { pace: this.turn, signal };
    return this.read(`${listed.what} cannot be read`, () => this.#api.list(path, listed, pacing));
  }

  #facts({ id }: Zone): ZoneFacts {
    return this.#factsOf.get(id) ?? toFacts({});
  }

  #toZone(fields: Fields): Zone | null {
    const { zoneType, origin } = this.#options;
    const [id, name] = [textOf(fields["id"]), textOf(fields["name"])];
    if (id === null || name === null) return null;
    const facts = toFacts(fields);
    const visibility = facts.isPrivate ? "private" : "public";
    if (facts.isSecondary || (zoneType !== null && zoneType !== visibility)) return null;
    this.#factsOf.set(id, facts);
    const of = { providerType: CLOUDFLARE_TYPE, endpoint: new URL(origin).host, view: "" };
    return { id, name: nameFromUnicode(name), ...of, visibility };
  }
}

/** Secret: `CLOUDFLARE_API_TOKEN`; see options.ts for the rest. */
export const CLOUDFLARE_PROVIDER = sessionType(CLOUDFLARE_TYPE, parseOptions, CloudflareSession);

/** The body of the request; a list without operations is left out. */
function batchBody(operations: readonly Operation[]): Fields {
  const lists = LISTS.map((list) => [
    list,
    operations.filter((one) => one.list === list).map(({ body }) => body),
  ]);
  return Object.fromEntries(lists.filter(([, bodies]) => bodies?.length !== 0));
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

/** From a zone of "List Zones" or "Zone Details"; of nothing: the smallest plan, no servers. */
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
