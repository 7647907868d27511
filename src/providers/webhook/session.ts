/**
 * One webhook of external-dns, as its client: `GET /`, `GET /records`, `POST /adjustendpoints`,
 * `POST /records`.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import { type DnsName, ROOT_ZONE } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import { isSameKey, type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change } from "../../plan/changes.ts";
import type { Capabilities, ProviderEnvironment } from "../provider.ts";
import { type Calls, SetSession } from "../shared/call-session.ts";
import { withoutDot } from "../shared/dotted-rdata.ts";
import { incomplete } from "../shared/failed-calls.ts";
import { JsonApi, NEVER_RENEWED, readCall } from "../shared/json-api.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { allOf, itemsOf, type Listing } from "../shared/pages.ts";
import { plainTroubles, toProblems } from "../shared/record-troubles.ts";
import { RefusedCall } from "../shared/refused-call.ts";
import { isOfZone, writtenSet } from "../shared/vendor-session.ts";
import { namedZones, sessionType } from "../shared/vendor-type.ts";
import {
  changesBody,
  type DomainFilter,
  fromRecordSet,
  isEmpty,
  isSameEndpoint,
  normalizeSet,
  propertiesText,
  toFilter,
  toRecordSet,
  ttlOf,
} from "./convert.ts";
import { REFUSALS, toRefusal } from "./failures.ts";
import { CAPABILITIES, KNOWN_ENDPOINTS_MAX, MEDIA_TYPE, TTL_SECONDS_DEFAULT } from "./limits.ts";
import { parseOptions, type WebhookOptions } from "./options.ts";

/** As in `DNSProvider.spec.type`. */
const WEBHOOK_TYPE = "external-dns-webhook";
const OUTSIDE = {
  code: "OutsideFilter",
  message: "the webhook's own domain filter leaves the name out; widen it there",
};
const STATUS_OK = 200;
const STATUS_NO_CONTENT = 204;

/** An endpoint as the webhook has it; the TTL of its set is what was asked for. */
interface KnownEndpoint {
  readonly set: RecordSet;
  readonly fields: Fields;
}

/** See `VendorSession`. There is one reading: all records of all zones. */
class WebhookSession extends SetSession<KnownEndpoint> {
  readonly normalize = normalizeSet;
  readonly capabilities: Capabilities = CAPABILITIES;
  protected override readonly listsSoa = false;
  readonly #options: WebhookOptions;
  readonly #api: JsonApi<null>;
  /** Of endpoints that were written: what was asked for, and what the webhook made of it. */
  readonly #written = new BoundedMap<string, Written>(KNOWN_ENDPOINTS_MAX);
  #zones: readonly DnsName[];
  /** Of the webhook, besides what is configured; markers are its registry's and always in. */
  #filter: DomainFilter = { include: [], has: () => true };

