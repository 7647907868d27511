/**
 * Lets open pages, which ask again and again, share answers: an equal question of callers who see
 * the same is computed and encoded once between two changes. Callers with a token (programs) get an
 * answer of their own.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller } from "../readers/caller.ts";
import type { ChangeFeed } from "./change-feed.ts";

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
