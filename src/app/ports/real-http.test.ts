import { connect } from "node:net";
import { OperationError } from "@zonekeeper/base/operation-error";
import type { HttpHandler, HttpRequest, HttpResponse } from "@zonekeeper/base/ports/http";
import type { Log } from "@zonekeeper/base/ports/log";
import { afterEach, expect, test } from "vitest";
import { RealHttpClient, type RealHttpClientOptions } from "./real-http-client.ts";
import { type HttpServer, type HttpServerOptions, startHttpServer } from "./real-http-server.ts";

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const it of open.splice(0)) await it.close();
});

async function serve(
  handler: HttpHandler,
  more: Partial<HttpServerOptions> = {},
): Promise<HttpServer> {
  const server = await startHttpServer({
    handler,
    at: { host: "127.0.0.1", port: 0 },
    log: silent,
    bodyBytesMax: 1024,
    ...more,
  });
  open.push({ close: () => server.close(200) });
  return server;
}

function clientOf(
  server: HttpServer,
  options: Partial<RealHttpClientOptions> = {},
): RealHttpClient {
  const client = new RealHttpClient({
    origin: `http://127.0.0.1:${server.local.port}`,
    ...options,
  });
  open.push(client);
  return client;
}

const ask = (path: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: "GET",
  path,
  headers: {},
  body: null,
  signal: new AbortController().signal,
  ...more,
});
async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
const answer = (text: string, status = 200): HttpResponse => ({
  status,
  headers: { "content-type": "text/plain" },
  body: one(text),
});
/** Begins, and ends when the caller or the server gives it up. */
const withoutEnd = ({ signal }: Pick<HttpRequest, "signal">): HttpResponse => ({
  status: 200,
  headers: {},
  body: (async function* () {
    yield* one("first");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  })(),
});
async function textOf(response: HttpResponse): Promise<string> {
  let text = "";
  for await (const chunk of response.body) text += new TextDecoder().decode(chunk);
  return text;
}
async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OperationError) return error.code;
    throw error;
  }
  throw new Error("it should have failed");
}
const tick = (ms = 20): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test("method, path, headers and body arrive; status, headers and body come back", async () => {
  const server = await serve(async (request) =>
    answer(
      `${request.method} ${request.path} ${request.headers["x-a"]} ${new TextDecoder().decode(request.body ?? undefined)}`,
      201,
    ),
  );
  const response = await clientOf(server).request(
    ask("/a?b=c", {
      method: "POST",
      headers: { "X-A": "1" },
      body: new TextEncoder().encode("hi"),
    }),
  );
  expect(response.status).toBe(201);
  expect(response.headers["content-type"]).toBe("text/plain");
  expect(await textOf(response)).toBe("POST /a?b=c 1 hi");
});

test("a path in the origin comes before the request's path", async () => {
  const server = await serve(async (request) => answer(request.path));
  const client = clientOf(server, {
    origin: `http://127.0.0.1:${server.local.port}/k8s/clusters/c1/`,
  });
  expect(await textOf(await client.request(ask("/api")))).toBe("/k8s/clusters/c1/api");
});

test("the authorization is asked for each request", async () => {
  let count = 0;
  const server = await serve(async (request) => answer(request.headers["authorization"] ?? "none"));
  const client = clientOf(server, {
    authorization: async () => (count++ === 0 ? "Bearer first" : null),
  });
  expect(await textOf(await client.request(ask("/")))).toBe("Bearer first");
  expect(await textOf(await client.request(ask("/")))).toBe("none");
});

test("a body over the limit is answered 413, declared or not", async () => {
  const server = await serve(async () => answer("never"));
  const body = new Uint8Array(2000);
  expect((await clientOf(server).request(ask("/", { method: "PUT", body }))).status).toBe(413);
  const raw = await new Promise<string>((resolve) => {
    const socket = connect(server.local.port, "127.0.0.1");
    const chunk = `${(2000).toString(16)}\r\n${"x".repeat(2000)}\r\n`;
    socket.write(`PUT / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`);
    socket.once("data", (data) => resolve(String(data)));
    socket.on("error", () => {});
  });
  expect(raw).toContain("413");
});

