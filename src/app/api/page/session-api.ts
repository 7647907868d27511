/**
 * `GET /api/v1/session`: the state of this instance, also while it stands by, and what the caller
 * may do. `POST /api/v1/page/link`: a link that begins a session of the page. `POST
 * /api/v1/session/begin`: begins one with a token of a user of the cluster. `POST
 * /api/v1/session/end` ends it.
 */
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { FastifyInstance } from "fastify";
import type { Instance } from "../../compose/instance.ts";
import { VERSION } from "../../ports/version.ts";
import { answer } from "../documents.ts";
import { isRefusal, Refused } from "../exchange.ts";
import type { CallerBehind, CallerContext } from "../readers/caller.ts";
import { namespacesIn } from "../readers/cluster-readers.ts";
import { dateText } from "../zones-api.ts";

/** Everything that it works with, besides the instance. */
export interface SessionContext extends CallerContext {
  /** As `--page-origin`. */
  readonly origins: readonly string[];
}

/** The only route of the API that needs neither token nor session. */
export const BEGIN_PATH = "/api/v1/session/begin";
/** Bytes of a body with a token. */
const BEGIN_BYTES_MAX = 32_768;

/** Adds the routes to an API that checks token or session already. */
export function addSessionApi(
  api: FastifyInstance,
  instance: Instance,
  { door, origins, token, readers }: SessionContext,
  callerBehind: CallerBehind,
): void {
  api.get("/api/v1/session", async (request, reply) => {
    const { session, namespaces, mayOrder } = callerBehind(request);
    const message = instance.standbyReply?.() ?? null;
    return answer(reply, {
      schema: "zonekeeper.dev/session/v1",
      now: new Date().toISOString(),
      version: VERSION,
      state: message === null ? "leading" : "standby",
      message: message ?? "",
      leader: message === null ? "" : (instance.leader?.() ?? ""),
      dryRun: instance.dryRunText?.() ?? null,
      endsAt: dateText(session?.endsAtMs ?? null),
      command: instance.commandName ?? "zonekeeper",
      namespaces,
      mayOrder: await mayOrder(),
    });
  });
  api.post(BEGIN_PATH, { bodyLimit: BEGIN_BYTES_MAX }, async (request, reply) => {
    const [wanted, foreign] = [token(), door.refuseForeign(request)];
    if (foreign !== null) throw new Refused(foreign);
    const { token: text, namespaces } = fieldsOf(request.body);
    const given = {
      token: textOf(text)?.trim() ?? "",
      namespaces: namespacesIn(textOf(namespaces) ?? ""),
    };
    const reader = await readers.admit(given, "read");
    if (isRefusal(reader)) throw new Refused(reader);
    const cookie = wanted.ok ? door.begin(given, request, wanted.value) : null;
    if (cookie === null) throw new Refused({ status: 503, code: "NoApiToken", message: "no API" });
    return reply.header("set-cookie", cookie).send({ begun: true });
  });
  api.post("/api/v1/session/end", async (request, reply) => {
    const origin = door.originOf(request);
    if (origin !== null) reply.header("set-cookie", door.leave(request, origin));
    return reply.code(204).send();
  });
  api.post("/api/v1/page/link", async (_request, reply) => {
    if (!door.isOpen)
      throw new Refused({
        status: 409,
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
