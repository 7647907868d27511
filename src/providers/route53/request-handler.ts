/**
 * Lets the SDK send through the HTTP port, whose rules for addresses (Z-29), dry run and pause hold
 * for it then. It repeats nothing and decides nothing.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { OpenVendorHttp } from "../../ports/vendor-http.ts";
import { Clients } from "../shared/clients.ts";
import { collectBody } from "../shared/json-call.ts";

/** A request as the SDK makes it; the parts that are used. */
interface SdkRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface SdkResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** What each command is sent with; the SDK hands it on to the handler as it is. */
export interface CommandOptions {
  readonly abortSignal: AbortSignal;
  /** The apex of the zone that it changes; null = it reads. */
  readonly changes: DnsName | null;
}

/** The same as the SDK types it; requests of its own have less. */
interface SdkOptions {
  readonly abortSignal?: unknown;
  readonly changes?: DnsName | null;
}

/** One for each session. */
export class RequestHandler {
  /** The service's, and that of STS. */
  readonly #clients: Clients;

  constructor(open: OpenVendorHttp) {
    this.#clients = new Clients(open);
  }

  async handle(
    request: SdkRequest,
    { abortSignal, changes }: SdkOptions = {},
  ): Promise<{ readonly response: SdkResponse }> {
    const { protocol, hostname, port, path, query = {}, headers, body: content } = request;
    // What the SDK itself sends, without our options, is for credentials: STS is at `/`.
    const changed = path === "/" ? null : changes;
    invariant(changed !== undefined, "a command says what it changes");
    const text = typeof content === "string" && content !== "" ? content : null;
    const bytes = content instanceof Uint8Array ? content : null;
    const origin = `${protocol}//${hostname}${port === undefined ? "" : `:${port}`}`;
    const response = await this.#clients.at(origin).send({
      changes: changed,
      method: request.method,
      path: path + queryText(query),
      // The client below writes its own length.
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-length"),
      ),
      body: text === null ? bytes : new TextEncoder().encode(text),
      signal: abortSignal instanceof AbortSignal ? abortSignal : new AbortController().signal,
    });
    const body = await collectBody(response.body);
    return {
      response: { statusCode: response.status, headers: { ...response.headers }, body },
    };
  }

  /** Asked by the SDK for a handler that is configured from outside. */
  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): Record<string, never> {
    return {};
  }

  destroy(): void {
    this.#clients.close();
  }
}

function queryText(query: NonNullable<SdkRequest["query"]>): string {
  const encode = (text: string): string =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const fields = Object.entries(query).flatMap(([key, value]) =>
    (typeof value === "string" ? [value] : (value ?? [""])).map(
      (one) => `${encode(key)}=${encode(one)}`,
    ),
  );
  return fields.length === 0 ? "" : `?${fields.join("&")}`;
}
