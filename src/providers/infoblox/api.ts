/**
 * The calls of WAPI that are used: listings by pages, and `request`, which is several calls in one
 * transaction. Nothing of what objects mean.
 */
import { base64Text } from "@zonekeeper/base/bytes";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ProviderEnvironment } from "../provider.ts";
import { type ApiCall, JsonApi, NEVER_RENEWED } from "../shared/json-api.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { itemsOf, type Listing, listLinked, type Pacing } from "../shared/pages.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";
import type { InfobloxOptions } from "./options.ts";

/** Parameters of a call. */
export type Query = Readonly<Record<string, string>>;

/** One for each session. Calls may be made concurrently. */
export class InfobloxApi extends JsonApi<null> {
  readonly #pageSize: number;
  /** The cookie of the login that the Grid remembers, so that not every call is a login. */
  readonly #login: { cookie?: string };

  constructor(options: InfobloxOptions, { http }: Pick<ProviderEnvironment, "http">) {
    const { server: origin, caCertificate: ca, version, timeoutMs } = options;
    const client = http({ origin, ...(ca === null ? {} : { tls: { ca } }) });
    const authorization = `Basic ${base64Text(`${options.user}:${options.password}`)}`;
    const login: { cookie?: string } = {};
    super({
      ...NEVER_RENEWED,
      timeoutMs,
      route: ({ path }) => {
        const headers = { authorization, ...login };
        return { client, path: `/wapi/v${version}${path}`, headers };
      },
      toRefusal: (answer) => {
        delete login.cookie;
        return toRefusal(answer);
      },
      close: () => client.close(),
    });
    this.#pageSize = options.pageSize;
    this.#login = login;
  }

  override async call(call: ApiCall, signal: AbortSignal): Promise<JsonAnswer> {
    const answer = await super.call(call, signal);
    // WAPI, "Authentication": the cookie `ibapauth` stands for the login.
    const cookie = /\bibapauth=(?:"[^"]*"|[^;,\s]*)/.exec(answer.headers["set-cookie"] ?? "");
    if (cookie !== null) this.#login.cookie = cookie[0];
    if (answer.json === undefined) throw new Error("the answer is not JSON, or not whole");
    return answer;
  }

  /**
   * All objects of a kind. Complete or thrown (Z-6): RefusedCall, or OperationError where nobody
   * answers.
   */
  list(object: string, query: Query, { pace, signal }: Pacing): Promise<Listing> {
    const asked = { ...query, _paging: "1", _max_results: String(this.#pageSize) };
    return listLinked(async (id: string | null) => {
      const page: Query = id === null ? {} : { _page_id: id };
      const parameters = new URLSearchParams({ ...asked, _return_as_object: "1", ...page });
      const { result, next_page_id: next } = await this.get(`/${object}?${parameters}`, signal);
      return { items: itemsOf(result), next: textOf(next) };
    }, pace);
  }

  /**
   * One answer for each call, in their order. `changes`: the apex of the zone that they change;
   * null = all of them read.
   */
  async request(
    calls: readonly Fields[],
    changes: DnsName | null,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    const call = { method: "POST", path: "/request", body: calls, changes } as const;
    return itemsOf((await this.call(call, signal)).json);
  }
}

// What the Grid refuses, and what that means. It stops at the first error.

/** `{"Error": …, "code": …, "text": …}`, or a page for browsers. */
function toRefusal({ status, json, retryAfterMs }: JsonAnswer): RefusedCall {
  const { text, Error: error, code } = fieldsOf(json);
  return new RefusedCall({
    status,
    // `record:a/ZG5z…:www.example.org/default`: the handle in the middle tells people nothing.
    text: (textOf(text) ?? textOf(error) ?? "").replace(/\/[A-Za-z0-9+/=_-]{12,}:/g, " "),
    retryAfterMs,
    reason: textOf(code) ?? "",
  });
}

const KEY_REMEDY =
  "correct USERNAME and PASSWORD in the Secret of the DNSProvider, and give the user API access and write rights on the zone";
/** The Grid has no code and no status of its own for it. */
const NO_RIGHT = /permission/i;
/** Of what the call holds; statuses differ between versions, the code does not. */
const CONTENT = /^Client\.Ibap\.(Data|Proto)\b/;

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy: KEY_REMEDY,
  rows: [
    // The zone is not as it was read: something is there, or is not there any more. The same code
    // stands for other things: no such zone or view, a right that is missing.
    {
      status: /^4/,
      reason: /^Client\.Ibap\.Data\.(Conflict|NotFound)$/,
      text: /^(?!.*(parent was not found|not allowed|permission)|View .* not found)/is,
      is: "changed",
    },
    { status: /^4/, reason: CONTENT, text: NO_RIGHT, is: "refused", remedy: KEY_REMEDY },
    { status: /^4/, reason: CONTENT, is: "refused" },
    { text: NO_RIGHT, is: "key" },
  ],
  codeOf: ({ status }) => `Infoblox${status}`,
};