test("the server's own 413 is sent in place of the line of text, and the connection ends", async () => {
  const server = await serve(async () => answer("never"), { tooLarge: () => answer("own", 413) });
  const body = new Uint8Array(2000);
  const reply = await clientOf(server).request(ask("/", { method: "PUT", body }));
  expect([reply.status, reply.headers["connection"]]).toEqual([413, "close"]);
  expect(await textOf(reply)).toBe("own");
});

test("a stream is received piece by piece, and the server hears when the reader stops", async () => {
  let gone = false;
  const server = await serve(async (request) => {
    request.signal.addEventListener("abort", () => {
      gone = true;
    });
    return {
      status: 200,
      headers: {},
      body: (async function* () {
        for (let index = 0; !request.signal.aborted; index++) {
          yield new TextEncoder().encode(`${index}\n`);
          await tick(5);
        }
      })(),
    };
  });
  const response = await clientOf(server).request(ask("/watch"));
  let seen = "";
  for await (const chunk of response.body) {
    seen += new TextDecoder().decode(chunk);
    if (seen.includes("3\n")) break;
  }
  await tick(50);
  expect(seen.startsWith("0\n1\n2\n")).toBe(true);
  expect(gone).toBe(true);
});

test("headers come before the first piece of a body", async () => {
  const server = await serve(async (request) => ({
    status: 200,
    headers: {},
    body: (async function* () {
      await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
      yield* one("");
    })(),
  }));
  const response = await clientOf(server, { headersTimeoutMs: 500 }).request(ask("/"));
  expect(response.status).toBe(200);
});

test("a slow reader holds a streaming handler back", async () => {
  let produced = 0;
  const server = await serve(async () => ({
    status: 200,
    headers: {},
    body: (async function* () {
      for (; produced < 400; produced++) yield new Uint8Array(256 * 1024);
    })(),
  }));
  const response = await clientOf(server).request(ask("/"));
  await tick(150);
  expect(produced).toBeLessThan(400);
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  expect(bytes).toBe(400 * 256 * 1024);
});

test("an answer that has no end when the caller's time is up is CallTimeout", async () => {
  const server = await serve(async (request) => withoutEnd(request));
  const caller = new AbortController();
  const response = await clientOf(server).request(ask("/", { signal: caller.signal }));
  const body = codeOf(textOf(response));
  const over = AbortSignal.timeout(1);
  while (!over.aborted) await tick();
  caller.abort(over.reason);
  expect(await body).toBe("CallTimeout");
});

test("an abort before, during and after the headers is Aborted", async () => {
  const server = await serve(async (request) => {
    if (request.path === "/slow") await tick(300);
    return withoutEnd(request);
  });
  const client = clientOf(server);
  expect(await codeOf(client.request(ask("/", { signal: AbortSignal.abort() })))).toBe("Aborted");
  const during = new AbortController();
  const waiting = codeOf(client.request(ask("/slow", { signal: during.signal })));
  await tick();
  during.abort();
  expect(await waiting).toBe("Aborted");
  const after = new AbortController();
  const response = await client.request(ask("/", { signal: after.signal }));
  const body = codeOf(textOf(response));
  await tick();
  after.abort();
  expect(await body).toBe("Aborted");
});

test("a reader that leaves while it waits closes the connection at once", async () => {
  let gone = false;
  const server = await serve(async (request) => ({
    status: 200,
    headers: {},
    body: (async function* () {
      yield* one("first");
      await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
      gone = true;
    })(),
  }));
  const response = await clientOf(server).request(ask("/watch"));
  const chunks = response.body[Symbol.asyncIterator]();
  await chunks.next();
  const pending = chunks.next().catch(() => null);
  await chunks.return?.();
  await pending;
  await tick(50);
  expect(gone).toBe(true);
});