  constructor(options: WebhookOptions, environment: ProviderEnvironment) {
    super(environment, REFUSALS);
    this.#options = options;
    this.#zones = options.zones;
    const { server: origin, caCertificate: ca, token } = options;
    const client = environment.http({ origin, ...(ca === null ? {} : { tls: { ca } }) });
    this.#api = new JsonApi({
      ...NEVER_RENEWED,
      route: ({ path, body }) => ({
        client,
        path,
        headers: {
          accept: MEDIA_TYPE,
          ...(body === null ? {} : { "content-type": MEDIA_TYPE }),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
      }),
      toRefusal,
      close: () => client.close(),
    });
  }

  /** The webhook is asked for its domain filter, whoever names the zones. */
  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const what = "the webhook does not negotiate";
    const answer = await this.#get("/", what, signal);
    // external-dns compares byte for byte; blanks are no reason to refuse.
    const type = answer.headers["content-type"]?.replace(/\s/g, "");
    if (type !== MEDIA_TYPE)
      throw incomplete(`${what}: its Content-Type is not ${MEDIA_TYPE}; is Server a webhook?`);
    this.#filter = toFilter(answer.json);
    // Those that it includes say more than all names do.
    const { zones } = this.#options;
    const isNamed = zones.some((zone) => zone !== ROOT_ZONE);
    const included = isNamed ? [] : this.#filter.include.map(withoutDot);
    this.#zones = included.length > 0 ? included : zones;
    if (this.#zones.length === 0)
      throw incomplete(
        "the webhook names no zones; write them to zones of providerConfig, or . there for all names",
      );
    const endpoint = new URL(this.#options.server).host;
    const of = { providerType: WEBHOOK_TYPE, endpoint, view: "" };
    return this.#zones.map((name) => ({ id: name, name, ...of }));
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    // A webhook gets names as targets of CNAMEs alone.
    const takesProperty = (name: string): boolean => name !== "alias";
    const backEnd = { vendor: "a webhook", ...CAPABILITIES, takesProperty };
    const isOut = set.type !== "TXT" && !this.#filter.has(set.name);
    return toProblems(set, [...plainTroubles(set, zone, backEnd), ...(isOut ? [OUTSIDE] : [])]);
  }

  close(): void {
    this.#api.close();
  }

  protected override questionsMax(): number {
    return 0;
  }

  /** Endpoints of one key are one record set, with the first one's TTL. */
  protected override toSets(items: readonly KnownEndpoint[]): readonly RecordSet[] {
    const byKey = new Map<string, RecordSet>();
    for (const { set } of items) {
      const key = recordSetKeyText(set);
      const first = byKey.get(key);
      const values = [...new Set([...(first?.values ?? []), ...set.values])].sort();
      byKey.set(key, { ...(first ?? set), values });
    }
    return [...byKey.values()];
  }

  protected async listZone(zone: Zone, signal: AbortSignal): Promise<Listing<KnownEndpoint>> {
    const what = `the zone ${zone.name} cannot be read`;
    const { json } = await this.#get("/records", what, signal);
    if (listOf(json) === null) throw incomplete(`${what}: the answer holds no list`);
    const named = itemsOf(json ?? []).filter((item) => !isEmpty(item));
    const known = allOf(named, (item) => this.#toKnown(item), `the zone ${zone.name}`);
    return {
      items: known.filter(({ set }) => isOfZone(set.name, zone.name, this.#zones)),
      calls: 1,
    };
  }

  /** In one POST, after the webhook adjusted the endpoint. */
  protected async makeChange(zone: Zone, change: Change, { send, signal }: Calls): Promise<null> {
    const set = writtenSet(change);
    const key = recordSetKeyText(set);
    // The last one of a key is what a write names.
    const known = this.known.at(zone, set.name)?.findLast((one) => isSameKey(one.set, set));
    const before = known?.fields ?? {};
    const next = change.op === "remove" ? null : await this.#adjust(set, before, signal);
    // What the webhook makes of it may exist.
    if (next === null || change.op !== "replace" || !isSameEndpoint(next, before)) {
      const body = changesBody(change, next, before);
      const call = { method: "POST", path: "/records", body, changes: zone.name } as const;
      await send(async () => {
        const { status } = await this.#api.call(call, signal);
        // Only 204 says that the changes were made.
        if (status !== STATUS_NO_CONTENT) throw new Error(`HTTP status ${status}`);
      });
    }
    this.learnSet(zone, set, next && { set, fields: next });
    const { ttlSeconds, properties } = set;
    if (next !== null)
      this.#written.set(key, {
        asked: { ttlSeconds, properties },
        made: { ttlSeconds: ttlOf(next) ?? ttlSeconds, properties: propertiesText(next) },
      });
    return null;
  }

  /**
   * The endpoint as the webhook wants it; its properties are the webhook's business. Texts go as
   * they are, as external-dns sends those of its registry.
   */
  async #adjust(set: RecordSet, before: Fields, signal: AbortSignal): Promise<Fields> {
    const known = this.#written.get(recordSetKeyText(set));
    const wanted = fromRecordSet(set, before, known?.asked.properties);
    if (set.type === "TXT") return wanted;
    const path = "/adjustendpoints";
    const call = { method: "POST", path, body: [wanted], changes: null } as const;
    const { json } = await this.#api.call(call, signal);
    const [only = null, ...more] = listOf(json) ?? [];
    const adjusted = toRecordSet(only, set.ttlSeconds);
    const isSame =
      adjusted !== null &&
      more.length === 0 &&
      recordSetKeyText(adjusted) === recordSetKeyText(set) &&
      adjusted.values.join("\n") === normalizeSet(set).values.join("\n");
    if (!isSame) throw new RefusedCall({ status: 422, text: OTHER_DATA, retryAfterMs: null });
    // The adjusted endpoint is what is wanted, its TTL as well.
    return { ...fieldsOf(only), recordTTL: ttlOf(fieldsOf(only)) ?? set.ttlSeconds };
  }

  /** Null = it is no endpoint. */
  #toKnown(item: unknown): KnownEndpoint | null {
    const bare = toRecordSet(item, TTL_SECONDS_DEFAULT);
    if (bare === null) return null;
    const fields = fieldsOf(item);
    const written = this.#written.get(recordSetKeyText(bare));
    if (written === undefined) return { set: bare, fields };
    const { asked, made } = written;
    const isTtlMade = (ttlOf(fields) ?? made.ttlSeconds) === made.ttlSeconds;
    const areMade = [NO_PROPERTIES, made.properties].includes(propertiesText(fields));
    const set = {
      ...bare,
      ...(isTtlMade ? { ttlSeconds: asked.ttlSeconds } : {}),
      ...(areMade ? { properties: asked.properties } : {}),
    };
    return { set, fields };
  }

  #get(path: string, what: string, signal: AbortSignal): Promise<JsonAnswer> {
    return this.read(what, async () => {
      const answer = await this.#api.call(readCall(path), signal);
      if (answer.status !== STATUS_OK || answer.json === undefined)
        throw new Error("the answer is not JSON, or not whole");
      return answer;
    });
  }
}

/** Secret: `Server`, perhaps `Token`; see options.ts for the rest. */
export const WEBHOOK_PROVIDER = {
  ...sessionType(WEBHOOK_TYPE, parseOptions, WebhookSession),
  namedZones,
};

/** Some webhooks tell of none, whatever they have. */
const NO_PROPERTIES = propertiesText({});

/** As it was asked for and as the webhook has it, whose properties are a text. */
interface Written {
  readonly asked: Pick<RecordSet, "ttlSeconds" | "properties">;
  readonly made: { readonly ttlSeconds: number; readonly properties: string };
}

const OTHER_DATA =
  "the webhook would write other data than are wanted; correct the object or the webhook";
