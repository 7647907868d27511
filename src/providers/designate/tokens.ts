/**
 * Keystone: a token for the Secret's user or application credential, and where the catalog says
 * that Designate is. One token serves all calls until the API refuses it. It repeats nothing.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { VendorClient } from "../../ports/vendor-http.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { callJson, type JsonAnswer } from "../shared/json-call.ts";
import { explain, toRefusal } from "./failures.ts";
import { CALL_TIMEOUT_MS } from "./limits.ts";
import type { DesignateOptions } from "./options.ts";

/** A token, and where it is for. */
export interface Login {
  readonly token: string;
  /** Of Designate: `https://host[:port][/path]`, without `/v2`. */
  readonly endpoint: string;
}

const STATUS_CREATED = 201;

/** One for each session. May be asked concurrently: there is one call at a time. */
export class KeystoneTokens {
  readonly #options: DesignateOptions;
  readonly #client: VendorClient;
  readonly #stopped = new AbortController();
  #login: Promise<Login> | null = null;

  constructor(options: DesignateOptions, { http }: Pick<ProviderEnvironment, "http">) {
    this.#options = options;
    const { authUrl, tls } = options;
    const { origin } = new URL(authUrl);
    this.#client = http({ origin, ...(tls === null ? {} : { tls }) });
  }

  /** Throws OperationError; nothing that writes was sent then. */
  async login(): Promise<Login> {
    const login = this.#login ?? this.#ask();
    this.#login = login;
    try {
      return await login;
    } catch (error) {
      this.#forgetPromise(login);
      throw unsent(error);
    }
  }

  /** The API took this token for a wrong one: the next call asks for another. */
  async forget({ token }: Login): Promise<void> {
    const login = this.#login;
    if (login !== null && (await login).token === token) this.#forgetPromise(login);
  }

  close(): void {
    this.#stopped.abort();
    this.#client.close();
  }

  #forgetPromise(login: Promise<Login>): void {
    if (this.#login === login) this.#login = null;
  }

  async #ask(): Promise<Login> {
    const { authUrl, auth } = this.#options;
    const { pathname } = new URL(authUrl);
    const answer = await callJson(this.#client, {
      method: "POST",
      path: `${pathname.replace(/\/$/, "")}/v3/auth/tokens`,
      headers: {},
      body: { auth },
      changes: null,
      signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
    });
    const token = answer.headers["x-subject-token"] ?? "";
    if (answer.status !== STATUS_CREATED) throw toRefusal(answer);
    if (token === "") throw new Error("the answer has no token; is OS_AUTH_URL Keystone?");
    return { token, endpoint: this.#endpointIn(answer) };
  }

  /** Of type `dns`, of the region and the kind that the Secret says. */
  #endpointIn({ json }: JsonAnswer): string {
    const { region, endpointType, authUrl } = this.#options;
    const catalog = listOf(fieldsOf(fieldsOf(json)["token"])["catalog"]) ?? [];
    const offers = catalog
      .map(fieldsOf)
      .filter(({ type }) => type === "dns")
      .flatMap(({ endpoints }) => listOf(endpoints) ?? [])
      .map(fieldsOf)
      .filter((one) => one["interface"] === endpointType);
    const regionOf = (one: (typeof offers)[number]): string =>
      textOf(one["region_id"]) ?? textOf(one["region"]) ?? "";
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
}

function noEndpoint(trouble: string): OperationError {
  return new OperationError({
    code: "ProviderCredentials",
    message: `the catalog of Keystone ${trouble}; correct OS_REGION_NAME or OS_INTERFACE in the Secret, or the catalog`,
    retry: "backoff",
    nothingSent: true,
  });
}

/** Only the token was asked for. */
function unsent(error: unknown): OperationError {
  const { code, message, retry, retryAfterMs } = explain(error, "no token was given");
  return new OperationError({
    code,
    message,
    retry,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    nothingSent: true,
    cause: error,
  });
}
