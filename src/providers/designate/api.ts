/** The calls of Designate (DNS API v2) and Keystone that are used. */
import type { OperationError } from "@zonekeeper/base/operation-error";
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ProviderEnvironment } from "../provider.ts";
import { Clients } from "../shared/clients.ts";
import { badCredentials, unsent } from "../shared/failed-calls.ts";
import { type ApiCall, JsonApi, NEVER_RENEWED, readCall } from "../shared/json-api.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { itemsOf, type Listing, listLinked, type Pacing } from "../shared/pages.ts";
import {
  explainCall,
  type RefusalTable,
  RefusedCall,
  unlessRefused,
} from "../shared/refused-call.ts";
import { KeptToken } from "../shared/renewed-token.ts";
import { ITEMS_PER_PAGE } from "./limits.ts";
import type { DesignateOptions } from "./options.ts";

const STATUS_NOT_FOUND = 404;

/** A token, and where it is for: one serves all calls until Designate refuses it. */
interface Login {
  readonly token: string;
  /** Of Designate: `https://host[:port][/path]`, without `/v2`. */
  readonly endpoint: string;
}

/** One for each session. Calls may be made concurrently. Paths are below `/v2`. */
export class DesignateApi {
  readonly #options: DesignateOptions;
  readonly #keystone: JsonApi<null>;
  readonly #logins = new KeptToken(() => this.#login());
  readonly #designate: JsonApi<Login>;

