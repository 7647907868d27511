/**
 * The calls of WAPI that are used, over the HTTP port: listings by pages, and `request`, which is
 * several calls in one transaction. Nothing of what objects mean; it repeats nothing.
 */
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, isFields, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { VendorClient } from "../../ports/vendor-http.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { incomplete } from "../shared/call-rules.ts";
import { callJson } from "../shared/json-call.ts";
import { toRefusedCall } from "./failures.ts";
import { PAGES_MAX } from "./limits.ts";
import type { InfobloxOptions } from "./options.ts";

/** What to list. */
export interface ListingRequest {
  /** As in the path. */
  readonly object: string;
  readonly query: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Awaited before each call but the first. */
  readonly pace: () => Promise<void>;
}

/** All objects, and the calls that it took. */
export interface Listing {
  readonly items: readonly unknown[];
  readonly calls: number;
}

/** One call of a `request`. */
export type PartialCall = Fields;

interface SentCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body: readonly Fields[] | null;
  readonly changes: DnsName | null;
}

/** One for each session. Calls may be made concurrently. */
export class InfobloxApi {
  readonly #client: VendorClient;
  readonly #options: InfobloxOptions;
  readonly #stopped = new AbortController();
  /** Of the login that the Grid remembers, so that not every call is a login; null = none yet. */
  #cookie: string | null = null;

  constructor(options: InfobloxOptions, { http }: Pick<ProviderEnvironment, "http">) {
    const { server: origin, caCertificate: ca } = options;
    this.#options = options;
    this.#client = http({ origin, ...(ca === null ? {} : { tls: { ca } }) });
  }

  /** Complete or thrown (Z-6). Throws RefusedCall, or OperationError where nobody answers. */
  async list({ object, query, signal, pace }: ListingRequest): Promise<Listing> {
    const items: unknown[] = [];
    const first = { ...query, _paging: "1", _max_results: String(this.#options.pageSize) };
    let parameters: Readonly<Record<string, string>> = { ...first, _return_as_object: "1" };
    for (let page = 1; page <= PAGES_MAX; page++) {
      if (page > 1) await pace();
      const path = `/${object}?${new URLSearchParams(parameters)}`;
      const answer = await this.#call({ method: "GET", path, body: null, changes: null }, signal);
      // Without `_return_as_object` the answer would be the list itself.
      const fields = isFields(answer) ? answer : { result: answer };
      const found = Array.isArray(fields["result"]) ? fields["result"] : null;
      if (found === null) throw new Error("the answer holds no list");
      items.push(...found);
      const next = textOf(fields["next_page_id"]);
      if (next === null) return { items, calls: page };
      parameters = { ...parameters, _page_id: next };
    }
    throw incomplete(`the listing of ${object} has no end`);
  }

  /**
   * One answer for each call, in their order. `changes`: the apex of the zone that they change;
   * null = all of them read.
   */
  async request(
    calls: readonly PartialCall[],
    changes: DnsName | null,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    const sent = { method: "POST", path: "/request", body: calls, changes } as const;
    const answers = listOf((await this.#call(sent, signal)) ?? {});
    if (answers === null) throw new Error("the answer holds no list");
    return answers;
  }

  close(): void {
    this.#stopped.abort();
    this.#client.close();
  }

  async #call({ path, ...call }: SentCall, signal: AbortSignal): Promise<unknown> {
    const { version, timeoutMs } = this.#options;
    const answer = await callJson(this.#client, {
      ...call,
      path: `/wapi/v${version}${path}`,
      headers: this.#headers(),
      signal: AbortSignal.any([signal, this.#stopped.signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (!answer.isGood) {
      this.#cookie = null;
      throw toRefusedCall(answer);
    }
    this.#cookie = cookieOf(answer.headers) ?? this.#cookie;
    if (answer.json === undefined) throw new Error("the answer is not JSON, or not whole");
    return answer.json;
  }

  #headers(): HttpHeaders {
    const { user, password } = this.#options;
    const bytes = new TextEncoder().encode(`${user}:${password}`);
    const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
    return { authorization, ...(this.#cookie === null ? {} : { cookie: this.#cookie }) };
  }
}

/** WAPI, "Authentication": the cookie `ibapauth` stands for the login. */
function cookieOf(headers: HttpHeaders): string | null {
  return /\bibapauth=(?:"[^"]*"|[^;,\s]*)/.exec(headers["set-cookie"] ?? "")?.[0] ?? null;
}
