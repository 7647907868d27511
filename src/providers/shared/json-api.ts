/**
 * A vendor's JSON API over the HTTP port: who asks, how long, and what is a good answer. A proof
 * that is refused, such as a revoked token, is renewed once; nothing else is repeated. What answers
 * mean is the vendor's folder's business.
 */
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, isFields } from "@zonekeeper/kube/objects/object-fields";
import type { VendorClient } from "../../ports/vendor-http.ts";
import { callJson, type JsonAnswer } from "./json-call.ts";
import type { RefusedCall } from "./refused-call.ts";
import { type TokenSource, withRenewedToken } from "./renewed-token.ts";

const CALL_TIMEOUT_MS = 60_000;

/** One call. */
export interface ApiCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** Null = none. */
  readonly body: Fields | readonly Fields[] | null;
  /** The apex of the zone that it changes; null = it reads. */
  readonly changes: DnsName | null;
  readonly headers?: HttpHeaders;
}

/** A call as it is sent. */
export interface RoutedCall extends Pick<ApiCall, "path"> {
  readonly client: VendorClient;
  /** Beside those of the call: the proof. */
  readonly headers: HttpHeaders;
}

/** How one API is called; `P`: what proves who asks. */
export interface ApiRules<P> {
  /** Milliseconds for one call, with its answer. Default: a minute. */
  readonly timeoutMs?: number;
  readonly proofs: TokenSource<P>;
  /** Default: status 401. */
  readonly isProofRefused?: (answer: JsonAnswer) => boolean;
  readonly route: (call: ApiCall, proof: P) => RoutedCall;
  readonly toRefusal: (answer: JsonAnswer) => RefusedCall;
  /** Good statuses may tell of failures. Default: they do not. */
  readonly isFailure?: (answer: JsonAnswer) => boolean;
  readonly close: () => void;
}

/** For an API that is asked with the same headers for good. */
export const NEVER_RENEWED = {
  proofs: { token: async () => null, forget: () => undefined },
  isProofRefused: () => false,
} satisfies Pick<ApiRules<null>, "proofs" | "isProofRefused">;

/** One for each session. Calls may be made concurrently. */
export class JsonApi<P> {
  readonly #rules: ApiRules<P>;
  readonly #stopped = new AbortController();

  constructor(rules: ApiRules<P>) {
    this.#rules = rules;
  }

  /** A good answer. Throws RefusedCall, or OperationError where nobody answers. */
  async call(call: ApiCall, signal: AbortSignal): Promise<JsonAnswer> {
    const { proofs, toRefusal, isFailure, isProofRefused } = this.#rules;
    const answer = await withRenewedToken(
      proofs,
      (proof) => this.#send(call, proof, signal),
      isProofRefused,
    );
    if (!answer.isGood || isFailure?.(answer) === true) throw toRefusal(answer);
    return answer;
  }

  /** The object of a good answer. */
  async fields(call: ApiCall, signal: AbortSignal): Promise<Fields> {
    const { json } = await this.call(call, signal);
    if (!isFields(json)) throw new Error("the answer is not JSON, or not whole");
    return json;
  }

  /** As `fields`, by a GET. */
  get(path: string, signal: AbortSignal): Promise<Fields> {
    return this.fields(readCall(path), signal);
  }

  close(): void {
    this.#stopped.abort();
    this.#rules.close();
  }

  #send(call: ApiCall, proof: P, signal: AbortSignal): Promise<JsonAnswer> {
    const { client, path, headers } = this.#rules.route(call, proof);
    const timeout = AbortSignal.timeout(this.#rules.timeoutMs ?? CALL_TIMEOUT_MS);
    return callJson(client, {
      ...call,
      path,
      headers: { ...call.headers, ...headers },
      signal: AbortSignal.any([signal, this.#stopped.signal, timeout]),
    });
  }
}

/** A call that reads. */
export function readCall(path: string): ApiCall {
  return { method: "GET", path, body: null, changes: null };
}
