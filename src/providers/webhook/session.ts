/**
 * One webhook of external-dns, as its client: `GET /`, `GET /records`, `POST /adjustendpoints`,
 * `POST /records`. Batching, retries and ownership are not its business.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import { compareKeys, type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import type { VendorClient } from "../../ports/vendor-http.ts";
import type {
  Capabilities,
  ProviderEnvironment,
  ProviderSession,
  ZoneSnapshot,
} from "../provider.ts";
import { BoundedMap } from "../shared/bounded-map.ts";
import { allOf, explained, incomplete, shownTrouble } from "../shared/call-rules.ts";
import { withoutDot } from "../shared/dotted-rdata.ts";
import { PARTLY_MADE } from "../shared/failed-calls.ts";
import { callJson, type JsonAnswer, type JsonCall } from "../shared/json-call.ts";
import { plainTroubles } from "../shared/plain-audit.ts";
import { toProblems } from "../shared/record-troubles.ts";
import {
  changesBody,
  fromRecordSet,
  includedNames,
  isEmpty,
  isSameEndpoint,
  normalizeSet,
  toRecordSet,
  ttlOf,
} from "./convert.ts";
import { explain, outcomeOf, toRefusal } from "./failures.ts";
import {
  ADJUSTED_MS,
  CALL_TIMEOUT_MS,
  CAPABILITIES,
  KNOWN_ENDPOINTS_MAX,
  MEDIA_TYPE,
  TTL_SECONDS_DEFAULT,
} from "./limits.ts";
import type { WebhookOptions } from "./options.ts";

/** As in `DNSProvider.spec.type`. */
export const WEBHOOK_TYPE = "external-dns-webhook";
const STATUS_OK = 200;
const STATUS_NO_CONTENT = 204;

/** See `ProviderSession`. Methods may be called concurrently. */
export class WebhookSession implements ProviderSession {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #options: WebhookOptions;
  readonly #environment: ProviderEnvironment;
  readonly #client: VendorClient;
  readonly #stopped = new AbortController();
  /** As they were last read, by key. */
  readonly #endpoints = new BoundedMap<Fields>(KNOWN_ENDPOINTS_MAX);
  /** Of endpoints that were written: what was asked for, and what the webhook made of it. */
  readonly #ttls = new BoundedMap<WrittenTtl>(KNOWN_ENDPOINTS_MAX);
  /** Until their write has an answer, by key, and for a minute at most. */
  readonly #adjusted = new BoundedMap<AdjustedEndpoint>(KNOWN_ENDPOINTS_MAX);
  #zones: readonly DnsName[];

  constructor(options: WebhookOptions, environment: ProviderEnvironment) {
    this.#options = options;
    this.#environment = environment;
    this.#zones = options.zones;
    const { server, caCertificate } = options;
    const tls = caCertificate === null ? {} : { tls: { ca: caCertificate } };
    this.#client = environment.http({ origin: server, ...tls });
  }

