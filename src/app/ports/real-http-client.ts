/**
 * The HttpClient port over node:http and node:https: one origin, pooled connections, streamed
 * responses. It decides nothing about statuses, and repeats a request only where the platform's
 * pool handed out a dead connection.
 */
import {
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
} from "node:http";
import { request as secureRequest } from "node:https";
import { messageOf, OperationError, retryable } from "@zonekeeper/base/operation-error";
import type {
  HttpClient,
  HttpHeaders,
  HttpRequest,
  HttpResponse,
  HttpTarget,
} from "@zonekeeper/base/ports/http";
import { isLoopback } from "../../model/addresses.ts";
import { environmentProxy } from "./environment-proxy.ts";
import { isRefusedLiteral, lookupFor, type MayDial, NotDialled } from "./guarded-lookup.ts";
import { hostOf, makeAgent, portOf, TCP_KEEPALIVE_MS, type TlsTrust } from "./http-agent.ts";
import { networkError, systemCodeOf, timeoutError } from "./system-error.ts";

/** What the client is bound to. */
export interface RealHttpClientOptions {
  /** `https://host[:port]`; a path in it is put before each request's path. */
  readonly origin: string;
  readonly tls?: TlsTrust;
  /** See `HttpTarget`; a proxy is asked for an address of which it is true. */
  readonly mayDial?: MayDial;
  /** `http://[user:password@]host:port`; CONNECT. Absent = direct. */
  readonly proxyUrl?: string;
  /**
   * Value of the `authorization` header, asked for each request; null = none. Sent over https and
   * to loopback only.
   */
  readonly authorization?: () => Promise<string | null>;
  /** Until TCP and TLS stand. */
  readonly connectTimeoutMs?: number;
  /** From then until the response's headers. */
  readonly headersTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 30_000;

/**
 * A client over real sockets. Codes: `ConnectFailed` and `ConnectTimeout` (nothing was sent),
 * `ConnectionLost` and `HeadersTimeout` (the request may have been carried out), `CallTimeout` (so
 * it may where the caller's time was up), `Aborted` (the caller gave up).
 */
export class RealHttpClient implements HttpClient {
  readonly #origin: URL;
  readonly #agent: Agent;
  readonly #options: RealHttpClientOptions;
  readonly #mayAuthorize: boolean;

