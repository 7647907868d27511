/**
 * The HTTP server of an instance: health and metrics for everybody, and the API and the page for
 * who has its token, a session of the page, or a token of a user of the cluster. The API reads, and
 * takes a person's orders. All that shows names is behind that check.
 */
import { createServer, type Server as TlsServer } from "node:https";
import { invariant } from "@zonekeeper/base/invariant";
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import { ok, type Result } from "@zonekeeper/base/result";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerFactory } from "fastify";
import { isLoopback } from "../../model/addresses.ts";
import { printable } from "../../model/printable.ts";
import { type HealthCheck, type Instance, silenceOf } from "../compose/instance.ts";
import { networkError } from "../ports/system-error.ts";
import { VERSION } from "../ports/version.ts";
import { invalidQuery, isRefusal, Refused } from "./exchange.ts";
import { addExplainApi } from "./explain-api.ts";
import { addExportApi } from "./export-external-dns.ts";
import { addHeldSetApi } from "./held-set-api.ts";
import { addHistoryApi } from "./history-api.ts";
import { addClustersApi, addImportsApi } from "./inputs-api.ts";
import { addMigrate } from "./migrate-route.ts";
import { addNamesApi } from "./names-api.ts";
import { addOwnerTake } from "./owner-take.ts";
import { addOwnershipApi } from "./ownership-api.ts";
import { ChangeFeed } from "./page/change-feed.ts";
import { addEventsApi, shareAnswers } from "./page/events-api.ts";
import { PageDoor } from "./page/page-door.ts";
import { addPage, hardened } from "./page/page-routes.ts";
import { addSessionApi, BEGIN_PATH, type SessionContext } from "./page/session-api.ts";
import { addPauseApi } from "./pause-api.ts";
import { addPlanApi } from "./plan-api.ts";
import { type Caller, type CallerBehind, callerOf, stillAdmitted } from "./readers/caller.ts";
import { ClusterReaders } from "./readers/cluster-readers.ts";
import { addUndoApi } from "./undo-api.ts";
import { addZonesApi } from "./zones-api.ts";

/** Says what is served and where. */
export interface HttpAppOptions {
  readonly instance: Instance;
  /** Port 0 = a free one. */
  readonly at: SocketAddress;
  /** Token of the API; null = the API is not served; a text = the token never changes. */
  readonly token: ApiToken | string | null;
  /** PEM texts; absent = plain HTTP. */
  readonly tls?: TlsPair;
  /** True = neither health nor metrics are served. */
  readonly isApiOnly?: boolean;
  /** Absent = loopback only. */
  readonly page?: PageGiven;
}

/** How browsers come to the page. */
export interface PageGiven {
  /** As `--page-origin`; empty = loopback only. */
  readonly origins: readonly string[];
  /** Folder of the built files; absent = beside the program. */
  readonly folder?: string;
}

/** Asked at each request: the token as it is now, or why there is none and what to do. */
export type ApiToken = () => Result<string>;

/** PEM texts. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** A running HTTP side. */
export interface HttpApp {
  readonly local: SocketAddress;
  /** New connections get this certificate. Only for a server that began with one. */
  renew(pair: TlsPair): void;
  close(): Promise<void>;
}

/** Starts to listen. Rejects with OperationError `AddressInUse` or `ListenFailed`. */
export async function startHttpApp(options: HttpAppOptions): Promise<HttpApp> {
  const { default: fastify } = await import("fastify");
  const { tls, token } = options;
  let secure: TlsServer | null = null;
  const serverFactory: FastifyServerFactory = (handler) => {
    secure = createServer({ ...tls, minVersion: "TLSv1.2" }, handler);
    return secure;
  };
  const app = fastify({
    ...(tls === undefined ? {} : { serverFactory }),
    logger: false,
    forceCloseConnections: true,
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
  });
  if (options.isApiOnly !== true) addHealth(app, options.instance);
  if (token !== null) {
    const { at, page: { origins, folder } = { origins: [] } } = options;
    const isLocal = isLoopback(at.host);
    const door = new PageDoor({ origins, isLocal, isSecure: tls !== undefined });
    const readers = new ClusterReaders(options.instance);
    const now = typeof token === "string" ? () => ok(token) : token;
    const context = { door, origins, token: now, readers };
    addApi(app, options.instance, context);
    if (door.isOpen) addPage(app, { ...context, folder });
  }
  return {
    local: await listenAt(app, options.at),
    renew: (pair) => secure?.setSecureContext(pair),
    close: () => app.close(),
  };
}

/** The address that it listens at now. Rejects as `startHttpApp`. */
export async function listenAt(
  app: Pick<FastifyInstance, "listen" | "server">,
  { host, port }: SocketAddress,
): Promise<SocketAddress> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw networkError("listen", { host, port }, error);
  }
  const bound = app.server.address();
  return { host, port: bound === null || typeof bound === "string" ? port : bound.port };
}

