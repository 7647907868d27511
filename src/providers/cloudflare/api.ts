/**
 * The calls of Cloudflare's API v4 that are used: the envelope of answers (`success`, `errors`,
 * `result`, `result_info`) and nothing of what results mean.
 */
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  numberOf,
  textOf,
} from "@zonekeeper/kube/objects/object-fields";
import type { ProviderEnvironment } from "../provider.ts";
import { JsonApi, NEVER_RENEWED } from "../shared/json-api.ts";
import type { Page } from "../shared/pages.ts";
import { toRefusal } from "./failures.ts";
import { CALL_TIMEOUT_MS } from "./limits.ts";
import type { CloudflareCredentials, CloudflareOptions } from "./options.ts";

/** One for each session. Calls may be made concurrently. */
export class CloudflareApi {
  readonly #api: JsonApi<null>;

  constructor(
    { origin, credentials }: CloudflareOptions,
    { http }: Pick<ProviderEnvironment, "http">,
  ) {
    const client = http({ origin });
    const headers = credentialHeaders(credentials);
    this.#api = new JsonApi({
      ...NEVER_RENEWED,
      timeoutMs: CALL_TIMEOUT_MS,
      route: ({ path }) => ({ client, path: `/client/v4${path}`, headers }),
      isFailure: ({ json }) => isFields(json) && json["success"] !== true,
      toRefusal,
      close: () => client.close(),
    });
  }

  /** Page `page`, from 1. Throws RefusedCall, or OperationError where nobody answers. */
  async list(
    path: string,
    { page, perPage, query = {} }: PageRequest,
    signal: AbortSignal,
  ): Promise<Page> {
    const fields = { ...query, page: String(page), per_page: String(perPage) };
    const answer = await this.#api.get(`${path}?${new URLSearchParams(fields)}`, signal);
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
    return fieldsOf((await this.#api.get(path, signal))["result"]);
  }

  /** Changes something of the zone with this apex. */
  async post(
    path: string,
    { body, changes }: { readonly body: Fields; readonly changes: DnsName },
    signal: AbortSignal,
  ): Promise<Fields> {
    const answer = await this.#api.fields({ method: "POST", path, body, changes }, signal);
    return fieldsOf(answer["result"]);
  }

  close(): void {
    this.#api.close();
  }
}

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
