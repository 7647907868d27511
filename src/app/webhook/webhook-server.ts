/**
 * A webhook provider for an external-dns beside us (its protocol: `provider/webhook/api`): what it
 * wants is kept as DNSEndpoints, and published, owned and guarded as any other object is. It knows
 * no secrets; who reaches it may publish, so it listens on loopback unless told otherwise.
 */
import type { FastifyInstance, FastifyReply } from "fastify";
import { messageOf } from "../../model/operation-error.ts";
import { printable } from "../../model/printable.ts";
import type { Log } from "../../ports/log.ts";
import type { SocketAddress } from "../../ports/net.ts";
import { networkError } from "../ports/system-error.ts";
import type { EndpointObjects } from "./endpoint-objects.ts";
import { readChanges, readEndpoints } from "./webhook-messages.ts";

/** In `Accept` and `Content-Type`; the client compares it byte for byte. */
export const WEBHOOK_MEDIA_TYPE = "application/external.dns.webhook+json;version=1";
/** external-dns `--webhook-provider-max-body-size`. */
const BODY_BYTES_MAX = 32 * 1024 * 1024;

/** What is served and where. */
export interface WebhookServerOptions {
  /** Port 0 = a free one. */
  readonly at: SocketAddress;
  readonly objects: Pick<EndpointObjects, "list" | "apply">;
  readonly log: Log;
}

/** Listens. */
export interface WebhookServer {
  readonly local: SocketAddress;
  close(): Promise<void>;
}

/** Rejects with OperationError `AddressInUse` or `ListenFailed`. */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const { fastify } = await import("fastify");
  const app = fastify({ logger: false, forceCloseConnections: true, bodyLimit: BODY_BYTES_MAX });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, text, done) => done(null, text));
  addRoutes(app, options);
  try {
    await app.listen({ host: options.at.host, port: options.at.port });
  } catch (error) {
    throw networkError("listen", options.at, error);
  }
  const bound = app.server.address();
  const port = bound === null || typeof bound === "string" ? options.at.port : bound.port;
  return { local: { host: options.at.host, port }, close: () => app.close() };
}

function addRoutes(app: FastifyInstance, { objects, log }: WebhookServerOptions): void {
  // No filter: zones come and go while an external-dns asks once, at its start.
  app.get("/", async (_request, reply) => send(reply, {}));
  app.get("/healthz", async (_request, reply) => reply.type("text/plain").send("ok\n"));
  app.get("/records", async (_request, reply) => {
    try {
      return await send(reply, await objects.list());
    } catch (error) {
      return unavailable(reply, error, log);
    }
  });
  // What it wants is what it will read: nothing is adjusted.
  app.post("/adjustendpoints", async ({ body }, reply) => {
    const endpoints = readEndpoints(parsed(body), "endpoints");
    return endpoints.ok
      ? send(
          reply,
          endpoints.value.map(({ item }) => item),
        )
      : refused(reply, endpoints.error, log);
  });
  app.post("/records", async ({ body }, reply) => {
    const changes = readChanges(parsed(body));
    if (!changes.ok) return refused(reply, changes.error, log);
    try {
      await objects.apply(changes.value);
      return await reply.code(204).send();
    } catch (error) {
      return unavailable(reply, error, log);
    }
  });
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return null;
  }
}

function send(reply: FastifyReply, body: unknown): FastifyReply {
  return reply
    .header("content-type", WEBHOOK_MEDIA_TYPE)
    .serializer((text: string) => text)
    .send(JSON.stringify(body));
}

/** An external-dns ends with it: only what it must be started otherwise for. */
function refused(reply: FastifyReply, error: string, log: Log): FastifyReply {
  const message = printable(error);
  log.warn("a webhook call was refused", { reason: message });
  return reply.code(400).type("text/plain").send(`${message}\n`);
}

/** 500 to 510: an external-dns tries again in its next round. */
function unavailable(reply: FastifyReply, error: unknown, log: Log): FastifyReply {
  const message = printable(messageOf(error));
  log.warn("a webhook call failed; external-dns tries again", { reason: message });
  return reply.code(503).type("text/plain").send(`${message}\n`);
}