  constructor(options: DesignateOptions, { http }: Pick<ProviderEnvironment, "http">) {
    this.#options = options;
    const clients = new Clients(http, options.tls);
    const common = { toRefusal, close: () => clients.close() };
    this.#keystone = new JsonApi({
      ...common,
      ...NEVER_RENEWED,
      route: ({ path }) => routeTo(options.authUrl, path, { clients, headers: {} }),
    });
    this.#designate = new JsonApi<Login>({
      ...common,
      proofs: this.#logins,
      route: ({ path }, { token, endpoint }) =>
        routeTo(endpoint, `/v2${path}`, { clients, headers: { "x-auth-token": token } }),
    });
  }

  /** Where Designate is, without its scheme: part of a zone's identity. */
  async endpoint(): Promise<string> {
    return (await this.#logins.token()).endpoint.replace(/^https?:\/\//, "");
  }

  /**
   * Complete or thrown. `items`: the field that has the list. A next page is asked for at the same
   * address, whatever its link names.
   */
  list(path: string, items: string, { pace, signal }: Pacing): Promise<Listing> {
    return listLinked(async (marker: string | null) => {
      const url = new URL(path, "http://designate");
      url.searchParams.set("limit", String(ITEMS_PER_PAGE));
      if (marker !== null) url.searchParams.set("marker", marker);
      const fields = await this.#designate.get(`${url.pathname}${url.search}`, signal);
      const link = textOf(fieldsOf(fields["links"])["next"]);
      const next = link && new URL(link, "http://designate").searchParams.get("marker");
      if (link !== null && next === null)
        throw new Error("the link to the next page has no marker");
      return { items: itemsOf(fields[items]), next };
    }, pace);
  }

  /** One thing; null = there is none. */
  get(path: string, signal: AbortSignal): Promise<Fields | null> {
    const call = () => this.send(readCall(path), signal);
    return unlessRefused(call, ({ status }) => status === STATUS_NOT_FOUND);
  }

  /** Throws RefusedCall, or OperationError where nobody answers. */
  send(call: ApiCall, signal: AbortSignal): Promise<Fields> {
    return this.#designate.fields(call, signal);
  }

  close(): void {
    this.#keystone.close();
    this.#designate.close();
  }

  /** By the Secret's user or application credential. */
  async #login(): Promise<Login> {
    const { auth } = this.#options;
    const path = "/v3/auth/tokens";
    try {
      const call = { method: "POST", path, body: { auth }, changes: null } as const;
      const answer = await this.#keystone.call(call, new AbortController().signal);
      const token = answer.headers["x-subject-token"] ?? "";
      if (token === "") throw new Error("the answer has no token; is OS_AUTH_URL Keystone?");
      return { token, endpoint: endpointIn(answer, this.#options) };
    } catch (error) {
      throw unsent(explainCall(error, "no token was given", REFUSALS));
    }
  }
}

function routeTo(
  address: string,
  path: string,
  { clients, headers }: { readonly clients: Clients; readonly headers: Record<string, string> },
) {
  const { origin, pathname } = new URL(address);
  return { client: clients.at(origin), path: `${pathname.replace(/\/$/, "")}${path}`, headers };
}

/** By the catalog: of type `dns`, of the region and the kind that the Secret says. */
function endpointIn({ json }: JsonAnswer, options: DesignateOptions): string {
  const { region, endpointType, authUrl } = options;
  const offers = (listOf(fieldsOf(fieldsOf(json)["token"])["catalog"]) ?? [])
    .map(fieldsOf)
    .filter(({ type }) => type === "dns")
    .flatMap(({ endpoints }) => listOf(endpoints) ?? [])
    .map(fieldsOf)
    .filter((one) => one["interface"] === endpointType);
  const regionOf = (one: Fields): string => textOf(one["region_id"]) ?? textOf(one["region"]) ?? "";
  const offer = offers.find((one) => region === null || regionOf(one) === region);
  const url = textOf(offer?.["url"]) ?? "";
  if (!/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(url)) {
    const at = region === null ? "" : ` in region ${region}`;
    const regions = [...new Set(offers.map(regionOf))].sort().join(", ");
    const known = regions === "" ? "" : `; known are ${regions}`;
    throw noEndpoint(`has no ${endpointType} endpoint of type dns${at}${known}`);
  }
  if (authUrl.startsWith("https:") && url.startsWith("http:"))
    throw noEndpoint("names an http address of Designate, which would read the token");
  return url.replace(/\/+$/, "").replace(/\/v2$/, "");
}

function noEndpoint(trouble: string): OperationError {
  return badCredentials(
    `the catalog of Keystone ${trouble}; correct OS_REGION_NAME or OS_INTERFACE in the Secret, or the catalog`,
  );
}

// What Designate and Keystone refuse, and what that means.

/**
 * Designate: `{"code", "type", "message", "request_id"}`, or `errors` in place of the message.
 * Keystone: `{"error": {"code", "title", "message"}}`.
 */
function toRefusal({ status, json, text, retryAfterMs }: JsonAnswer): RefusedCall {
  const outer = fieldsOf(json);
  const error = fieldsOf(outer["error"] ?? outer);
  const messages = (listOf(fieldsOf(outer["errors"])["errors"]) ?? [])
    .map((one) => textOf(fieldsOf(one)["message"]))
    .filter((one) => one !== null);
  const shown = textOf(error["message"]) ?? [...new Set(messages)].join("; ");
  const code = DIALECT_CODE.test(textOf(error["code"]) ?? "") ? textOf(error["code"]) : null;
  const ofDialect = code !== null && status === STATUS_FORBIDDEN ? "forbidden" : (code ?? "");
  const reason = textOf(error["type"]) ?? ofDialect;
  const plain = json === undefined ? text : reason.replaceAll("_", " ");
  return new RefusedCall({ status, text: shown || plain, retryAfterMs, reason });
}

/**
 * Open Telekom Cloud, Flexible Engine and Huawei Cloud: a code in place of the type, such as
 * `{"code":"DNS.0312","message":"Attribute 'name' conflicts with Record Set …"}`.
 */
const DIALECT_CODE = /^DNS\.\d{4}$/;
const STATUS_FORBIDDEN = 403;

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy: "correct the Secret of the DNSProvider, or the roles of its user",
  rows: [
    // Codes of the dialect, too.
    {
      reason: /^(duplicate_recordset|recordset_not_found|DNS\.0312|DNS\.0313|DNS\.0335)$/,
      is: "changed",
    },
    { text: /may not share a name/, is: "changed" },
    // The user may not write there, whatever the call holds.
    { reason: /^forbidden$/, is: "key" },
    // 413 is a quota of the project.
    { status: /^(400|403|405|409|413|422)$/, reason: /./, is: "refused" },
  ],
  codeOf: ({ status }) => `Designate${status}`,
};
