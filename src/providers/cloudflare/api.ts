/**
 * The calls of Cloudflare's API v4 that are used: the envelope of answers (`success`, `errors`,
 * `result`, `result_info`) and nothing of what results mean.
 */
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, isFields, listOf } from "@zonekeeper/kube/objects/object-fields";
import type { ProviderEnvironment } from "../provider.ts";
import { JsonApi, NEVER_RENEWED } from "../shared/json-api.ts";
import { countOf, type Page } from "../shared/pages.ts";
import { toRefusal } from "./failures.ts";
import { CALL_TIMEOUT_MS } from "./limits.ts";
import type { CloudflareOptions } from "./options.ts";

/** One for each session. Calls may be made concurrently. */
export class CloudflareApi extends JsonApi<null> {
  constructor(
    { origin, credentials }: CloudflareOptions,
    { http }: Pick<ProviderEnvironment, "http">,
  ) {
    const client = http({ origin });
    const headers: HttpHeaders =
      "token" in credentials
        ? { authorization: `Bearer ${credentials.token}` }
        : { "x-auth-email": credentials.email, "x-auth-key": credentials.key };
    super({
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
    const answer = await this.get(`${path}?${new URLSearchParams(fields)}`, signal);
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
  async result(path: string, signal: AbortSignal): Promise<Fields> {
    return fieldsOf((await this.get(path, signal))["result"]);
  }

  /** Changes something of the zone with this apex. */
  async post(
    path: string,
    { body, changes }: { readonly body: Fields; readonly changes: DnsName },
    signal: AbortSignal,
  ): Promise<Fields> {
    const answer = await this.fields({ method: "POST", path, body, changes }, signal);
    return fieldsOf(answer["result"]);
  }
}

/** Where a listing is. */
interface PageRequest {
  readonly page: number;
  readonly perPage: number;
  readonly query?: Readonly<Record<string, string>>;
}
