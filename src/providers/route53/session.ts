/** One account of Amazon Route 53: its zones, and batches; the SDK repeats nothing. */
import {
  type Change as ApiChange,
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  type HostedZone,
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandInput,
  type ListResourceRecordSetsCommandOutput,
  Route53Client,
} from "@aws-sdk/client-route-53";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import type { Capabilities, Propagation, ProviderEnvironment } from "../provider.ts";
import { type Batch, BatchSession, type Sent } from "../shared/batch-session.ts";
import { incomplete } from "../shared/failed-calls.ts";
import { type LinkedPage, type Listing, listLinked } from "../shared/pages.ts";
import { unlessRefused } from "../shared/refused-call.ts";
import type { Question } from "../shared/vendor-session.ts";
import { sessionType } from "../shared/vendor-type.ts";
import { assumeRole } from "./assume-role.ts";
import { auditSet, normalizeSet, toChanges, toRecordSet } from "./convert.ts";
import { ofOwnIdentity, refusalsOf, toRefusal } from "./failures.ts";
import { CALL_TIMEOUT_MS, CAPABILITIES, SETS_PER_NAME, SETS_PER_PAGE } from "./limits.ts";
import { parseOptions, type Route53Options, type StaticCredentials } from "./options.ts";
import { type CommandOptions, RequestHandler } from "./request-handler.ts";
import { fromName, toName } from "./text.ts";

/** As in `DNSProvider.spec.type`. */
const ROUTE53_TYPE = "aws-route53";

/** Sent to the vendor's own endpoint; part of the identity of its zones. */
const ENDPOINT_DEFAULT = "route53.amazonaws.com";

/** The next page of a listing, or where it begins. */
type Page = Partial<ListResourceRecordSetsCommandInput>;

/** See `VendorSession`. Nothing is remembered: writes name record sets as they were read. */
class Route53Session extends BatchSession<RecordSet> {
  readonly audit = auditSet;
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly rateKey: string;
  /** The API names them whole, and refuses those of other zones. */
  protected override readonly namesHosts = false;
  readonly #options: Route53Options;
  readonly #client: Route53Client;
  readonly #handler: RequestHandler;
  readonly #stopped = new AbortController();

  constructor(options: Route53Options, environment: ProviderEnvironment) {
    super(environment, refusalsOf(options.credentials === null));
    this.#options = options;
    const { endpoint, region, role, credentials } = options;
    // The account of a role is known; whose a key is is not, and equal ones are of one account.
    const account = role?.arn.split(":")[4] ?? credentials?.accessKeyId ?? "";
    this.rateKey = [ROUTE53_TYPE, endpoint ?? region, account].join(" ");
    this.#handler = new RequestHandler(environment.http);
    this.#client = clientOf(options, this.#handler);
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const what = "the hosted zones cannot be listed";
    const { items } = await this.read(what, () =>
      listLinked(async (Marker: string | null): Promise<LinkedPage<Zone, string>> => {
        const command = new ListHostedZonesCommand({ ...(Marker !== null && { Marker }) });
        const answer = await this.#send(null, signal, (options) =>
          this.#client.send(command, options),
        );
        const { HostedZones = [], IsTruncated, NextMarker } = answer;
        const zones = HostedZones.flatMap((zone) => this.#toZone(zone) ?? []);
        if (IsTruncated === false) return { items: zones, next: null };
        // Required by the description; what lacks it is no listing but a page of somebody between.
        if (IsTruncated === undefined || NextMarker === undefined)
          throw incomplete("the listing of hosted zones has no end, or is none");
        return { items: zones, next: NextMarker };
      }, this.turn),
    );
    return items;
  }

  normalize(set: RecordSet, { id }: Zone): RecordSet {
    return normalizeSet(set, id);
  }

  /** GetChange: PENDING, then INSYNC. A change that is not known any more is an old one. */
  async propagationOf(_zone: Zone, receipt: string, signal: AbortSignal): Promise<Propagation> {
    const command = new GetChangeCommand({ Id: receipt });
    const ask = () => this.#send(null, signal, (options) => this.#client.send(command, options));
    const answer = await this.read(`the change ${receipt} cannot be read`, () =>
      unlessRefused(ask, ({ reason }) => reason === "NoSuchChange"),
    );
    return { is: answer === null || answer.ChangeInfo?.Status === "INSYNC" ? "live" : "pending" };
  }

  close(): void {
    this.#stopped.abort();
    this.#client.destroy();
    this.#handler.destroy();
  }

