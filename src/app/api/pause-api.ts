/**
 * Pause and resume over the local API. Says what is paused now; a zone that nobody serves cannot be
 * paused by mistake.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type DnsName, parseDnsName } from "../../model/dns-name.ts";
import { messageOf, OperationError } from "../../model/operation-error.ts";
import { fail, ok, type Result } from "../../model/result.ts";
import type { PauseRegistry, PauseScope } from "../../sync/guards/pause-registry.ts";
import type { Instance } from "../compose/instance.ts";

interface Query {
  readonly zone?: string;
  readonly all?: string;
}

/** `POST /api/v1/pause?zone=Z`, `POST /api/v1/resume?all=true`, `GET /api/v1/pause`. */
export function addPauseApi(api: FastifyInstance, instance: Instance): void {
  api.get("/api/v1/pause", async (request, reply) => {
    const registry = instance.pauses();
    return registry === null ? standbyReply(reply) : sendStatus(registry, request, reply);
  });
  for (const act of ["pause", "resume"] as const)
    api.post<{ Querystring: Query }>(`/api/v1/${act}`, async (request, reply) => {
      const scope = scopeOf(request.query);
      if (!scope.ok) return reply.code(400).send({ code: "InvalidScope", message: scope.error });
      const registry = instance.pauses();
      if (registry === null) return standbyReply(reply);
      const order = { act, scope: scope.value, registry, instance };
      const refused = await carryOut(order);
      if (refused === null) return sendStatus(registry, request, reply);
      return reply.code(refused.status).send({ code: refused.code, message: refused.message });
    });
}

interface Order {
  readonly act: "pause" | "resume";
  readonly scope: PauseScope;
  readonly registry: PauseRegistry;
  readonly instance: Instance;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Null = done. */
async function carryOut({ act, scope, registry, instance }: Order): Promise<Refusal | null> {
  if (act === "pause" && scope !== null && !isServed(instance, scope)) {
    const message = `no open zone has the name ${scope}. zonekeeper plan lists the zones`;
    return { status: 404, code: "UnknownZone", message };
  }
  try {
    if (act === "pause") await registry.pause(scope);
    else if (!(await registry.resume(scope))) return nothingPaused(scope);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const so =
      act === "pause" ? "The pause holds until this instance stops, but" : "The pause stays:";
    const message = `${so} it could not be stored: ${messageOf(error)}`;
    return { status: 503, code: error.code, message };
  }
  return null;
}

function sendStatus(
  registry: PauseRegistry,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = registry.status();
  if (!(request.headers.accept ?? "").includes("text/plain")) return reply.send(status);
  const lines = [...(status.all === null ? [] : [status.all]), ...status.zones.map(reasonOf)];
  const text = lines.length === 0 ? ["nothing is paused"] : lines;
  return reply.type("text/plain; charset=utf-8").send(text.map((line) => `${line}\n`).join(""));
}

function reasonOf({ reason }: { readonly reason: string }): string {
  return reason;
}

function isServed(instance: Instance, zone: DnsName): boolean {
  return instance.zones().some((status) => status.zone.name === zone);
}

function scopeOf({ zone, all }: Query): Result<PauseScope> {
  if (all === "true" && zone === undefined) return ok(null);
  if (all === "true" || zone === undefined) return fail("give either one zone, or all");
  return parseDnsName(zone);
}

function nothingPaused(scope: PauseScope): Refusal {
  const what =
    scope === null ? "not everything is paused" : `zone ${scope} is not paused by itself`;
  return { status: 404, code: "NotPaused", message: `${what}; zonekeeper plan says what is` };
}

function standbyReply(reply: FastifyReply): FastifyReply {
  const message = "this instance does not lead. Ask the instance that holds the Lease";
  return reply.code(409).send({ code: "StandingBy", message });
}
