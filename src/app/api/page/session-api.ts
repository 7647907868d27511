/**
 * `GET /api/v1/session`: what this instance is, also while it stands by; `POST /api/v1/page/link`:
 * the link that lets a browser in; `POST /api/v1/session/end`.
 */
import type { Result } from "@zonekeeper/base/result";
import type { FastifyInstance } from "fastify";
import type { Instance } from "../../compose/instance.ts";
import { VERSION } from "../../ports/version.ts";
import { answer } from "../documents.ts";
import { isRefusal, type PageDoor } from "./page-door.ts";

/** What it works with, besides the instance. */
export interface SessionContext {
  readonly door: PageDoor;
  /** As `--page-origin`. */
  readonly origins: readonly string[];
  /** Of the API, now. */
  readonly token: () => Result<string>;
}

/** Adds them to an API that asks for the token, or a session, already. */
export function addSessionApi(
  api: FastifyInstance,
  instance: Instance,
  { door, origins, token }: SessionContext,
): void {
  api.get("/api/v1/session", async (request, reply) => {
    const wanted = token();
    const session = door.admit(request, wanted.ok ? wanted.value : "");
    const message = instance.standbyReply?.() ?? null;
    return answer(reply, {
      schema: "zonekeeper.dev/session/v1",
      now: new Date().toISOString(),
      version: VERSION,
      state: message === null ? "leading" : "standby",
      message: message ?? "",
      leader: message === null ? "" : (instance.leader?.() ?? ""),
      dryRun: instance.dryRunText?.() ?? null,
      endsAt: isRefusal(session) ? null : new Date(session.endsAtMs).toISOString(),
      command: instance.commandName ?? "zonekeeper",
    });
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