  protected nameOf({ name }: RecordSet): DnsName {
    return name;
  }

  protected toSets(items: readonly RecordSet[]): readonly RecordSet[] {
    return items;
  }

  protected override worthKeeping(): readonly RecordSet[] {
    return [];
  }

  protected listZone(zone: Zone, signal: AbortSignal): Promise<Listing<RecordSet>> {
    return this.#list(zone, null, signal);
  }

  protected override ask(
    zone: Zone,
    [name]: Question,
    signal: AbortSignal,
  ): Promise<Listing<RecordSet>> {
    return this.#list(zone, name, signal);
  }

  protected batchOf(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Batch<RecordSet> {
    const changes = toChanges(groups, zone.id);
    return { send: () => this.#change(zone, changes, signal) };
  }

  /** One ChangeResourceRecordSets for all groups. */
  async #change(zone: Zone, Changes: ApiChange[], signal: AbortSignal): Promise<Sent<RecordSet>> {
    const input = { HostedZoneId: zone.id, ChangeBatch: { Changes } };
    const command = new ChangeResourceRecordSetsCommand(input);
    const { ChangeInfo } = await this.#send(zone.name, signal, (options) =>
      this.#client.send(command, options),
    );
    if (ChangeInfo?.Id === undefined) throw new Error("the answer tells of no change");
    return { after: new Map(), receipt: ChangeInfo.Id.replace(/^\/?change\//, "") };
  }

  /** All record sets, or those at one name. Pages are read while the zone may change. */
  #list(zone: Zone, name: DnsName | null, signal: AbortSignal): Promise<Listing<RecordSet>> {
    const MaxItems = name === null ? SETS_PER_PAGE : SETS_PER_NAME;
    const first: Page = name === null ? {} : { StartRecordName: fromName(name) };
    return this.read(`the zone ${zone.name} cannot be read`, () =>
      listLinked(async (next: Page | null) => {
        const input = { HostedZoneId: zone.id, MaxItems, ...(next ?? first) };
        const command = new ListResourceRecordSetsCommand(input);
        const answer = await this.#send(null, signal, (options) =>
          this.#client.send(command, options),
        );
        const items = setsIn(answer, zone).filter((set) => name === null || set.name === name);
        const page = nextPage(answer, zone.name);
        const isPast = name !== null && toName(page?.StartRecordName ?? "") !== name;
        return { items, next: isPast ? null : page };
      }, this.turn),
    );
  }

  /** As the other vendors' APIs refuse. `changes`: the apex of the zone; null = it reads. */
  async #send<R>(
    changes: DnsName | null,
    signal: AbortSignal,
    send: (options: CommandOptions) => Promise<R>,
  ): Promise<R> {
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const abortSignal = AbortSignal.any([signal, this.#stopped.signal, timeout]);
    try {
      return await send({ changes, abortSignal });
    } catch (error) {
      throw toRefusal(error);
    }
  }

  #toZone({ Id, Name, Config }: HostedZone): Zone | null {
    const { zoneType, endpoint } = this.#options;
    const visibility = Config?.PrivateZone === true ? "private" : "public";
    if (zoneType !== null && zoneType !== visibility) return null;
    return {
      id: (Id ?? "").replace(/^\/?hostedzone\//, ""),
      name: toName(Name ?? ""),
      providerType: ROUTE53_TYPE,
      endpoint: endpoint === null ? ENDPOINT_DEFAULT : new URL(endpoint).host,
      view: "",
      visibility,
    };
  }
}

/** Secret: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` …; see options.ts for the rest. */
export const ROUTE53_PROVIDER = sessionType(ROUTE53_TYPE, parseOptions, Route53Session);

/** Asks as the Secret says: with its key, as this program itself, or as a role that it assumes. */
function clientOf(options: Route53Options, handler: RequestHandler): Route53Client {
  const { credentials, endpoint, region, role } = options;
  const common = {
    region,
    maxAttempts: 1,
    requestHandler: handler,
    ...(endpoint === null ? {} : { endpoint }),
  };
  const own = new Route53Client(common);
  const source = (): Promise<StaticCredentials> =>
    credentials === null
      ? ofOwnIdentity(() => own.config.credentials())
      : Promise.resolve(credentials);
  const caller = new Route53Client({ ...common, credentials: source });
  if (role === null) return caller;
  const chosen = () => assumeRole({ ...options, role, caller, handler });
  return new Route53Client({ ...common, credentials: chosen });
}

function setsIn(
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
