/**
 * One project of Google Cloud DNS: reads its zones and sends changes. Batching, retries and
 * ownership are not its business.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
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
import { withDot, withoutDot } from "../shared/dotted-rdata.ts";
import { refusedTogether } from "../shared/failed-calls.ts";
import { RefusedCall } from "../shared/refused-call.ts";
import { GoogleApi, type Listing, type ListRequest } from "./api.ts";
import { auditSet } from "./audit.ts";
import { type FormOf, fittingCount, isOutdated, toChange } from "./changes.ts";
import { normalizeSet, toRecordSets } from "./convert.ts";
import { explain, outcomesOf } from "./failures.ts";
import { CAPABILITIES } from "./limits.ts";
import type { GoogleOptions } from "./options.ts";
import { RawForms } from "./raw-forms.ts";

/** As in `DNSProvider.spec.type`. */
export const GOOGLE_TYPE = "google-clouddns";

/** A request without what each session adds to it. */
type Question = Pick<ListRequest, "path" | "field" | "kind" | "query">;

/** See `ProviderSession`. Methods may be called concurrently. */
export class GoogleSession implements ProviderSession {
  readonly capabilities: Capabilities = CAPABILITIES;
  /** Quotas are for a project. */
  readonly rateKey: string;
  readonly #options: GoogleOptions;
  readonly #environment: ProviderEnvironment;
  readonly #api: GoogleApi;
  readonly #forms = new RawForms();
  /** Pages of each zone when it was last listed; at most one entry for each zone. */
  readonly #pagesOf = new Map<string, number>();
  #pace: () => Promise<void> = async () => undefined;

  constructor(options: GoogleOptions, environment: ProviderEnvironment) {
    this.#options = options;
    this.#environment = environment;
    this.#api = new GoogleApi(options, environment);
    this.rateKey = `${GOOGLE_TYPE} ${options.origin} ${options.project}`;
  }

