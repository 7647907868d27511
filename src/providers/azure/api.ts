/** The calls of Azure's resource manager that are used, over the HTTP port. It repeats nothing. */
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, isFields, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { VendorClient } from "../../ports/vendor-http.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { callJson } from "../shared/json-call.ts";
import { RefusedCall } from "../shared/refused-call.ts";
import { withRenewedToken } from "../shared/renewed-token.ts";
import { isNoSet, toRefusal } from "./failures.ts";
import { CALL_TIMEOUT_MS, type Flavour, PAGES_MAX, SETS_PER_PAGE } from "./flavours.ts";
import type { AzureOptions } from "./options.ts";
import { AzureTokens } from "./tokens.ts";

const STATUS_NO_CONTENT = 204;

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

/** One call that changes a record set. */
export interface WriteCall {
  readonly method: "PUT" | "DELETE";
  readonly path: string;
  readonly headers: HttpHeaders;
  /** Null = none. */
  readonly body: Fields | null;
  /** The zone's apex. */
  readonly changes: DnsName;
}

const READS = { method: "GET", headers: {}, body: null, changes: null } as const;

/** One for each session. Calls may be made concurrently. */
export class AzureApi {
  readonly #client: VendorClient;
  readonly #tokens: AzureTokens;
  readonly #isOwnIdentity: boolean;
  readonly #origin: string;
  readonly #version: string;
  readonly #stopped = new AbortController();

  constructor(
    options: AzureOptions,
    { apiVersion }: Pick<Flavour, "apiVersion">,
    { http }: Pick<ProviderEnvironment, "http">,
  ) {
    this.#client = http({ origin: options.origin });
    this.#tokens = new AzureTokens(options, { http });
    this.#isOwnIdentity = options.credentials.is === "ambient";
    this.#origin = options.origin;
    this.#version = apiVersion;
  }

  /** Complete or thrown: RefusedCall, or OperationError where nobody answers. */
  async list(path: string, { pace, signal }: Pacing): Promise<Listing> {
    const items: unknown[] = [];
    let next: string | null = `${this.#withVersion(path)}&$top=${SETS_PER_PAGE}`;
    for (let calls = 1; calls <= PAGES_MAX; calls++) {
      if (calls > 1) await pace();
      const { json } = await this.#call({ ...READS, path: next }, signal);
      const page = fieldsOf(json)["value"];
      if (!Array.isArray(page)) throw new Error("the answer holds no list");
      items.push(...page);
      next = this.#nextPath(textOf(fieldsOf(json)["nextLink"]));
      if (next === null) return { items, calls };
    }
    throw new Error("the listing has no end");
  }

  /** One record set; null = there is none. A zone that is not there has no answer to that. */
  async get(path: string, signal: AbortSignal): Promise<Fields | null> {
    const call = { ...READS, path: this.#withVersion(path) };
    try {
      return fieldsOf((await this.#call(call, signal)).json);
    } catch (error) {
      if (error instanceof RefusedCall && isNoSet(error)) return null;
      throw error;
    }
  }

  /** Changes something. Null = there was nothing to delete. */
  async write(call: WriteCall, signal: AbortSignal): Promise<Fields | null> {
    const sent = { ...call, path: this.#withVersion(call.path) };
    const { status, json } = await this.#call(sent, signal);
    return status === STATUS_NO_CONTENT ? null : fieldsOf(json);
  }

  close(): void {
    this.#stopped.abort();
    this.#tokens.close();
    this.#client.close();
  }

  #withVersion(path: string): string {
    return `${path}?api-version=${this.#version}`;
  }

  /** A link to another host would take the token there. */
  #nextPath(link: string | null): string | null {
    if (link === null || link === "") return null;
    const url = new URL(link, this.#origin);
    if (url.origin !== new URL(this.#origin).origin)
      throw new Error("the next page is at another host");
    return `${url.pathname}${url.search}`;
  }

  async #call(
    { headers, ...call }: WriteCall | (typeof READS & Pick<WriteCall, "path">),
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly json: unknown }> {
    const answer = await withRenewedToken(this.#tokens, (token) =>
      callJson(this.#client, {
        ...call,
        headers: { ...headers, authorization: `Bearer ${token}` },
        signal: AbortSignal.any([
          ...[signal, this.#stopped.signal],
          AbortSignal.timeout(CALL_TIMEOUT_MS),
        ]),
      }),
    );
    const { status, isGood, json } = answer;
    if (!isGood) throw toRefusal(answer, this.#isOwnIdentity);
    if (call.method !== "DELETE" && !isFields(json))
      throw new Error("the answer is not JSON, or not whole");
    return { status, json };
  }
}
