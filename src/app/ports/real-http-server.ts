/**
 * Serves an HttpHandler over real sockets, plain or TLS: bounded bodies, streamed responses that
 * wait for a slow peer, an abort signal when the peer goes. It knows no path and no credential.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { Readable } from "node:stream";
import { messageOf } from "@zonekeeper/base/operation-error";
import type { HttpHandler, HttpResponse } from "@zonekeeper/base/ports/http";
import type { Log } from "@zonekeeper/base/ports/log";
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import { headersOf } from "./real-http-client.ts";
import { networkError } from "./system-error.ts";

/** What to serve and where. */
export interface HttpServerOptions {
  readonly handler: HttpHandler;
  /** Port 0 = a free one. */
  readonly at: SocketAddress;
  /** PEM; absent = plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Larger bodies are answered 413. Default 3 MiB, as kube-apiserver. */
  readonly bodyBytesMax?: number;
  /** That answer; the connection is closed after it. Default a line of text. */
  readonly tooLarge?: () => HttpResponse;
  readonly log: Log;
}

/** A running server. */
export interface HttpServer {
  readonly local: SocketAddress;
  /**
   * Takes no new connection, aborts what streams, waits at most `graceMs` (default 2000) for the
   * rest. Idempotent.
   */
  close(graceMs?: number): Promise<void>;
}

const BODY_BYTES_MAX = 3 * 1024 * 1024;
const CLOSE_GRACE_MS = 2000;
/** Longer than clients keep idle connections, so that they and not we close them. */
const IDLE_CONNECTION_MS = 120_000;
const SWEEP_MS = 10;

/** Starts to listen. Rejects with OperationError `AddressInUse` or `ListenFailed`. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const running = new Set<AbortController>();
  const listener = (message: IncomingMessage, answer: ServerResponse): void => {
    void serve(options, running, message, answer);
  };
  const server =
    options.tls === undefined
      ? createServer(listener)
      : createSecureServer({ cert: options.tls.cert, key: options.tls.key }, listener);
  server.keepAliveTimeout = IDLE_CONNECTION_MS;
  const local = await listen(server, options.at);
  let closed: Promise<void> | null = null;
  return {
    local,
    close: (graceMs = CLOSE_GRACE_MS) => {
      closed ??= shutDown(server, running, graceMs);
      return closed;
    },
  };
}

async function serve(
  options: HttpServerOptions,
  running: Set<AbortController>,
  message: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  running.add(gone);
  answer.on("error", () => {});
  answer.once("close", () => {
    running.delete(gone);
    gone.abort();
  });
  try {
    const body = await readBody(message, options.bodyBytesMax ?? BODY_BYTES_MAX);
    if (body === "too-large") {
      answer.shouldKeepAlive = false;
      await send((options.tooLarge ?? tooLarge)(), answer);
      return;
    }
    await send(
      await options.handler({
        method: message.method ?? "GET",
        path: message.url ?? "/",
        headers: headersOf(message.headers),
        body,
        signal: gone.signal,
      }),
      answer,
    );
  } catch (error) {
    const { method, url } = message;
    const failed = { method, path: url?.split("?", 1)[0], error: messageOf(error) };
    if (!gone.signal.aborted) options.log.error("http request failed", failed);
    if (!answer.headersSent && !answer.destroyed) answer.writeHead(500).end();
    else answer.destroy();
  }
}

const tooLarge = (): HttpResponse => ({
  status: 413,
  headers: { "content-type": "text/plain" },
  body: Readable.from([Buffer.from("the request body is too large\n")]),
});

/** Null when the request has no body. */
async function readBody(
  message: IncomingMessage,
  bytesMax: number,
): Promise<Uint8Array | null | "too-large"> {
  const declared = message.headers["content-length"];
  if (declared === undefined && message.headers["transfer-encoding"] === undefined) return null;
  if (Number(declared ?? 0) > bytesMax) return "too-large";
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    total += chunk.length;
    if (total > bytesMax) return "too-large";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function send(response: HttpResponse, answer: ServerResponse): Promise<void> {
  const chunks = response.body[Symbol.asyncIterator]();
  // A body that waits for its next event would never hear that the peer has gone.
  answer.once("close", () => void chunks.return?.().catch(() => {}));
  if (answer.destroyed) return;
  answer.writeHead(response.status, response.headers);
  answer.flushHeaders();
  for (;;) {
    const next = await chunks.next();
    if (next.done === true || answer.destroyed) break;
    if (!answer.write(next.value)) await drained(answer);
  }
  answer.end();
}

function drained(answer: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      answer.off("drain", done);
      answer.off("close", done);
      resolve();
    };
    answer.once("drain", done);
    answer.once("close", done);
  });
}

function listen(server: Server, at: SocketAddress): Promise<SocketAddress> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(networkError("listen", at, error));
    server.once("error", failed);
    server.listen(at.port, at.host, () => {
      server.off("error", failed);
      const bound = server.address();
      if (bound === null || typeof bound === "string") return;
      resolve({ host: bound.address, port: bound.port });
    });
  });
}

function shutDown(
  server: Server,
  running: ReadonlySet<AbortController>,
  graceMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    // A connection becomes idle when its exchange ends, and then nobody would close it.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(sweep);
      resolve();
    });
    for (const exchange of running) exchange.abort();
  });
}
