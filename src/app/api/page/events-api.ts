/** `GET /api/v1/events`: server-sent events (WHATWG HTML §9.2) about what may have changed. */
import type { FastifyInstance, FastifyRequest } from "fastify";
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
      return reply.code(503).send({ code: "TooManyStreams", message });
    }
    reply.hijack();
    raw.on("drain", () => stream.caughtUp());
    raw.on("close", () => stream.close());
    // The connection was closed while the request was checked.
    if (raw.destroyed) stream.close();
    raw.writeHead(200, { ...plain(reply.getHeaders()), "content-type": "text/event-stream" });
    isBegun = true;
    raw.write(lines.join(""));
    return reply;
  });
}

function plain(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
