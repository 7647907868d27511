/**
 * The HTTP side of the change feed. `GET /api/v1/events`: server-sent events (WHATWG HTML §9.2)
 * about what may have changed. Hooks let open pages, which ask again and again, share answers: an
 * equal question of callers who see the same is computed and encoded once between two changes.
 * Callers with a token (programs) get an answer of their own.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refused } from "../exchange.ts";
import type { Caller } from "../readers/caller.ts";
import type { ChangeFeed } from "./change-feed.ts";

interface Asked {
  /** For clients that send no Last-Event-ID. */
  readonly Querystring: { readonly lastEventId?: string };
}

/** Bytes that may wait for one reader. */
const WAITING_MAX = 65_536;

/** The rights of a listener: whether it may go on, and what it may see. */
interface Listener {
  /** Asked every second whether it may go on. */
  readonly isAdmitted: () => boolean;
  readonly isLimited: boolean;
}

/** Adds the route. */
export function addEventsApi(
  api: FastifyInstance,
  feed: ChangeFeed,
  listenerOf: (request: FastifyRequest) => Listener,
): void {
  api.addHook("onClose", async () => feed.close());
  api.get<Asked>("/api/v1/events", async (request, reply) => {
    const header = request.headers["last-event-id"];
    const lastId = typeof header === "string" ? header : (request.query.lastEventId ?? null);
    const { raw } = reply;
    const lines: string[] = [];
    let isBegun = false;
    const stream = feed.open(lastId, {
      send: (text) => {
        if (isBegun) return raw.write(text) || raw.writableLength < WAITING_MAX;
        lines.push(text);
        return true;
      },
      ...listenerOf(request),
      end: () => raw.destroy(),
    });
    if (stream === null) {
      const message = "too many pages are open; close one, or wait until one is closed";
      throw new Refused({ status: 503, code: "TooManyStreams", message });
    }
    reply.hijack();
    raw.on("drain", () => stream.caughtUp());
    raw.on("close", () => stream.close());
    // The connection was closed while the request was checked.
    if (raw.destroyed) stream.close();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      raw.setHeader(name, String(value));
    raw.writeHead(200, { "content-type": "text/event-stream" });
    isBegun = true;
    raw.write(lines.join(""));
    return reply;
  });
}

/** Routes whose answers may be a moment old: no order depends on them. */
const SHARED: ReadonlySet<string> = new Set(
  ["zones", "names", "holds", "series", "history", "plan", "clusters", "explain/:name"].map(
    (path) => `/api/v1/${path}`,
  ),
);

/** Adds the hooks; they hold for routes that are added later. */
export function shareAnswers(
  api: FastifyInstance,
  feed: ChangeFeed,
  callerBehind: (request: object) => Pick<Caller, "session" | "key">,
): void {
  const settles = new WeakMap<FastifyRequest, (made: Buffer | null) => void>();
  api.addHook("preHandler", async (request, reply) => {
    if (!SHARED.has(request.routeOptions.url ?? "")) return undefined;
    const { session, key } = callerBehind(request);
    if (session === null) return undefined;
    const made = feed.answer(JSON.stringify([key, request.url]), () => {
      return new Promise<Buffer | null>((settle) => settles.set(request, settle));
    });
    if (settles.has(request)) return undefined;
    const body = await made;
    return body === null ? undefined : reply.type("application/json; charset=utf-8").send(body);
  });
  api.addHook("onSend", async (request, { statusCode }, payload) => {
    const settle = settles.get(request);
    if (settle === undefined) return payload;
    const isWhole = statusCode === 200 && typeof payload === "string";
    // Kept as bytes: a text would be encoded again for each caller.
    const body = isWhole ? Buffer.from(payload) : null;
    settle(body);
    return body ?? payload;
  });
}
