/**
 * The HTTP by which a vendor's credentials library asks for tokens: over the HTTP port, and to
 * listed hosts only. It repeats nothing. Answers that say nothing about the proof are troubles of
 * whoever gave them, so that nobody corrects a Secret for them.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import { fieldsOf, isFields, textOf } from "@zonekeeper/kube/objects/object-fields";
import { isLoopback } from "../../model/addresses.ts";
import type { OpenVendorHttp } from "../../ports/vendor-http.ts";
import { Clients } from "./clients.ts";
import { badCredentials, throttled } from "./failed-calls.ts";
import { type JsonAnswer, wholeAnswer } from "./json-call.ts";
import { RefusedCall } from "./refused-call.ts";

/** Milliseconds for one call, with its answer. */
const CALL_TIMEOUT_MS = 30_000;
const STATUS_CLIENT = 400;
const STATUS_TOO_MANY = 429;
const STATUS_SERVER = 500;

/** What is sent. */
export interface TokenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpHeaders;
  /** Null = none. */
  readonly body: string | null;
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
  readonly #hosts: ReadonlySet<string>;
  readonly #stopped = new AbortController();
  readonly #clients: Clients;

  constructor(http: OpenVendorHttp, hosts: ReadonlySet<string>) {
    this.#clients = new Clients(http);
    this.#hosts = hosts;
  }

  /**
   * A JSON object where it is good; else the proof is refused. Throws OperationError for another
   * host, before anything is sent, and where nobody answers, or nobody who judges the proof: 429,
   * 500 and more, a page, a redirection.
   */
  async send({ method, url, headers, body }: TokenRequest): Promise<JsonAnswer> {
    if (!isTokenUrl(url, this.#hosts)) {
      const other = URL.canParse(url) ? new URL(url).hostname : "";
      throw badCredentials(
        `the token host ${other} is not one of the vendor's; nothing was sent; correct the Secret of the DNSProvider`,
      );
    }
    const { origin, host, pathname, search } = new URL(url);
    const response = await this.#clients.at(origin).send({
      method,
      changes: null,
      path: `${pathname}${search}`,
      headers,
      body: body === null ? null : new TextEncoder().encode(body),
      signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
    });
    const answer = await wholeAnswer(response);
    const trouble = troubleOf(answer, host);
    if (trouble !== null) throw trouble;
    return answer;
  }

  close(): void {
    this.#stopped.abort();
    this.#clients.close();
  }
}

function troubleOf(answer: JsonAnswer, host: string): OperationError | null {
  const { status, text, json, isGood } = answer;
  const refusal = refusalText(answer);
  const shown = `HTTP status ${status} of ${host}${refusal === "" ? "" : `: ${refusal}`}`;
  if (status === STATUS_TOO_MANY) return throttled(noToken(shown), answer.retryAfterMs, null);
  if (status >= STATUS_SERVER) return unavailable(shown);
  const isRefusal = status >= STATUS_CLIENT;
  const isAnswer = isFields(json) || (isRefusal && !PAGE.test(text));
  if (isAnswer && (isGood || isRefusal)) return null;
  return unavailable(
    `${shown}, which is no answer of a token host; let this program reach ${host} without a proxy or login page that answers in its place`,
  );
}

/** For messages. */
export function noToken(reason: string): string {
  return `no access token was given: ${reason}`;
}

/** The token host cannot be used now, whatever the Secret holds. */
export function unavailable(reason: string, cause?: unknown): OperationError {
  const message = noToken(reason);
  const what = { code: "ProviderUnavailable", message, nothingSent: true } as const;
  return new OperationError({ ...what, retry: "backoff", cause });
}

/** What a browser would show. */
const PAGE = /[<>]/;

/** `{error: {message}}`, RFC 6749 §5.2, or a plain text; empty = the answer has none of them. */
export function refusalText({ status, text, json, isGood }: JsonAnswer): string {
  const { error, error_description: description } = fieldsOf(json);
  const message = textOf(fieldsOf(error)["message"]);
  const texts = [textOf(error), textOf(description)].filter((one) => one !== null);
  const plain = json === undefined && !isGood && !PAGE.test(text) ? text : "";
  const shown = message ?? (texts.length > 0 ? texts.join(": ") : plain);
  return shown === "" ? "" : new RefusedCall({ status, text: shown, retryAfterMs: null }).message;
}