  constructor(options: RealHttpClientOptions) {
    this.#options = options;
    this.#origin = new URL(options.origin);
    this.#mayAuthorize = this.#origin.protocol === "https:" || isLoopback(hostOf(this.#origin));
    this.#agent = makeAgent({
      origin: this.#origin,
      tls: options.tls ?? {},
      proxy: options.proxyUrl === undefined ? null : new URL(options.proxyUrl),
      connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      mayDial: options.mayDial,
    });
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    const authorization = this.#mayAuthorize ? await this.#options.authorization?.() : null;
    const headers = authorization ? { ...request.headers, authorization } : { ...request.headers };
    try {
      return await this.#send(request, headers);
    } catch (error) {
      const isStale =
        error instanceof StaleConnection && /^(ECONNRESET|EPIPE)$/.test(error.systemCode);
      if (!isStale || (request.method !== "GET" && request.method !== "HEAD")) throw error;
      return this.#send(request, headers);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(request: HttpRequest, headers: Readonly<Record<string, string>>): Promise<HttpResponse> {
    if (request.signal.aborted)
      return Promise.reject(abortedError(this.#where(request), request.signal));
    if (isRefusedLiteral(hostOf(this.#origin), this.#options.mayDial))
      return Promise.reject(networkError("connect", this.#where(request), new NotDialled()));
    const start = this.#origin.protocol === "https:" ? secureRequest : plainRequest;
    const sent = start({
      host: hostOf(this.#origin),
      port: portOf(this.#origin),
      method: request.method,
      path: this.#origin.pathname.replace(/\/$/, "") + request.path,
      headers:
        request.body === null
          ? { ...headers }
          : { ...headers, "content-length": String(request.body.length) },
      agent: this.#agent,
      ...lookupFor(this.#options.mayDial),
    });
    const exchange = new Exchange(sent, {
      where: this.#where(request),
      secure: this.#origin.protocol === "https:",
      signal: request.signal,
      connectTimeoutMs: this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      headersTimeoutMs: this.#options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
    });
    sent.end(request.body ?? undefined);
    return exchange.response;
  }

  /** For messages: no query, because selectors may be long. */
  #where(request: HttpRequest): string {
    return `${request.method} ${this.#origin.host}${request.path.split("?", 1)[0] ?? ""}`;
  }
}

interface ExchangeOptions {
  readonly where: string;
  readonly secure: boolean;
  readonly signal: AbortSignal;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
}

/** One request on its way: its deadlines, its abort and its response. */
class Exchange {
  readonly response: Promise<HttpResponse>;
  readonly #sent: ClientRequest;
  readonly #options: ExchangeOptions;
  #connected = false;
  #reason: OperationError | null = null;
  #timer: NodeJS.Timeout | null = null;
  readonly #abort = (): void => {
    const { where, signal } = this.#options;
    this.#stop(abortedError(where, signal));
  };

  constructor(sent: ClientRequest, options: ExchangeOptions) {
    this.#sent = sent;
    this.#options = options;
    options.signal.addEventListener("abort", this.#abort, { once: true });
    this.#deadline("ConnectTimeout", options.connectTimeoutMs);
    sent.once("socket", (socket) => {
      socket.setKeepAlive(true, TCP_KEEPALIVE_MS);
      if (!socket.connecting && (!options.secure || socket.writable)) this.#onConnected();
      else socket.once(options.secure ? "secureConnect" : "connect", () => this.#onConnected());
    });
    this.response = new Promise((resolve, reject) => {
      sent.once("response", (message) => {
        this.#clearTimer();
        resolve(this.#received(message));
      });
      // Also after the response: an error event without a listener would end the process.
      sent.on("error", (error) => {
        this.#release();
        reject(this.#explain(error));
      });
    });
  }

  #onConnected(): void {
    this.#connected = true;
    this.#deadline("HeadersTimeout", this.#options.headersTimeoutMs);
  }

  #deadline(code: "ConnectTimeout" | "HeadersTimeout", afterMs: number): void {
    this.#clearTimer();
    const late = () => this.#stop(timeoutError(code, this.#options.where, afterMs));
    this.#timer = setTimeout(late, afterMs);
  }

  #received(message: IncomingMessage): HttpResponse {
    message.on("error", () => {});
    message.once("close", () => this.#release());
    return {
      status: message.statusCode ?? 0,
      headers: headersOf(message.headers),
      body: this.#body(message),
    };
  }

  /** Not a bare generator: returning from one waits for the pending read, which may be for ever. */
  #body(message: IncomingMessage): AsyncIterable<Uint8Array> {
    return {
      [Symbol.asyncIterator]: () => {
        const chunks = this.#chunks(message);
        return {
          next: () => chunks.next(),
          return: async () => {
            this.#release();
            message.destroy();
            return { done: true, value: undefined };
          },
        };
      },
    };
  }

  async *#chunks(message: IncomingMessage): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of message) yield chunk;
    } catch (error) {
      throw this.#explain(error);
    } finally {
      this.#release();
    }
  }

  #stop(reason: OperationError): void {
    this.#reason ??= reason;
    this.#release();
    this.#sent.destroy(reason);
  }

  #release(): void {
    this.#clearTimer();
    this.#options.signal.removeEventListener("abort", this.#abort);
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #explain(error: unknown): OperationError {
    if (this.#reason !== null) return this.#reason;
    const step = this.#connected ? "request" : "connect";
    const explained = networkError(step, this.#options.where, error);
    return this.#sent.reusedSocket ? new StaleConnection(explained, error) : explained;
  }
}

/** A pooled connection turned out to be closed by the server; what was sent may have arrived. */
class StaleConnection extends OperationError {
  readonly systemCode: string;

  constructor(explained: OperationError, cause: unknown) {
    super({ code: explained.code, message: explained.message, retry: explained.retry, cause });
    this.systemCode = systemCodeOf(cause);
  }
}

function abortedError(where: string, { reason }: AbortSignal): OperationError {
  if (reason instanceof DOMException && reason.name === "TimeoutError")
    return retryable(
      "CallTimeout",
      `${where}: no complete answer in the time that a call may take`,
    );
  return retryable("Aborted", `${where}: the caller gave up`);
}

/** Lower-case names; several values of one name joined by ", ". */
export function headersOf(headers: IncomingHttpHeaders): HttpHeaders {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return plain;
}

/** A client, whose requests are rejected where the environment names a proxy that is none. */
export function openHttp(
  target: HttpTarget,
  environment: Readonly<Record<string, string | undefined>>,
): HttpClient {
  try {
    const proxyUrl = environmentProxy(target.origin, environment);
    return new RealHttpClient({ ...target, ...(proxyUrl === null ? {} : { proxyUrl }) });
  } catch (error) {
    return unreachable(messageOf(error));
  }
}

function unreachable(message: string): HttpClient {
  const failure = {
    code: "ProviderUnavailable",
    message,
    retry: "backoff",
    nothingSent: true,
  } as const;
  return { request: () => Promise.reject(new OperationError(failure)), close: () => undefined };
}
