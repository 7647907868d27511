/**
 * The calls of Cloudflare's API v4 that are used, over the HTTP port: the envelope of answers
 * (`success`, `errors`, `result`, `result_info`) and nothing of what results mean. It repeats
 * nothing.
 */
import type { DnsName } from "../../model/dns-name.ts";
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  numberOf,
  textOf,
} from "../../model/object-fields.ts";
import type { HttpHeaders } from "../../ports/http.ts";
import type { VendorClient } from "../../ports/vendor-http.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { callJson } from "../shared/json-call.ts";
import type { Page } from "../shared/pages.ts";
import { RefusedCall } from "./failures.ts";
import { CALL_TIMEOUT_MS } from "./limits.ts";
import type { CloudflareCredentials, CloudflareOptions } from "./options.ts";

const PATH = "/client/v4";

/** One for each session. Calls may be made concurrently. */
export class CloudflareApi {
  readonly #client: VendorClient;
  readonly #headers: HttpHeaders;
  readonly #stopped = new AbortController();

  constructor(
    { origin, credentials }: CloudflareOptions,
    { http }: Pick<ProviderEnvironment, "http">,
  ) {
    this.#client = http({ origin });
    this.#headers = credentialHeaders(credentials);
  }

  /** Page `page`, from 1. Throws RefusedCall, or OperationError where nobody answers. */
  async list(
    path: string,
    { page, perPage, query = {} }: PageRequest,
    signal: AbortSignal,
  ): Promise<Page> {
    const fields = { ...query, page: String(page), per_page: String(perPage) };
    const answer = await this.#call(`${path}?${new URLSearchParams(fields)}`, READS, signal);
    const info = fieldsOf(answer["result_info"]);
    const total = countOf(info["total_count"]);
    const items = listOf(answer["result"] ?? (total === 0 ? [] : {}));
    if (items === null) throw new Error("the answer holds no list");
    const [pages, size] = [countOf(info["total_pages"]), countOf(info["per_page"])];
    const isShort = items.length < Math.min(size ?? perPage, perPage);
    return {
      items,
      isLast: items.length === 0 || (pages === null ? isShort : page >= pages),
      total,
    };
  }

  /** The result of one object. */
  async get(path: string, signal: AbortSignal): Promise<Fields> {
    return fieldsOf((await this.#call(path, READS, signal))["result"]);
  }

  /** Changes something. */
  async post(path: string, change: ChangeCall, signal: AbortSignal): Promise<Fields> {
    return fieldsOf((await this.#call(path, change, signal))["result"]);
  }

  close(): void {
    this.#stopped.abort();
    this.#client.close();
  }

  async #call(
    path: string,
    { body, changes }: ChangeCall | typeof READS,
    signal: AbortSignal,
  ): Promise<Fields> {
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const { status, isGood, json, retryAfterMs } = await callJson(this.#client, {
      method: body === null ? "GET" : "POST",
      path: PATH + path,
      headers: this.#headers,
      body,
      changes,
      signal: AbortSignal.any([signal, this.#stopped.signal, timeout]),
    });
    if (isGood && isFields(json) && json["success"] === true) return json;
    if (isGood && !isFields(json)) throw new Error("the answer is not JSON, or not whole");
    throw new RefusedCall(status, json, retryAfterMs);
  }
}

/** A call that writes. */
interface ChangeCall {
  readonly body: Fields;
  /** The zone's apex. */
  readonly changes: DnsName;
}

const READS = { body: null, changes: null } as const;

/** Numbers may come as text; null = there is none. */
function countOf(value: unknown): number | null {
  return numberOf(value) ?? (/^\d+$/.test(textOf(value) ?? "") ? Number(value) : null);
}

/** Where a listing is. */
interface PageRequest {
  readonly page: number;
  readonly perPage: number;
  readonly query?: Readonly<Record<string, string>>;
}

function credentialHeaders(credentials: CloudflareCredentials): HttpHeaders {
  return "token" in credentials
    ? { authorization: `Bearer ${credentials.token}` }
    : { "x-auth-email": credentials.email, "x-auth-key": credentials.key };
}
