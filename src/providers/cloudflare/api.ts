/**
 * The calls of Cloudflare's API v4 that are used: the envelope of answers (`success`, `errors`,
 * `result`, `result_info`) and nothing of what results mean.
 */
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  textOf,
} from "@zonekeeper/kube/objects/object-fields";
import { printable, shortened } from "../../model/printable.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { JsonApi, NEVER_RENEWED } from "../shared/json-api.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import {
  countOf,
  itemsOf,
  type Listing,
  listNumbered,
  type Pacing,
  type Page,
} from "../shared/pages.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";
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
      route: ({ path }) => ({ client, path: `/client/v4${path}`, headers }),
      isFailure: ({ json }) => isFields(json) && json["success"] !== true,
      toRefusal,
      close: () => client.close(),
    });
  }

  /** Complete or thrown: RefusedCall, or OperationError where nobody answers. */
  list(path: string, listed: Listed, { pace, signal }: Pacing): Promise<Listing> {
    return listNumbered({
      what: listed.what,
      page: (page) => this.#page(path, listed, { page, signal }),
      idOf: (item) => textOf(fieldsOf(item)["id"]),
      pace,
    });
  }

  /** The result of one object. */
  async result(path: string, signal: AbortSignal): Promise<Fields> {
    return fieldsOf((await this.get(path, signal))["result"]);
  }

  async #page(
    path: string,
    { perPage, query = {} }: Listed,
    { page, signal }: { readonly page: number; readonly signal: AbortSignal },
  ): Promise<Page> {
    const fields = { ...query, page: String(page), per_page: String(perPage) };
    const answer = await this.get(`${path}?${new URLSearchParams(fields)}`, signal);
    const info = fieldsOf(answer["result_info"]);
    const total = countOf(info["total_count"]);
    const items = itemsOf(answer["result"] ?? (total === 0 ? [] : null));
    const [pages, size] = [countOf(info["total_pages"]), countOf(info["per_page"])];
    const isShort = items.length < Math.min(size ?? perPage, perPage);
    return {
      items,
      isLast: items.length === 0 || (pages === null ? isShort : page >= pages),
      total,
    };
  }
}

/** What to list. */
export interface Listed {
  /** For messages: `the zone example.org`. */
  readonly what: string;
  readonly perPage: number;
  readonly query?: Readonly<Record<string, string>>;
}

// What the API refuses, and what that means. It names the first error only.

/** `errors`, each with its `error_chain`; the reason is all their codes. */
function toRefusal({ status, json, retryAfterMs }: JsonAnswer): RefusedCall {
  const errors = (listOf(fieldsOf(json)["errors"]) ?? []).map(fieldsOf);
  // In chains of one level: deeper ones are not documented.
  const all = errors.flatMap((one) => [one, ...(listOf(one["error_chain"]) ?? []).map(fieldsOf)]);
  const codes = all.map(({ code }) => Number(code ?? 0) || 0);
  const texts = all.map(({ message }, at) => {
    // Hexadecimal ids of requests, zones and records change, or tell a stranger something.
    const text = printable(textOf(message) ?? NO_REASON).replace(/\b[0-9a-f]{16,}\b/gi, "…");
    const shown = shortened(text, MESSAGE_CHARACTERS_MAX);
    return codes[at] === 0 ? shown : `${shown.replace(/\.$/, "")} (${codes[at]})`;
  });
  return new RefusedCall({
    status,
    text: texts.join("; "),
    isMessage: true,
    retryAfterMs,
    reason: codes.join(" "),
  });
}

const NO_REASON = "no reason is given";
const MESSAGE_CHARACTERS_MAX = 400;

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy:
    "correct the Secret of the DNSProvider, and give its token the permissions Zone Read and DNS Edit for the zone",
  rows: [
    // "Please wait and consider throttling your request speed".
    { reason: /\b971\b/, is: "throttled" },
    { status: /^429$/, is: "throttled" },
    // 6003 invalid headers, 9103, 9106 and 9109 invalid key or token, 10000 and 10001 no right.
    { reason: /\b(6003|6100|6103|6111|9103|9106|9109|10000|10001)\b/, is: "key" },
    { status: /^(401|403)$/, is: "key" },
    { status: /^404$/, is: "later" },
    // 81044 no such record, 81053 and 81054 an address or CNAME of that name, 81056 an NS record of
    // that name, 81057 and 81058 the same record.
    { status: /^4/, reason: /\b(81044|81053|81054|81056|81057|81058)\b/, is: "changed" },
    { status: /^4/, reason: /./, is: "refused" },
  ],
  // The last error of a chain says what it is.
  codeOf: ({ reason }) => `Cloudflare${/\d+$/.exec(reason)?.[0] ?? 0}`,
};
