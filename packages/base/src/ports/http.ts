/** HTTP both ways with streaming bodies: one shape for requests sent and requests served. */

/** Lower-case header names; several values are joined by the platform with ", ". */
export type HttpHeaders = Readonly<Record<string, string>>;

/** A request, sent or received. */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** Path with query, beginning with `/`. */
  readonly path: string;
  readonly headers: HttpHeaders;
  /** Null = no body. Bounded by the platform on the serving side. */
  readonly body: Uint8Array | null;
  /** Aborts when the peer goes away (serving) or the caller cancels (sending). */
  readonly signal: AbortSignal;
}

/** A response. `body` may be endless (a watch); whoever stops iterating closes the connection. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * A client bound to one origin and its credentials. Rejects with OperationError when no response
 * arrives.
 */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpResponse>;
  close(): void;
}

/** Where a client leads to. */
export interface HttpTarget {
  /** `https://host[:port]`. */
  readonly origin: string;
  /** Asked for the IP address that is about to be dialled; absent = any may be. */
  readonly mayDial?: (address: string) => boolean;
  /** Absent = the platform's trust, and no certificate of ours. */
  readonly tls?: HttpTls;
}

/** PEM texts. */
export interface HttpTls {
  /** Certificates to trust in place of the platform's; absent = the platform's. */
  readonly ca?: string;
  /** What the client shows, and its key. */
  readonly cert?: string;
  readonly key?: string;
}

/** Makes a client without credentials. Whoever makes it closes it. */
export type OpenHttp = (target: HttpTarget) => HttpClient;

/** The serving side: one function from request to response. Must not throw for bad input. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;
