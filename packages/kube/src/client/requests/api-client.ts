/**
 * Requests to one API server over an HttpClient: JSON in, JSON out, every failure an ApiError. Only
 * this file handles deadlines, bodies and statuses; it neither retries nor caches.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { type OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { HttpClient, HttpHeaders, HttpResponse } from "@zonekeeper/base/ports/http";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import { type KindRef, kindText } from "../../objects/kubernetes.ts";
import { Deadline, orAborted } from "./abort.ts";
import { type ApiCall, ApiError, lostAnswerError, refusalError } from "./api-error.ts";

/** What the client works with. */
export interface ApiClientOptions {
  /** Bound to the server's origin and credentials. */
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly metrics?: Metrics;
  /** Label of `rest_client_requests_total`: the cluster's id or host; bounded by configuration. */
  readonly host?: string;
  /** Milliseconds until a request's answer must be complete; default 30 000. Watches have none. */
  readonly requestTimeoutMs?: number;
  /** Greatest body of an answer; default 256 MiB (a page of 500 objects of 0.5 MiB). */
  readonly bodyBytesMax?: number;
  /**
   * Why nothing may be written now (dry run, pause, kill switch), or null. Asked before each
   * mutating request.
   */
  readonly writesRefused?: () => string | null;
}

/** One request. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With query; from `resourcePath`. */
  readonly path: string;
  /** For messages: `dnsentries.dns.gardener.cloud default/www`. */
  readonly subject: string;
  readonly kind?: KindRef;
  /** Sent as JSON; absent = no body. */
  readonly body?: unknown;
  /** Default `application/json`. */
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** A POST that stores nothing: `writesRefused` lets it pass. */
  readonly isReview?: true;
}

const REQUEST_TIMEOUT_MS = 30_000;
const BODY_BYTES_MAX = 256 * 1024 * 1024;
/** A longer body of a refusal is ignored. */
const REFUSAL_BYTES_MAX = 1024 * 1024;

/** A typed client of one API server. Safe for concurrent use. */
export class ApiClient {
  readonly #options: ApiClientOptions;
  readonly #requestTimeoutMs: number;
  readonly #bodyBytesMax: number;

  constructor(options: ApiClientOptions) {
    this.#options = options;
    this.#requestTimeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
    this.#bodyBytesMax = options.bodyBytesMax ?? BODY_BYTES_MAX;
  }

  /** The whole answer, parsed. Throws ApiError: refused, lost, or not JSON. */
  json(request: ApiRequest): Promise<unknown> {
    return this.#timely(request, async (call, signal) => {
      const response = await this.#send(request, call, signal);
      return parseJson(await readBody(response, this.#bodyBytesMax));
    });
  }

  /**
   * An answer whose body is read by the caller (a watch). Resolves when the status is a success;
   * the deadline covers the headers only. `signal` ends the body too.
   */
  stream(request: ApiRequest & { readonly signal: AbortSignal }): Promise<HttpResponse> {
    return this.#timely(request, (call) => this.#send(request, call, request.signal));
  }

  async #timely<T>(
    request: ApiRequest,
    answer: (call: ApiCall, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const call = callOf(request);
    const deadline = new Deadline(this.#options.clock, request.signal);
    const afterMs = this.#requestTimeoutMs;
    deadline.extend(afterMs, () => unusable(`no complete answer within ${afterMs} ms`));
    try {
      const answered = answer(call, deadline.signal);
      answered.catch(() => {});
      return await orAborted(answered, deadline.signal);
    } catch (error) {
      throw error instanceof ApiError ? error : lostAnswerError(call, error);
    } finally {
      deadline.release();
    }
  }

  async #send(request: ApiRequest, call: ApiCall, signal: AbortSignal): Promise<HttpResponse> {
    const isWrite = call.mutating && request.isReview !== true;
    const refused = isWrite ? (this.#options.writesRefused?.() ?? null) : null;
    if (refused !== null)
      throw new ApiError(
        {
          code: "WritesRefused",
          message: `${call.subject}: not sent: ${refused}`,
          retry: "backoff",
        },
        { status: 0, isStatus: false },
      );
    const sent = this.#options.http.request({
      method: request.method,
      path: request.path,
      headers: headersOf(request),
      body:
        request.body === undefined ? null : new TextEncoder().encode(JSON.stringify(request.body)),
      signal,
    });
    const response = await sent.catch((error: unknown) => {
      this.#count(request, "<error>");
      throw error;
    });
    this.#count(request, String(response.status));
    if (response.status >= 200 && response.status < 300) return response;
    const text = await readBody(response, REFUSAL_BYTES_MAX).catch(() => "");
    throw refusalError(call, { ...response, body: jsonIn(text) ?? null });
  }

  #count(request: ApiRequest, code: string): void {
    const labels = { code, method: request.method, host: this.#options.host ?? "" };
    this.#options.metrics?.count("rest_client_requests_total", labels);
  }
}

/** The call in error messages, and whether the server's message may be quoted. */
export function callOf(request: Pick<ApiRequest, "method" | "subject" | "kind">): ApiCall {
  return {
    subject: `${request.method} ${request.subject}`,
    mutating: request.method !== "GET",
    confidential: request.kind !== undefined && kindText(request.kind) === "secrets",
  };
}

function headersOf(request: ApiRequest): HttpHeaders {
  return {
    accept: request.accept ?? "application/json",
    "user-agent": "zonekeeper",
    ...(request.body === undefined
      ? {}
      : { "content-type": request.contentType ?? "application/json" }),
  };
}

/** Ends with the request: its signal is that of the HttpClient, too. */
async function readBody(response: HttpResponse, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw unusable(`the answer is larger than ${bytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may hold a Secret.
    throw unusable("the answer is not JSON");
  }
}

function unusable(message: string): OperationError {
  return retryable("Unavailable", message);
}
