/**
 * The HTTP by which a vendor's credentials library asks for tokens: over the HTTP port, and to
 * listed hosts only. It repeats nothing.
 */
import { isLoopback } from "../../model/internal-address.ts";
import { OperationError } from "../../model/operation-error.ts";
import type { HttpHeaders } from "../../ports/http.ts";
import type { OpenVendorHttp, VendorClient } from "../../ports/vendor-http.ts";
import { collectBody } from "./collect-body.ts";

/** Milliseconds for one call, with its answer. */
const CALL_TIMEOUT_MS = 30_000;

/** What is sent. */
export interface TokenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpHeaders;
  /** Null = none. */
  readonly body: string | null;
}

/** What came. */
export interface TokenResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly text: string;
}

/** True for https to a listed host, and for http to this host. */
export function isTokenUrl(text: string, hosts: ReadonlySet<string>): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  if (protocol === "https:") return hosts.has(hostname) && port === "";
  return protocol === "http:" && isLoopback(hostname);
}

/** One for each session. Calls may be made concurrently. */
export class TokenHttp {
  readonly #http: OpenVendorHttp;
  readonly #hosts: ReadonlySet<string>;
  readonly #stopped = new AbortController();
  /** By origin; at most one for each listed host, and one for this host. */
  readonly #clients = new Map<string, VendorClient>();

  constructor(http: OpenVendorHttp, hosts: ReadonlySet<string>) {
    this.#http = http;
    this.#hosts = hosts;
  }

  /** Throws OperationError for another host, before anything is sent, and where nobody answers. */
  async send({ method, url, headers, body }: TokenRequest): Promise<TokenResponse> {
    if (!isTokenUrl(url, this.#hosts)) throw otherHost(url);
    const { origin, pathname, search } = new URL(url);
    const response = await this.#client(origin).send({
      method,
      changes: null,
      path: `${pathname}${search}`,
      headers,
      body: body === null ? null : new TextEncoder().encode(body),
      signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
    });
    const bytes = await collectBody(response.body);
    return {
      status: response.status,
      headers: response.headers,
      text: new TextDecoder().decode(bytes),
    };
  }

  close(): void {
    this.#stopped.abort();
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  #client(origin: string): VendorClient {
    const known = this.#clients.get(origin);
    if (known !== undefined) return known;
    const client = this.#http({ origin });
    this.#clients.set(origin, client);
    return client;
  }
}

function otherHost(url: string): OperationError {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return new OperationError({
    code: "ProviderCredentials",
    message: `the token host ${host} is not one of the vendor's; nothing was sent; correct the Secret of the DNSProvider`,
    retry: "backoff",
    nothingSent: true,
  });
}
