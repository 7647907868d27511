/**
 * An HttpClient that calls an HttpHandler in the same process, without sockets, and honours aborts
 * as a real one does.
 */
import type {
  HttpClient,
  HttpHandler,
  HttpRequest,
  HttpResponse,
} from "@zonekeeper/base/ports/http";

/** What of a request tests look at. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Runs before the handler; throw to fail the request, return a response to answer in the handler's
 * place.
 */
export type Interceptor = (
  request: HttpRequest,
  next: HttpHandler,
) => Promise<HttpResponse | undefined> | HttpResponse | undefined;

/** One client over one handler. Keeps what was asked. */
export class HandlerClient implements HttpClient {
  readonly seen: SeenRequest[] = [];
  /** Faults; undefined = go on with the next one, the handler last. */
  interceptors: Interceptor[] = [];
  readonly #handler: HttpHandler;

  constructor(handler: HttpHandler) {
    this.#handler = handler;
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    this.seen.push({
      method: request.method,
      path: request.path,
      headers: request.headers,
      body: request.body === null ? "" : new TextDecoder().decode(request.body),
    });
    request.signal.throwIfAborted();
    for (const intercept of this.interceptors) {
      const response = await intercept(request, this.#handler);
      if (response !== undefined) return response;
    }
    return this.#handler(request);
  }

  close(): void {}

  /** Requests whose method and path match, as `METHOD path`. */
  asked(pattern: RegExp): readonly string[] {
    return this.seen.map(({ method, path }) => `${method} ${path}`).filter((t) => pattern.test(t));
  }

  /** Answers the next `times` matching requests by `answer`. */
  failNext(pattern: RegExp, answer: Interceptor, times = 1): void {
    let left = times;
    this.interceptors.push((request, next) => {
      if (left === 0 || !pattern.test(`${request.method} ${request.path}`)) return undefined;
      left -= 1;
      return answer(request, next);
    });
  }
}

/** A response with a JSON body. */
export function jsonResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: (async function* () {
      yield bytes;
    })(),
  };
}

/** A refusal as API servers word it. */
export function statusResponse(
  code: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return jsonResponse(code, statusBody(code, reason), headers);
}

/** A `Status` object. */
export function statusBody(code: number, reason: string): Readonly<Record<string, unknown>> {
  return {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    message: `server says ${reason}`,
    reason,
    code,
  };
}
