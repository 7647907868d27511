/**
 * One account of Amazon Route 53: reads its zones and sends batches. Batching, retries and
 * ownership are not its business; the SDK repeats nothing.
 */
import {
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  type HostedZone,
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandInput,
  type ListResourceRecordSetsCommandOutput,
  NoSuchChange,
  Route53Client,
} from "@aws-sdk/client-route-53";
import { OperationError } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Problem } from "../../model/problem.ts";
import { compareKeys, type RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type {
  Capabilities,
  Propagation,
  ProviderEnvironment,
  ProviderSession,
  ZoneSnapshot,
} from "../provider.ts";
import { explained, incomplete, shownTrouble } from "../shared/call-rules.ts";
import { RoleAssumer } from "./assume-role.ts";
import { auditSet } from "./audit.ts";
import { hasRewrites, normalizeSet, toChanges, toRecordSet } from "./convert.ts";
import { explain, ofOwnIdentity, outcomesOf, withEmulatorHint } from "./failures.ts";
import {
  CALL_TIMEOUT_MS,
  CAPABILITIES,
  EMULATED,
  PAGES_MAX,
  SETS_PER_NAME,
  SETS_PER_PAGE,
} from "./limits.ts";
import { isOtherService, type Route53Options, type StaticCredentials } from "./options.ts";
import { type CommandOptions, RequestHandler } from "./request-handler.ts";
import { fromName, toName } from "./text.ts";

/** As in `DNSProvider.spec.type`. */
export const ROUTE53_TYPE = "aws-route53";

/** Sent to the vendor's own endpoint; part of the identity of its zones. */
const ENDPOINT_DEFAULT = "route53.amazonaws.com";

/** The next page of a listing, or where it begins. */
type Page = Partial<ListResourceRecordSetsCommandInput>;

/** See `ProviderSession`. Methods may be called concurrently. */
export class Route53Session implements ProviderSession {
  readonly capabilities: Capabilities;
  readonly rateKey: string;
  readonly #options: Route53Options;
  readonly #environment: ProviderEnvironment;
  readonly #client: Route53Client;
  readonly #handler: RequestHandler;
  readonly #assumer: RoleAssumer | null = null;
  readonly #stopped = new AbortController();
  /** Pages of each zone when it was last listed; at most one entry for each zone. */
  readonly #pagesOf = new Map<string, number>();
  #pace: () => Promise<void> = async () => undefined;

  constructor(options: Route53Options, environment: ProviderEnvironment) {
    this.#options = options;
    this.capabilities = options.isEmulator ? EMULATED : CAPABILITIES;
    this.#environment = environment;
    this.rateKey = rateKeyOf(options);
    this.#handler = new RequestHandler(environment.http);
    const { credentials, endpoint, region, role } = options;
    const client = {
      region,
      maxAttempts: 1,
      requestHandler: this.#handler,
      ...(credentials === null ? {} : { credentials }),
      ...(endpoint === null ? {} : { endpoint }),
    };
    const plain = new Route53Client(client);
    const source = (): Promise<StaticCredentials> =>
      credentials === null
        ? ofOwnIdentity(() => plain.config.credentials())
        : Promise.resolve(credentials);
    const assumer =
      role === null ? null : new RoleAssumer({ ...options, role, source }, environment);
    this.#assumer = assumer;
    const chosen = () => (assumer === null ? source() : assumer.assume());
    this.#client = new Route53Client({ ...client, credentials: chosen });
  }

  pace(before: () => Promise<void>): void {
    this.#pace = before;
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const zones: Zone[] = [];
    let marker: string | undefined;
    for (let page = 0; page < PAGES_MAX; page++) {
      if (page > 0) await this.#pace();
      const answer = await this.#read("the hosted zones cannot be listed", () =>
        this.#client.send(new ListHostedZonesCommand({ Marker: marker }), this.#with(null, signal)),
      );
      zones.push(...(answer.HostedZones ?? []).flatMap((zone) => this.#toZone(zone)));
      // Required by the description; what lacks it is no listing but a page of somebody between.
      if (answer.IsTruncated === undefined) break;
      if (!answer.IsTruncated) return zones;
      marker = answer.NextMarker;
      if (marker === undefined) break;
    }
    throw incomplete("the listing of hosted zones has no end, or is none");
  }

  /** Names one by one, unless a listing of the zone takes fewer calls. */
  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const unique = names === null ? null : [...new Set(names)];
    const pages = this.#pagesOf.get(zone.id) ?? Number.POSITIVE_INFINITY;
    const sets: RecordSet[] = [];
    let calls = 0;
    if (unique === null || unique.length > pages) {
      const all = await this.#list(zone, null, signal);
      if (!all.sets.some(({ type }) => type === "SOA"))
        throw incomplete(`the zone ${zone.name} cannot be read: the answer has no SOA record`);
      this.#pagesOf.set(zone.id, all.calls);
      sets.push(...all.sets.filter((set) => unique === null || unique.includes(set.name)));
      calls = all.calls;
    } else
      for (const name of unique) {
        if (calls > 0) await this.#pace();
        const found = await this.#list(zone, name, signal);
        sets.push(...found.sets);
        calls += found.calls;
      }
    return { sets: sets.sort(compareKeys), token: null, pages: calls };
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone);
  }

  normalize(set: RecordSet): RecordSet {
    return normalizeSet(set);
  }

  /** One ChangeResourceRecordSets for all groups. */
  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncIterable<Outcome> {
    if (groups.length === 0) return;
    const Changes = toChanges(groups, zone.id, this.#options.isEmulator);
    const input = { HostedZoneId: zone.id, ChangeBatch: { Changes } };
    let receipt: string;
    try {
      const command = new ChangeResourceRecordSetsCommand(input);
      const { ChangeInfo } = await this.#client.send(command, this.#with(zone.name, signal));
      if (ChangeInfo?.Id === undefined) throw new Error("the answer tells of no change");
      receipt = ChangeInfo.Id.replace(/^\/?change\//, "");
    } catch (error) {
      const shown = shownTrouble(this.#environment, error, "the changes were not made");
      const isAsked = this.#isMaybeEmulator && hasRewrites(Changes);
      for (const outcome of outcomesOf(shown, groups, this.#isOwnIdentity))
        yield isAsked ? withEmulatorHint(outcome) : outcome;
      return;
    }
    for (const { name } of groups) yield { name, status: "applied", receipt };
  }

  /** GetChange: PENDING, then INSYNC. A change that is not known any more is an old one. */
  async propagationOf(_zone: Zone, receipt: string, signal: AbortSignal): Promise<Propagation> {
    const ask = () =>
      this.#client.send(new GetChangeCommand({ Id: receipt }), this.#with(null, signal));
    try {
      const { ChangeInfo } = await this.#read(`the change ${receipt} cannot be read`, ask);
      return { is: ChangeInfo?.Status === "INSYNC" ? "live" : "pending" };
    } catch (error) {
      if (error instanceof OperationError && error.cause instanceof NoSuchChange)
        return { is: "live" };
      throw error;
    }
  }

  close(): void {
    this.#stopped.abort();
    this.#client.destroy();
    this.#handler.destroy();
    this.#assumer?.close();
  }

  /** All record sets, or those at one name. Pages are read while the zone may change. */
  async #list(
    zone: Zone,
    name: DnsName | null,
    signal: AbortSignal,
  ): Promise<{ readonly sets: readonly RecordSet[]; readonly calls: number }> {
    const sets: RecordSet[] = [];
    const MaxItems = name === null ? SETS_PER_PAGE : SETS_PER_NAME;
    let page: Page | null = name === null ? {} : { StartRecordName: fromName(name) };
    for (let calls = 1; calls <= PAGES_MAX; calls++) {
      if (calls > 1) await this.#pace();
      const input = { HostedZoneId: zone.id, MaxItems, ...page };
      const answer = await this.#read(`the zone ${zone.name} cannot be read`, () =>
        this.#client.send(new ListResourceRecordSetsCommand(input), this.#with(null, signal)),
      );
      sets.push(...setsOf(answer, zone).filter((set) => name === null || set.name === name));
      page = nextPage(answer, zone.name);
      const isPast = name !== null && toName(page?.StartRecordName ?? "") !== name;
      if (page === null || isPast) return { sets, calls };
    }
    throw incomplete(`the listing of the zone ${zone.name} has no end`);
  }

  #read<T>(what: string, call: () => Promise<T>): Promise<T> {
    return explained(call, {
      environment: this.#environment,
      what,
      explain: (error, text) => explain(error, text, this.#isOwnIdentity),
    });
  }

  get #isOwnIdentity(): boolean {
    return this.#options.credentials === null;
  }

  get #isMaybeEmulator(): boolean {
    const { endpoint, isEmulator } = this.#options;
    return !isEmulator && isOtherService(endpoint);
  }

  /** `changes`: the apex of the zone that a command changes; null = it reads. */
  #with(changes: DnsName | null, signal: AbortSignal): CommandOptions {
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    return { changes, abortSignal: AbortSignal.any([signal, this.#stopped.signal, timeout]) };
  }

  #toZone({ Id, Name, Config }: HostedZone): readonly Zone[] {
    const { zoneType, endpoint } = this.#options;
    const visibility = Config?.PrivateZone === true ? "private" : "public";
    if (zoneType !== null && zoneType !== visibility) return [];
    return [
      {
        id: (Id ?? "").replace(/^\/?hostedzone\//, ""),
        name: toName(Name ?? ""),
        providerType: ROUTE53_TYPE,
        endpoint: endpoint === null ? ENDPOINT_DEFAULT : new URL(endpoint).host,
        view: "",
        ...(visibility === "private" ? { visibility } : {}),
      },
    ];
  }
}

/** The account of a role is known; whose a key is is not, and equal ones are of one account. */
function rateKeyOf({ endpoint, region, role, credentials }: Route53Options): string {
  const account = role?.arn.split(":")[4] ?? credentials?.accessKeyId ?? "";
  return [ROUTE53_TYPE, endpoint ?? region, account].join(" ");
}

function setsOf(
  { ResourceRecordSets = [] }: ListResourceRecordSetsCommandOutput,
  zone: Zone,
): readonly RecordSet[] {
  if (ResourceRecordSets.some(({ Name, Type }) => Name === undefined || Type === undefined))
    throw incomplete(`a record set of the zone ${zone.name} has no name or type`);
  return ResourceRecordSets.map((set) => toRecordSet(set, zone.id));
}

/** Null = the page was the last one. */
function nextPage(answer: ListResourceRecordSetsCommandOutput, zone: DnsName): Page | null {
  // As in the listing of hosted zones (Z-6).
  if (answer.IsTruncated === undefined)
    throw incomplete(`the answer is no listing of the zone ${zone}`);
  if (!answer.IsTruncated) return null;
  const { NextRecordName, NextRecordType, NextRecordIdentifier } = answer;
  if (NextRecordName === undefined) throw incomplete(`the listing of the zone ${zone} has no end`);
  return {
    StartRecordName: NextRecordName,
    StartRecordType: NextRecordType,
    StartRecordIdentifier: NextRecordIdentifier,
  };
}