  pace(before: () => Promise<void>): void {
    this.#pace = before;
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const what = "the managed zones cannot be listed";
    const { items } = await this.#list(what, ZONES, signal);
    return items.map(fieldsOf).flatMap((fields) => this.#toZone(fields));
  }

  /** Names one by one, unless a listing of the zone takes fewer calls. */
  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const unique = names === null ? null : [...new Set(names)];
    const pages = this.#pagesOf.get(zone.id) ?? Number.POSITIVE_INFINITY;
    const isWhole = unique === null || unique.length > pages;
    const read = isWhole
      ? await this.#readZone(zone, signal)
      : await this.#readNames(zone, unique, signal);
    this.#forms.learn(zone, read.items, isWhole ? null : unique);
    const wanted = unique === null ? null : new Set(unique);
    const sets = read.items.flatMap(toRecordSets).filter(({ name }) => wanted?.has(name) ?? true);
    return { sets: sets.sort(compareKeys), token: null, pages: read.calls };
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone);
  }

  normalize(set: RecordSet): RecordSet {
    return normalizeSet(set);
  }

  /**
   * One changes.create for all groups but those that are known to be outdated; those that do not
   * fit go with the next one.
   */
  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncIterable<Outcome> {
    const formOf: FormOf = (name, type) => this.#forms.at(zone, name, type);
    const outdated = new Set(groups.filter((group) => isOutdated(group, formOf)));
    for (const { name } of outdated)
      yield { name, status: "precondition-failed", message: OTHER_MEMBERS };
    const sendable = groups.filter((group) => !outdated.has(group));
    const count = fittingCount(sendable, formOf);
    yield* sendable.slice(count).map(({ name }) => refusedTogether(name));
    if (sendable.length > 0) yield* this.#send(zone, sendable.slice(0, count), { formOf, signal });
  }

  async *#send(
    zone: Zone,
    groups: readonly ChangeGroup[],
    { formOf, signal }: { readonly formOf: FormOf; readonly signal: AbortSignal },
  ): AsyncIterable<Outcome> {
    const sent = toChange(groups, formOf);
    const body = {
      kind: "dns#change",
      deletions: sent.deletions.map((one) => one.body),
      additions: sent.additions.map((one) => one.body),
    };
    let receipt: string | null;
    try {
      const change = { body, changes: zone.name };
      receipt = receiptOf(await this.#api.post(`${zonePath(zone)}/changes`, change, signal));
    } catch (error) {
      const shown = shownTrouble(this.#environment, error, "the changes were not made");
      yield* outcomesOf(shown, groups, sent);
      return;
    }
    this.#forms.written(zone, sent);
    const more = receipt === null ? {} : { receipt };
    for (const { name } of groups) yield { name, status: "applied", ...more };
  }

  /**
   * changes.get: `pending`, then `done`, which says that the change was sent to all servers. A
   * change that is not known any more is an old one.
   */
  async propagationOf(zone: Zone, receipt: string, signal: AbortSignal): Promise<Propagation> {
    const path = `${zonePath(zone)}/changes/${encodeURIComponent(receipt)}`;
    const what = `the change ${receipt} cannot be read`;
    const ask = (): Promise<Fields> => this.#api.get(path, signal);
    try {
      const change = await explained(ask, { environment: this.#environment, what, explain });
      return { is: change["status"] === "done" ? "live" : "pending" };
    } catch (error) {
      if (isNotFound(error)) return { is: "live" };
      throw error;
    }
  }

  close(): void {
    this.#api.close();
  }

  async #readZone(zone: Zone, signal: AbortSignal): Promise<Listing> {
    const what = `the zone ${zone.name} cannot be read`;
    const read = await this.#list(what, setsOf(zone), signal);
    const isWhole = read.items.some((item) => textOf(fieldsOf(item)["type"]) === "SOA");
    if (!isWhole) throw incomplete(`${what}: the answer has no SOA record`);
    this.#pagesOf.set(zone.id, read.calls);
    return read;
  }

  async #readNames(zone: Zone, names: readonly DnsName[], signal: AbortSignal): Promise<Listing> {
    const items: unknown[] = [];
    let calls = 0;
    for (const name of names) {
      if (calls > 0) await this.#pace();
      const question = { ...setsOf(zone), query: { name: withDot(name) } };
      const read = await this.#list(`the zone ${zone.name} cannot be read`, question, signal);
      items.push(...read.items);
      calls += read.calls;
    }
    return { items, calls };
  }

  #list(what: string, question: Question, signal: AbortSignal): Promise<Listing> {
    const pace = (): Promise<void> => this.#pace();
    const list = (): Promise<Listing> => this.#api.list({ ...question, pace, signal });
    return explained(list, { environment: this.#environment, what, explain });
  }

  /** Zones that answer from elsewhere have no records of their own. */
  #toZone(fields: Fields): readonly Zone[] {
    const { project, origin, zoneType } = this.#options;
    const [id, name] = [textOf(fields["name"]), textOf(fields["dnsName"])];
    const isElsewhere = ELSEWHERE.some((key) => isSet(fields[key]));
    if (id === null || name === null || isElsewhere) return [];
    const visibility = textOf(fields["visibility"]) === "private" ? "private" : "public";
    if (zoneType !== null && zoneType !== visibility) return [];
    return [
      {
        id: `${project}/${id}`,
        name: withoutDot(name),
        providerType: GOOGLE_TYPE,
        endpoint: new URL(origin).host,
        view: "",
        ...(visibility === "private" ? { visibility } : {}),
      },
    ];
  }
}

const OTHER_MEMBERS = "the members of the routing policy are not as they were read";

const ZONES: Question = {
  path: "/managedZones",
  field: "managedZones",
  kind: "dns#managedZonesListResponse",
};
/** Discovery document, ManagedZone. */
const ELSEWHERE = ["peeringConfig", "forwardingConfig", "serviceDirectoryConfig"];

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Null = all servers have it, or nobody can say. */
function receiptOf(change: Fields): string | null {
  return change["status"] === "done" ? null : textOf(change["id"]);
}

function isNotFound(error: unknown): boolean {
  const cause = error instanceof OperationError ? error.cause : null;
  return cause instanceof RefusedCall && cause.status === STATUS_NOT_FOUND;
}

const STATUS_NOT_FOUND = 404;

function setsOf(zone: Zone): Question {
  return {
    path: `${zonePath(zone)}/rrsets`,
    field: "rrsets",
    kind: "dns#resourceRecordSetsListResponse",
  };
}

/** The id has the project before the name of the zone. */
function zonePath({ id }: Zone): string {
  return `/managedZones/${encodeURIComponent(id.slice(id.lastIndexOf("/") + 1))}`;
}