function addHealth(app: FastifyInstance, instance: Instance): void {
  app.get("/healthz", async (_request, reply) => reply.type("text/plain").send("ok\n"));
  app.get("/readyz", async (_request, reply) => {
    const checks = instance.checks();
    const ready = checks.every((check) => check.ok || check.readyAnyway === true);
    return reply
      .code(ready ? 200 : 503)
      .type("text/plain")
      .send(`${checks.map(checkLine).join("")}${ready ? "ready" : "not ready"}\n`);
  });
  app.get("/metrics", async (_request, reply) => {
    const { contentType, text } = await instance.scrape();
    return reply.type(contentType).send(text);
  });
  app.get("/version", async () => ({ version: VERSION }));
}

function checkLine({ name, ok, message }: HealthCheck): string {
  return `[${ok ? "+" : "-"}] ${name}${message === "" ? "" : `: ${printable(message)}`}\n`;
}

function addApi(app: FastifyInstance, instance: Instance, context: SessionContext): void {
  const callers = new WeakMap<object, Caller>();
  // By request, and not in an AsyncLocalStorage, with which each promise of the process costs three
  // times as much.
  const callerBehind: CallerBehind = (request) => {
    const caller = callers.get(request);
    invariant(caller !== undefined, "an instance is asked for somebody who was let in");
    return caller;
  };
  const guard = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.routeOptions.url === BEGIN_PATH) return;
    const caller = await callerOf(request, instance, context);
    if (!isRefusal(caller)) return void callers.set(request, caller);
    if (caller.status !== 503) reply.header("www-authenticate", "Bearer");
    throw new Refused(caller);
  };
  app.register(async (api) => {
    api.addHook("onRequest", hardened);
    api.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof Refused)) throw error;
      return reply.code(error.status).send({ code: error.code, message: error.message });
    });
    api.addHook("onRequest", guard);
    api.addHook("onRequest", refuseRepeated);
    addSessionApi(api, instance, context, callerBehind);
    api.register(async (leading) => addLeading(leading, { instance, context, callerBehind }));
  });
}

/** Refuses a key of the query that is repeated. Only `name` of `/ownership` may be. */
async function refuseRepeated({ query, routeOptions: { url = "" } }: FastifyRequest) {
  const mayRepeat = url.startsWith("/api/v1/ownership");
  for (const [key, value] of Object.entries(fieldsOf(query)))
    if (Array.isArray(value) && !(mayRepeat && key === "name"))
      throw invalidQuery(`${key} is given more than once; give it once`);
}

interface LeadingContext {
  readonly instance: Instance;
  readonly context: SessionContext;
  readonly callerBehind: CallerBehind;
}

const LEADING = "/api/v1/leading";

/** The routes that need an instance that knows its zones; only the leader takes orders. */
function addLeading(
  api: FastifyInstance,
  { instance, context, callerBehind }: LeadingContext,
): void {
  api.addHook("onRequest", async (request, reply) => {
    const isForLeader = decides(request) || request.routeOptions.url === LEADING;
    const message = isForLeader ? (instance.standbyReply?.() ?? null) : silenceOf(instance);
    const leader = instance.leader?.();
    return message === null
      ? undefined
      : reply.code(409).send({ code: "StandingBy", message, leader });
  });
  api.addHook("onRequest", async (request) => {
    const message = decides(request) ? (instance.dryRunText?.() ?? null) : null;
    if (message !== null) throw new Refused({ status: 409, code: "DryRun", message });
  });
  // Lets a client find the leader, at no cost.
  api.get(LEADING, async () => ({ leading: true }));
  const feed = new ChangeFeed(instance);
  addEventsApi(api, feed, (request) => {
    const caller = callerBehind(request);
    const isAdmitted = stillAdmitted(request, caller, instance, context);
    return { isAdmitted, isLimited: caller.namespaces !== null };
  });
  shareAnswers(api, feed, callerBehind);
  for (const add of ROUTES) add(api, callerBehind);
}

const ROUTES = [
  ...[addZonesApi, addNamesApi, addPlanApi, addExplainApi, addClustersApi, addHistoryApi],
  ...[addImportsApi, addUndoApi, addPauseApi, addHeldSetApi, addOwnershipApi, addExportApi],
  ...[addOwnerTake, addMigrate],
];

/**
 * True = the request orders something. `look` only reads, and is a POST because its names may not
 * fit in a URL.
 */
function decides({ method, routeOptions }: FastifyRequest): boolean {
  return method !== "GET" && !(routeOptions.url ?? "").endsWith("/look");
}

/** Instead of fastify's compilers, whose packages are a tenth of what a start loads. */
function noSchemas(): never {
  throw new Error("http-app: a route has a schema; remove it, or give fastify its compilers back");
}
