/**
 * One PowerDNS Authoritative Server behind its HTTP API: its zones, and PATCHes of whole record
 * sets, one at a time: back ends of databases answer 500 to two at once.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { isSameKey, type RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type { Capabilities, ProviderEnvironment } from "../provider.ts";
import { type Batch, BatchSession, heldTogether, type ItemsAt } from "../shared/batch-session.ts";
import { withDot, withoutDot } from "../shared/dotted-rdata.ts";
import { JsonApi, NEVER_RENEWED, readCall } from "../shared/json-api.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { itemsOf, type Listing } from "../shared/pages.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";
import { namesOf, type Question } from "../shared/vendor-session.ts";
import { sessionType } from "../shared/vendor-type.ts";
import { auditSet, type KnownSet, normalizeSet, toKnownSet, toPatch } from "./convert.ts";
import { CAPABILITIES, QUESTIONS_MAX } from "./limits.ts";
import { type PowerDnsOptions, parseOptions } from "./options.ts";

/** As in `DNSProvider.spec.type`. */
const POWERDNS_TYPE = "powerdns";

/** Kinds of zones whose records are this server's own (4.x and 5.x words). */
const WRITABLE_KINDS = /^(Native|Master|Primary)$/i;

// What the server refuses, and what that means. It stops at the first error.

/** `{"error": …}`, or a plain text. */
function toRefusal({ status, json, text, retryAfterMs }: JsonAnswer): RefusedCall {
  const body = json ?? text;
  const shown = textOf(fieldsOf(body)["error"]) ?? textOf(body) ?? "";
  return new RefusedCall({ status, text: shown, retryAfterMs });
}

/** Of a call that is refused for what it holds. */
const CONTENT = /^(400|409|413|422)$/;

/** See `RefusalTable`. */
const REFUSALS: RefusalTable = {
  keyRemedy: "correct ApiKey in the Secret, and webserver-allow-from of the server",
  rows: [
    // A CNAME beside other data: the zone is not as it was read.
    { status: CONTENT, text: /Conflicts with (pre-existing|another) RRset/i, is: "changed" },
    { status: CONTENT, is: "refused" },
  ],
  codeOf: ({ status }) => `PowerDns${status}`,
};

/** See `VendorSession`. */
class PowerDnsSession extends BatchSession<KnownSet> {
  readonly audit = auditSet;
  readonly normalize = normalizeSet;
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #options: PowerDnsOptions;
  readonly #api: JsonApi<null>;
  /** By zone id: whether its back end can be searched; at most one entry for each zone. */
  readonly #isSearched = new Map<string, boolean>();
  #lastPatch: Promise<unknown> = Promise.resolve();

