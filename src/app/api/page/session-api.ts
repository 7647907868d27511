/**
 * `GET /api/v1/session`: what this instance is, also while it stands by; `POST /api/v1/page/link`:
 * the link that lets a browser in; `POST /api/v1/session/begin` with a token of the cluster, and
 * `/end`.
 */
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Instance } from "../../compose/instance.ts";
import { VERSION } from "../../ports/version.ts";
import { answer } from "../documents.ts";
import type { Caller, CallerContext } from "../readers/caller.ts";
import { isReaderRefusal, namespacesIn } from "../readers/cluster-readers.ts";

/** What it works with, besides the instance. */
export interface SessionContext extends CallerContext {
  /** As `--page-origin`. */
  readonly origins: readonly string[];
}

/** Where a browser without a session may post. */
export const BEGIN_PATH = "/api/v1/session/begin";
/** Bytes of a body with a token. */
const BEGIN_BYTES_MAX = 32_768;

/** What who asks may see. */
interface SeenBy extends Pick<Caller, "namespaces" | "mayOrder"> {
  /** Of its session, Unix milliseconds; null = it has none. */
  readonly endsAtMs: number | null;
}

/** Adds them to an API that asks for the token, or a session, already. */
export function addSessionApi(
  api: FastifyInstance,
  instance: Instance,
  { door, origins, token, readers }: SessionContext,
  viewOf: (request: FastifyRequest) => SeenBy,
): void {
  api.get("/api/v1/session", async (request, reply) => {
    const { endsAtMs, mayOrder, ...seen } = viewOf(request);
    const message = instance.standbyReply?.() ?? null;
    return answer(reply, {
      schema: "zonekeeper.dev/session/v1",
      now: new Date().toISOString(),
      version: VERSION,
      state: message === null ? "leading" : "standby",
      message: message ?? "",
      leader: message === null ? "" : (instance.leader?.() ?? ""),
      dryRun: instance.dryRunText?.() ?? null,
      endsAt: endsAtMs === null ? null : new Date(endsAtMs).toISOString(),
      command: instance.commandName ?? "zonekeeper",
      ...seen,
      mayOrder: await mayOrder(),
    });
  });
  api.post(BEGIN_PATH, { bodyLimit: BEGIN_BYTES_MAX }, async (request, reply) => {
    const [wanted, foreign] = [token(), door.refuseForeign(request)];
    if (foreign !== null) return reply.code(foreign.status).send(foreign);
    const { token: text, namespaces } = fieldsOf(request.body);
    const given = {
      token: textOf(text)?.trim() ?? "",
      namespaces: namespacesIn(textOf(namespaces) ?? ""),
    };
    const reader = await readers.admit(given, "read");
    if (isReaderRefusal(reader)) return reply.code(reader.status).send(reader);
    const cookie = wanted.ok ? door.begin(given, request, wanted.value) : null;
    if (cookie === null) return reply.code(503).send({ code: "NoApiToken", message: "no API" });
    return reply.header("set-cookie", cookie).send({ begun: true });
  });
  api.post("/api/v1/session/end", async (request, reply) => {
    const origin = door.originOf(request);
    if (origin !== null) reply.header("set-cookie", door.leave(request, origin));
    return reply.code(204).send();
  });
  api.post("/api/v1/page/link", async (_request, reply) => {
    if (!door.isOpen)
      return reply.code(409).send({
        code: "PageOff",
        message:
          "the page is served on loopback addresses only, until --page-origin says under which origin browsers reach it, such as https://dns.example.org",
      });
    const { code, untilMs } = door.makeCode();
    return answer(reply, {
      schema: "zonekeeper.dev/page-link/v1",
      path: `/page/open?code=${code}`,
      origins,
      expiresAt: new Date(untilMs).toISOString(),
    });
  });
}
