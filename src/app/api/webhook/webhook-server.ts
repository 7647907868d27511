/**
 * An HTTP server that is a webhook provider for an external-dns (protocol: `provider/webhook/api`):
 * the records that it wants are stored as DNSEndpoints, and published, owned and guarded like those
 * of any other object. It has no secrets: who reaches it may publish. So it listens on loopback
 * unless configured otherwise, and refuses what a web page makes a browser send.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isIpAddress, parseHostPort } from "../../../model/addresses.ts";
import { printable } from "../../../model/printable.ts";
import { listenAt } from "../http-app.ts";
import type { EndpointObjects } from "./endpoint-objects.ts";
import { readChanges, readEndpoints } from "./webhook-messages.ts";

/** In `Accept` and `Content-Type`; the client compares it byte for byte. */
export const WEBHOOK_MEDIA_TYPE = "application/external.dns.webhook+json;version=1";
/** external-dns `--webhook-provider-max-body-size`. */
const BODY_BYTES_MAX = 32 * 1024 * 1024;

/** Says what is served and where. */
export interface WebhookServerOptions {
  /** Port 0 = a free one. */
  readonly at: SocketAddress;
  readonly objects: Pick<EndpointObjects, "list" | "apply">;
  /** Domains to which the external-dns is told to keep; empty = it is told none. */
  readonly domainFilter: readonly string[];
  readonly log: Log;
}

/** Listens. */
export interface WebhookServer {
  readonly local: SocketAddress;
  close(): Promise<void>;
}

/** Rejects with OperationError `AddressInUse` or `ListenFailed`. */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const { default: fastify } = await import("fastify");
  const app = fastify({ logger: false, forceCloseConnections: true, bodyLimit: BODY_BYTES_MAX });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, text, done) => done(null, text));
  app.addHook("onRequest", async (request, reply) => {
    const refusal = refusalOf(request);
    if (refusal === null) return undefined;
    options.log.warn("a webhook call was refused", { reason: printable(refusal.message) });
    return reply.code(refusal.status).type("text/plain").send(`${refusal.message}\n`);
  });
  addRoutes(app, options);
  return { local: await listenAt(app, options.at), close: () => app.close() };
}

type Refusal = { readonly status: number; readonly message: string };

/** Host names that no public web page can have; DNS rebinding needs a public one. */
const LOCAL_NAME = /^[^.]+$|\.svc$|\.svc\.cluster\.local$/i;
const PORT_DEFAULT = 80;

/**
 * The refusal of a call that a browser makes for a web page: it has `Origin`, a content type that
 * needs no preflight, or a host name of the page's own (Fetch standard, "CORS protocol"). Null = it
 * is taken.
 */
function refusalOf({ method, headers }: FastifyRequest): Refusal | null {
  if (headers.origin !== undefined)
    return { status: 403, message: "the header Origin is set: web pages may not call a webhook" };
  const { host = "" } = headers;
  const called = parseHostPort(host, PORT_DEFAULT)?.host ?? host;
  if (!isIpAddress(called) && !LOCAL_NAME.test(called))
    return {
      status: 403,
      message: `the webhook is not called ${called}; set --webhook-provider-url to its IP address, localhost, or NAME.NAMESPACE.svc`,
    };
  const type = headers["content-type"]?.replace(/\s/g, "").toLowerCase();
  if (method === "POST" && type !== WEBHOOK_MEDIA_TYPE)
    return { status: 415, message: `the Content-Type is not ${WEBHOOK_MEDIA_TYPE}` };
  return null;
}

function addRoutes(
  app: FastifyInstance,
  { objects, domainFilter, log }: WebhookServerOptions,
): void {
  // An external-dns asks once, at its start, when not all zones may be open: so an option names
  // domains.
  const filter = domainFilter.length === 0 ? {} : { include: domainFilter };
  app.get("/", async (_request, reply) => send(reply, filter));
  app.get("/healthz", async (_request, reply) => reply.type("text/plain").send("ok\n"));
  app.get("/records", async (_request, reply) => {
    try {
      return await send(reply, await objects.list());
    } catch (error) {
      return unavailable(reply, error, log);
    }
  });
  // Endpoints are answered as they were sent: nothing is adjusted.
  app.post("/adjustendpoints", async ({ body }, reply) => {
    const endpoints = readEndpoints(jsonIn(String(body)), "endpoints");
    if (!endpoints.ok) return refused(reply, endpoints.error, log);
    const items = endpoints.value.map(({ item }) => item);
    return send(reply, items);
  });
  app.post("/records", async ({ body }, reply) => {
    const changes = readChanges(jsonIn(String(body)));
    if (!changes.ok) return refused(reply, changes.error, log);
    try {
      await objects.apply(changes.value);
      return await reply.code(204).send();
    } catch (error) {
      return unavailable(reply, error, log);
    }
  });
}

function send(reply: FastifyReply, body: unknown): FastifyReply {
  return reply
    .header("content-type", WEBHOOK_MEDIA_TYPE)
    .serializer((text: string) => text)
    .send(JSON.stringify(body));
}

/** 400, at which an external-dns ends: only for calls that need other options. */
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
