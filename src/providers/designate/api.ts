/**
 * The calls of Designate that are used (DNS API v2), over the HTTP port. A token that is refused is
 * renewed once; nothing else is repeated.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, isFields, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { VendorClient } from "../../ports/vendor-http.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { callJson, type JsonAnswer } from "../shared/json-call.ts";
import { toRefusal } from "./failures.ts";
import { CALL_TIMEOUT_MS, ITEMS_PER_PAGE, PAGES_MAX } from "./limits.ts";
import type { DesignateOptions } from "./options.ts";
import { KeystoneTokens, type Login } from "./tokens.ts";

const STATUS_UNAUTHORIZED = 401;
const STATUS_NOT_FOUND = 404;

/** Where a listing goes on. */
export interface Pacing {
  /** Awaited before each further page. */
  readonly pace: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** All pages. */
export interface Listing {
  readonly items: readonly unknown[];
  readonly calls: number;
}

/** What is sent; paths are below `/v2`. */
export interface DesignateCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** Null = none. */
  readonly body: Fields | null;
  /** The apex of the zone that it changes; null = it reads. */
  readonly changes: DnsName | null;
}

const READS = { method: "GET", body: null, changes: null } as const;

/** One for each session. Calls may be made concurrently. */
export class DesignateApi {
  readonly #tokens: KeystoneTokens;
  readonly #open: (origin: string) => VendorClient;
  readonly #stopped = new AbortController();
  /** Where the catalog last said that Designate is. */
  #client: { readonly origin: string; readonly http: VendorClient } | null = null;

  constructor(options: DesignateOptions, { http }: Pick<ProviderEnvironment, "http">) {
    this.#tokens = new KeystoneTokens(options, { http });
    const { tls } = options;
    this.#open = (origin) => http({ origin, ...(tls === null ? {} : { tls }) });
  }

  /** Where Designate is, without its scheme: part of a zone's identity. */
  async endpoint(): Promise<string> {
    return (await this.#tokens.login()).endpoint.replace(/^https?:\/\//, "");
  }

  /**
   * Complete or thrown. `items`: the field that has the list. A next page is asked for at the same
   * address, whatever its link names.
   */
  async list(path: string, items: string, { pace, signal }: Pacing): Promise<Listing> {
    const found: unknown[] = [];
    let marker: string | null = null;
    for (let calls = 1; calls <= PAGES_MAX; calls++) {
      if (calls > 1) await pace();
      const url = new URL(path, "http://designate");
      url.searchParams.set("limit", String(ITEMS_PER_PAGE));
      if (marker !== null) url.searchParams.set("marker", marker);
      const fields = await this.send({ ...READS, path: `${url.pathname}${url.search}` }, signal);
      const page = fields[items];
      if (!Array.isArray(page)) throw new Error("the answer holds no list");
      found.push(...page);
      const next = textOf(fieldsOf(fields["links"])["next"]);
      if (next === null) return { items: found, calls };
      marker = new URL(next, "http://designate").searchParams.get("marker");
      if (marker === null) throw new Error("the link to the next page has no marker");
    }
    throw new Error("the listing has no end");
  }

  /** One thing; null = there is none. */
  async get(path: string, signal: AbortSignal): Promise<Fields | null> {
    const answer = await this.#call({ ...READS, path }, signal);
    return answer.status === STATUS_NOT_FOUND ? null : good(answer);
  }

  /** Throws RefusedCall, or OperationError where nobody answers. */
  async send(call: DesignateCall, signal: AbortSignal): Promise<Fields> {
    return good(await this.#call(call, signal));
  }

  close(): void {
    this.#stopped.abort();
    this.#tokens.close();
    this.#client?.http.close();
  }

  async #call(call: DesignateCall, signal: AbortSignal): Promise<JsonAnswer> {
    const login = await this.#tokens.login();
    const answer = await this.#callWith(login, call, signal);
    if (answer.status !== STATUS_UNAUTHORIZED) return answer;
    await this.#tokens.forget(login);
    return this.#callWith(await this.#tokens.login(), call, signal);
  }

  #callWith(
    { token, endpoint }: Login,
    { path, ...call }: DesignateCall,
    signal: AbortSignal,
  ): Promise<JsonAnswer> {
    const { origin, pathname } = new URL(endpoint);
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    return callJson(this.#clientFor(origin), {
      ...call,
      path: `${pathname.replace(/\/$/, "")}/v2${path}`,
      headers: { "x-auth-token": token },
      signal: AbortSignal.any([signal, this.#stopped.signal, timeout]),
    });
  }

  #clientFor(origin: string): VendorClient {
    if (this.#client?.origin === origin) return this.#client.http;
    this.#client?.http.close();
    this.#client = { origin, http: this.#open(origin) };
    return this.#client.http;
  }
}

function good(answer: JsonAnswer): Fields {
  if (!answer.isGood) throw toRefusal(answer);
  if (!isFields(answer.json)) throw new Error("the answer is not JSON, or not whole");
  return answer.json;
}
