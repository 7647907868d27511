/** Puts HTTPS on 127.0.0.1 around an HttpHandler, for clients such as kubectl. Test only. */

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provideReflectMetadata } from "../../../src/app/dev/reflect-metadata.ts";
import type { HttpHandler } from "../../../src/ports/http.ts";

/** A listening server. */
export interface HttpsServer {
  readonly url: string;
  /** PEM file of the certificate that signs for the server. */
  readonly caFile: string;
  /** `METHOD path status` of every request, in order of their answers. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Listens on a free port with a certificate of its own. */
export async function serveHttps(handler: HttpHandler): Promise<HttpsServer> {
  const folder = mkdtempSync(join(tmpdir(), "zonekeeper-https-"));
  const caFile = join(folder, "ca.pem");
  provideReflectMetadata();
  const { issueAuthority, issueServer } = await import("../../../src/app/dev/issue-certificate.ts");
  const validity = { nowMs: Date.now(), days: 2 };
  const ca = await issueAuthority(validity);
  const pair = await issueServer(ca, { ...validity, hosts: ["127.0.0.1"] });
  writeFileSync(caFile, ca.certificate);
  const requests: string[] = [];
  const server = createServer({ key: pair.key, cert: pair.certificate });
  server.on("request", (request, response) => {
    void answer(handler, { request, response, requests });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `https://127.0.0.1:${address.port}`,
    caFile,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requests: string[];
}

async function answer(handler: HttpHandler, exchange: Exchange): Promise<void> {
  const { request, response, requests } = exchange;
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const reply = await handler({
    method: request.method ?? "GET",
    path: request.url ?? "/",
    headers,
    body: chunks.length === 0 ? null : Buffer.concat(chunks),
    signal: gone.signal,
  });
  requests.push(`${request.method} ${request.url} ${reply.status}`);
  response.writeHead(reply.status, reply.headers);
  response.flushHeaders();
  for await (const chunk of reply.body) {
    if (!response.write(chunk) && !gone.signal.aborted)
      await once(response, "drain", { signal: gone.signal }).catch(() => undefined);
    if (gone.signal.aborted) break;
  }
  response.end();
}