  constructor(options: PowerDnsOptions, environment: ProviderEnvironment) {
    super(environment, REFUSALS);
    this.#options = options;
    const { server: origin, caCertificate: ca, apiKey, serverId } = options;
    const client = environment.http({ origin, ...(ca === null ? {} : { tls: { ca } }) });
    const headers = { "x-api-key": apiKey };
    this.#api = new JsonApi({
      ...NEVER_RENEWED,
      route: ({ path }) => ({ client, path: `/api/v1/servers/${serverId}${path}`, headers }),
      toRefusal,
      close: () => client.close(),
    });
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const items = await this.#list("/zones", "the zones cannot be listed", signal);
    return items.map(fieldsOf).flatMap((zone) => this.#toZone(zone) ?? []);
  }

  close(): void {
    this.#api.close();
  }

  /** The whole zone is one answer. */
  protected override questionsMax(): number {
    return QUESTIONS_MAX;
  }

  protected nameOf({ set }: KnownSet): DnsName {
    return set.name;
  }

  protected toSets(items: readonly KnownSet[]): readonly RecordSet[] {
    return items.map(({ set }) => set).filter(({ values }) => values.length > 0);
  }

  protected async listZone(zone: Zone, signal: AbortSignal): Promise<Listing<KnownSet>> {
    const items = await this.#sets(zone, "", signal);
    return { items, calls: 1 + (await this.#trySearch(zone, signal)) };
  }

  /**
   * A question for a name leaves disabled records out, and the whole zone shows them (tried on
   * 4.7.3): null where some are known, or a value is missing, which may be disabled now. A search
   * shows them.
   */
  protected override async ask(
    zone: Zone,
    [name]: Question,
    signal: AbortSignal,
  ): Promise<Listing<KnownSet> | null> {
    const isSearched = this.#isSearched.get(zone.id) === true;
    const path = isSearched ? searchFor(name) : null;
    if (path !== null) {
      const items = await this.#search(zone, name, { path, signal });
      return items && { items, calls: 1 };
    }
    // A server that does not know the filter answers with all record sets.
    const question = `?rrset_name=${encodeURIComponent(withDot(name))}`;
    const items = await this.#sets(zone, question, signal);
    const isHiding = (this.known.at(zone, name) ?? []).some(({ set, hasDisabled }) => {
      const now = items.find((one) => isSameKey(one.set, set))?.set.values ?? [];
      return hasDisabled || set.values.some((value) => !now.includes(value));
    });
    return isHiding && !isSearched ? null : { items, calls: 1 };
  }

  /** Whether records are still disabled is asked again before a refusal. */
  protected override unread(
    groups: readonly ChangeGroup[],
    at: ItemsAt<KnownSet>,
  ): readonly DnsName[] {
    const isUnread = (name: DnsName): boolean =>
      at(name)?.every(({ hasDisabled }) => !hasDisabled) !== true;
    return [...new Set(groups.flatMap(namesOf))].filter(isUnread);
  }

  protected batchOf(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Batch<KnownSet> {
    const { rrsets, after, refused } = toPatch(groups, (name) => this.known.at(zone, name) ?? []);
    return {
      held: heldTogether(groups, refused),
      send: async () => {
        const path = zonePath(zone);
        const call = { method: "PATCH", path, body: { rrsets }, changes: zone.name } as const;
        const { text, json } = await this.#api.call(call, signal);
        if (text !== "" && json === undefined)
          throw new Error("the answer is not JSON, or not whole");
        return { after };
      },
    };
  }

  protected override applyGroups(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Promise<readonly Outcome[]> {
    const outcomes = this.#lastPatch.then(() => super.applyGroups(zone, groups, signal));
    this.#lastPatch = outcomes.catch(() => undefined);
    return outcomes;
  }

  /** What is known to be disabled may not show in an answer. */
  protected override forget(zone: Zone, name: DnsName): void {
    const isDisabled = this.known.at(zone, name)?.some(({ hasDisabled }) => hasDisabled) ?? false;
    if (!isDisabled) super.forget(zone, name);
  }

  /** Once for each zone, or until it is answered; the calls that it took. */
  async #trySearch(zone: Zone, signal: AbortSignal): Promise<number> {
    const path = searchFor(zone.name);
    if (path === null || this.#isSearched.has(zone.id)) return 0;
    await this.turn();
    // A proxy may let zones pass alone.
    const apex = await this.#search(zone, zone.name, { path, signal }).catch(() => null);
    const hasSoa = apex?.some(({ set }) => set.type === "SOA");
    if (hasSoa !== undefined) this.#isSearched.set(zone.id, hasSoa);
    return 1;
  }

  /** Null = there may be more. One that fails is not tried again before the next listing. */
  async #search(
    zone: Zone,
    name: DnsName,
    { path, signal }: { readonly path: string; readonly signal: AbortSignal },
  ): Promise<readonly KnownSet[] | null> {
    try {
      const found = await this.#list(path, `the zone ${zone.name} cannot be read`, signal);
      return setsFound(found, zone, name);
    } catch (error) {
      this.#isSearched.delete(zone.id);
      throw error;
    }
  }

  /** All record sets of the answer. */
  #sets(zone: Zone, question: string, signal: AbortSignal): Promise<readonly KnownSet[]> {
    return this.read(`the zone ${zone.name} cannot be read`, async () => {
      const { rrsets } = await this.#api.get(zonePath(zone) + question, signal);
      if (!Array.isArray(rrsets)) throw new Error("the answer holds no record sets");
      return rrsets.map(toKnownSet).filter((one) => one !== null);
    });
  }

  #list(path: string, what: string, signal: AbortSignal): Promise<readonly unknown[]> {
    return this.read(what, async () =>
      itemsOf((await this.#api.call(readCall(path), signal)).json),
    );
  }

  #toZone(fields: Fields): Zone | null {
    const [id, name] = [textOf(fields["id"]), textOf(fields["name"])];
    const isOwn = WRITABLE_KINDS.test(textOf(fields["kind"]) ?? "");
    // `example.org..inner` is a variant of a zone, for views of 5.x.
    if (id === null || name === null || !isOwn || /\.\.[^.]/.test(name)) return null;
    const { server, serverId } = this.#options;
    const url = new URL(server);
    const endpoint = `${url.host}${url.pathname === "/" ? "" : url.pathname}`;
    const view = serverId === "localhost" ? "" : serverId;
    return { id, name: withoutDot(name), providerType: POWERDNS_TYPE, endpoint, view };
  }
}

/** Secret: `Server`, `ApiKey`; see options.ts for the rest. */
export const POWERDNS_PROVIDER = sessionType(POWERDNS_TYPE, parseOptions, PowerDnsSession);

function zonePath({ id }: Zone): string {
  return `/zones/${encodeURIComponent(id)}`;
}

// Names by the search of the API (`/search-data`), which shows disabled records too: before 5.0 a
// question for the record sets of a name leaves them out. Back ends that cannot search (LMDB)
// answer an empty list, so that a zone is searched only after its apex was found. Pure.

/** Records of one answer; one that is full may not have all. */
const RECORDS_MAX = 1000;

/** Null = the name has signs that mean something else in a search. */
function searchFor(name: DnsName): string | null {
  if (!/^[a-z0-9_.*-]+$/.test(name)) return null;
  return `/search-data?q=${encodeURIComponent(name)}&max=${RECORDS_MAX}&object_type=record`;
}

/** The record sets of the name among what was found; null = there may be more. */
function setsFound(
  answer: readonly unknown[],
  zone: Zone,
  name: DnsName,
): readonly KnownSet[] | null {
  if (answer.length >= RECORDS_MAX) return null;
  // A search finds records of other zones, of other names for `*`, and with the text as content.
  const found = answer.map(fieldsOf).filter((one) => {
    const isThere = one["zone_id"] === zone.id && textOf(one["type"]) !== null;
    return isThere && withoutDot(textOf(one["name"]) ?? "") === name;
  });
  const byType = groupedBy(found, (one) => textOf(one["type"]) ?? "");
  return [...byType].flatMap(([type, records]) => {
    const ttl = records[0]?.["ttl"];
    return toKnownSet({ name, type, ttl, records }) ?? [];
  });
}
