/**
 * What open pages ask again and again: equal questions of who sees the same are reckoned once
 * between two changes, and written once. Programs get an answer of their own.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller } from "../readers/caller.ts";
import type { ChangeFeed } from "./change-feed.ts";

/** Of questions whose answer is none of who asks, and tells nothing that is decided by it. */
const SHARED: ReadonlySet<string> = new Set(
  ["zones", "names", "holds", "series", "history", "plan", "clusters", "explain/:name"].map(
    (path) => `/api/v1/${path}`,
  ),
);

/** For the routes that are added after it. */
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
    // Bytes: a text would be encoded anew for each who asks.
    const body = isWhole ? Buffer.from(payload) : null;
    settle(body);
    return body ?? payload;
  });
}