test("an abort of a body that nobody reads does no harm", async () => {
  const server = await serve(async () => answer("x"));
  const gone = new AbortController();
  await clientOf(server).request(ask("/", { signal: gone.signal }));
  gone.abort();
  await tick();
});

test("a server that accepts and says nothing is a HeadersTimeout", async () => {
  const server = await serve(async () => {
    await tick(400);
    return answer("late");
  });
  const client = clientOf(server, { headersTimeoutMs: 50 });
  expect(await codeOf(client.request(ask("/")))).toBe("HeadersTimeout");
});

test("nobody listening is a ConnectFailed: nothing was sent", async () => {
  const server = await serve(async () => answer("x"));
  const client = clientOf(server);
  await server.close(0);
  expect(await codeOf(client.request(ask("/", { method: "POST" })))).toBe("ConnectFailed");
});

test("a connection that breaks after the request was sent is a ConnectionLost", async () => {
  const { createServer } = await import("node:net");
  const server = createServer((socket) => socket.once("data", () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => server.close() });
  const bound = server.address();
  const port = typeof bound === "object" ? bound?.port : 0;
  const client = new RealHttpClient({ origin: `http://127.0.0.1:${port}` });
  open.push(client);
  expect(await codeOf(client.request(ask("/", { method: "POST" })))).toBe("ConnectionLost");
});

test("a GET over a pooled connection that the server has closed is repeated once", async () => {
  const server = await serve(async () => answer("fine"));
  const client = clientOf(server);
  expect(await textOf(await client.request(ask("/")))).toBe("fine");
  const port = server.local.port;
  await server.close(0);
  const again = await startHttpServer({
    handler: async () => answer("again"),
    at: { host: "127.0.0.1", port },
    log: silent,
  });
  open.push({ close: () => again.close(0) });
  expect(await textOf(await client.request(ask("/")))).toBe("again");
});

test("a handler that throws is a 500 and the server goes on", async () => {
  const server = await serve(async (request) => {
    if (request.path === "/bad") throw new Error("broken");
    return answer("fine");
  });
  const client = clientOf(server);
  expect((await client.request(ask("/bad"))).status).toBe(500);
  expect(await textOf(await client.request(ask("/good")))).toBe("fine");
});

test("closing ends streams within the grace period", async () => {
  const server = await serve(async (request) => withoutEnd(request));
  const response = await clientOf(server).request(ask("/watch"));
  const body = textOf(response);
  await tick();
  await server.close(1000);
  expect(await body).toBe("first");
});

test("a port in use is an AddressInUse", async () => {
  const server = await serve(async () => answer("x"));
  expect(
    await codeOf(
      startHttpServer({ handler: async () => answer(""), at: server.local, log: silent }),
    ),
  ).toBe("AddressInUse");
});

test("a proxy is asked for a tunnel with its credentials, and a refusal is told without them", async () => {
  const { createServer } = await import("node:http");
  const target = await serve(async (request) => answer(`via ${request.headers["host"]}`));
  const proxy = createServer();
  let asked = "";
  proxy.on("connect", (request, socket) => {
    asked = `${request.url} ${request.headers["proxy-authorization"]}`;
    if (request.url?.startsWith("127.0.0.1:") !== true) {
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    const onward = connect(target.local.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    socket.on("error", () => onward.destroy());
    onward.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => proxy.close() });
  const bound = proxy.address();
  const proxyUrl = `http://user:s3cret@127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`;
  expect(await textOf(await clientOf(target, { proxyUrl }).request(ask("/")))).toContain("via ");
  expect(asked).toBe(`127.0.0.1:${target.local.port} Basic dXNlcjpzM2NyZXQ=`);
  const refused = clientOf(target, { proxyUrl, origin: "http://other.example.org" });
  await expect(refused.request(ask("/"))).rejects.toThrow(/refused a tunnel.*403/);
  await expect(refused.request(ask("/"))).rejects.not.toThrow(/s3cret/);
});