  /** The webhook is asked for its domain filter, whoever names the zones. */
  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const what = "the webhook does not negotiate";
    const answer = await this.#read("/", what, signal);
    // external-dns compares byte for byte; blanks are no reason to refuse.
    const type = answer.headers["content-type"]?.replace(/\s/g, "");
    if (type !== MEDIA_TYPE)
      throw incomplete(`${what}: its Content-Type is not ${MEDIA_TYPE}; is Server a webhook?`);
    const included = includedNames(answer.json);
    if (this.#options.zones.length === 0) this.#zones = included.map(withoutDot);
    if (this.#zones.length === 0)
      throw new OperationError({
        code: "ProviderUnavailable",
        message: "the webhook names no zones; write them to zones of providerConfig",
        retry: "backoff",
      });
    return this.#zones.map((name) => ({
      id: name,
      name,
      providerType: WEBHOOK_TYPE,
      endpoint: new URL(this.#options.server).host,
      view: "",
    }));
  }

  /** There is one reading: all records of all zones. */
  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const what = `the zone ${zone.name} cannot be read`;
    const { json } = await this.#read("/records", what, signal);
    const items = listOf(json);
    if (items === null) throw incomplete(`${what}: the answer holds no list`);
    const wanted = names === null ? null : new Set(names);
    const named = items.filter((item) => !isEmpty(item));
    const sets = allOf(named, (item) => this.#learn(item), `the zone ${zone.name}`).filter(
      ({ name }) => this.#isIn(zone, name) && (wanted?.has(name) ?? true),
    );
    return { sets: merged(sets), token: null };
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    const backEnd = { vendor: "a webhook", ...CAPABILITIES };
    return toProblems(set, plainTroubles(set, zone, backEnd));
  }

  normalize(set: RecordSet): RecordSet {
    return normalizeSet(set);
  }

  /** A POST for each change; `capabilities` say that there is one group. */
  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncIterable<Outcome> {
    for (const group of groups) yield await this.#applyGroup(zone, group, signal);
  }

  close(): void {
    this.#stopped.abort();
    this.#client.close();
  }

  /** In order; whatever fails after the first change leaves a name that must be read. */
  async #applyGroup(zone: Zone, group: ChangeGroup, signal: AbortSignal): Promise<Outcome> {
    const { name, changes } = group;
    for (const [index, change] of changes.entries()) {
      const key = recordSetKeyText(setOf(change));
      try {
        await this.#applyChange(zone, change, signal);
      } catch (error) {
        const shown = shownTrouble(this.#environment, error, "the change was not made");
        // Throws where the account is to wait; the endpoint is not adjusted again then.
        const outcome = index > 0 ? PARTLY_MADE : outcomeOf(shown, group);
        this.#adjusted.forget(key);
        return { ...outcome, name };
      }
      this.#adjusted.forget(key);
    }
    return { name, status: "applied" };
  }

  async #applyChange(zone: Zone, change: Change, signal: AbortSignal): Promise<void> {
    const set = setOf(change);
    const key = recordSetKeyText(set);
    const before = this.#endpoints.at(key) ?? {};
    const next = change.op === "remove" ? null : await this.#adjust(set, before, signal);
    // What the webhook makes of it may exist.
    if (next === null || change.op !== "replace" || !isSameEndpoint(next, before)) {
      const body = changesBody(change, next, before);
      const answer = await this.#call("/records", { body, changes: zone.name }, signal);
      // Only 204 says that the changes were made.
      if (answer.status !== STATUS_NO_CONTENT) throw new Error(`HTTP status ${answer.status}`);
    }
    if (next === null) this.#endpoints.forget(key);
    else this.#endpoints.put(key, next);
    const asked = set.ttlSeconds;
    if (next !== null) this.#ttls.put(key, { asked, made: ttlOf(next) ?? asked });
  }

  /**
   * The endpoint as the webhook wants it; its properties are the webhook's business. Texts go as
   * they are, as external-dns sends those of its registry.
   */
  async #adjust(set: RecordSet, before: Fields, signal: AbortSignal): Promise<Fields> {
    const wanted = fromRecordSet(set, before);
    if (set.type === "TXT") return wanted;
    const key = recordSetKeyText(set);
    const question = JSON.stringify(wanted);
    const known = this.#adjusted.at(key);
    const nowMs = this.#environment.clock.monotonicMs();
    if (known !== null && isStill(known, question, nowMs)) return known.endpoint;
    const call = { body: [wanted], changes: null };
    const { json } = await this.#call("/adjustendpoints", call, signal);
    const [only = null, ...more] = listOf(json) ?? [];
    const adjusted = toRecordSet(only, set.ttlSeconds);
    const isSame =
      adjusted !== null &&
      more.length === 0 &&
      recordSetKeyText(adjusted) === key &&
      adjusted.values.join("\n") === normalizeSet(set).values.join("\n");
    // The adjusted endpoint is what is wanted, its TTL as well.
    const endpoint = { ...fieldsOf(only), recordTTL: ttlOf(fieldsOf(only)) ?? set.ttlSeconds };
    if (isSame) {
      this.#adjusted.put(key, { question, endpoint, untilMs: nowMs + ADJUSTED_MS });
      return endpoint;
    }
    throw toRefusal({
      status: 422,
      isGood: false,
      text: "the webhook would write other data than are wanted; correct the object or the webhook",
      json: undefined,
      retryAfterMs: null,
      headers: {},
    });
  }

  /** Null = it is no endpoint. */
  #learn(item: unknown): RecordSet | null {
    const bare = toRecordSet(item, TTL_SECONDS_DEFAULT);
    if (bare === null) return null;
    const key = recordSetKeyText(bare);
    const fields = fieldsOf(item);
    this.#endpoints.put(key, fields);
    const written = this.#ttls.at(key);
    const shown = ttlOf(fields);
    if (written === null) return bare;
    if (shown !== null && shown !== written.made) return bare;
    return { ...bare, ttlSeconds: written.asked };
  }

  /** The longest zone that the name is in. */
  #isIn(zone: Zone, name: DnsName): boolean {
    if (!isAtOrBelow(name, zone.name)) return false;
    const { length } = zone.name;
    return !this.#zones.some((apex) => apex.length > length && isAtOrBelow(name, apex));
  }

  #read(path: string, what: string, signal: AbortSignal): Promise<JsonAnswer> {
    const call = async (): Promise<JsonAnswer> => {
      const answer = await this.#call(path, { body: null, changes: null }, signal);
      if (answer.status !== STATUS_OK || answer.json === undefined)
        throw new Error("the answer is not JSON, or not whole");
      return answer;
    };
    return explained(call, { environment: this.#environment, what, explain });
  }

  async #call(
    path: string,
    { body, changes }: Pick<JsonCall, "body" | "changes">,
    signal: AbortSignal,
  ): Promise<JsonAnswer> {
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const { token } = this.#options;
    const answer = await callJson(this.#client, {
      method: body === null ? "GET" : "POST",
      path,
      headers: {
        accept: MEDIA_TYPE,
        ...(body === null ? {} : { "content-type": MEDIA_TYPE }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body,
      changes,
      signal: AbortSignal.any([signal, this.#stopped.signal, timeout]),
    });
    if (!answer.isGood) throw toRefusal(answer);
    return answer;
  }
}

/** An endpoint as the webhook wants it, and what it was asked. */
interface AdjustedEndpoint {
  readonly question: string;
  readonly endpoint: Fields;
  /** Of the monotonic clock. */
  readonly untilMs: number;
}

/** Seconds. */
interface WrittenTtl {
  readonly asked: number;
  readonly made: number;
}

function isStill(known: AdjustedEndpoint, question: string, nowMs: number): boolean {
  return known.question === question && nowMs < known.untilMs;
}

function setOf(change: Change): RecordSet {
  return change.op === "remove" ? change.previous : change.next;
}

/** Endpoints of one key are one record set, with the first one's TTL. */
function merged(sets: readonly RecordSet[]): readonly RecordSet[] {
  const byKey = new Map<string, RecordSet>();
  for (const set of sets) {
    const key = recordSetKeyText(set);
    const first = byKey.get(key);
    const values = [...new Set([...(first?.values ?? []), ...set.values])].sort();
    byKey.set(key, { ...(first ?? set), values });
  }
  return [...byKey.values()].sort(compareKeys);
}
