/** How a route answers: its counts as headers, and text for people or JSON for programs. */
import type { FastifyReply, FastifyRequest } from "fastify";

/** The same for people and for programs, with counts for both. */
interface RouteAnswer {
  readonly request: { readonly headers: FastifyRequest["headers"] };
  readonly reply: FastifyReply;
  readonly text: () => string;
  readonly json: object;
  /** By header; null = it is not sent. */
  readonly headers?: Readonly<Record<string, number | string | null>>;
}

/** Sends text where the client prefers it, else JSON. */
export function answer({ request, reply, text, json, headers = {} }: RouteAnswer): FastifyReply {
  for (const [name, value] of Object.entries(headers))
    if (value !== null) reply.header(name, value);
  return (request.headers.accept ?? "").includes("text/plain")
    ? reply.type("text/plain; charset=utf-8").send(text())
    : reply.send(json);
}
