/**
 * The routes to pause and resume writing, of one zone, one name, or all, and to show what is
 * paused. A zone that is not open cannot be paused, so that a misspelt one is noticed.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { parseDnsName, parseZoneName } from "@zonekeeper/dns/names/dns-name";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { PauseScope } from "../../sync/guards/pause-registry.ts";
import type { Instance, Work } from "../compose/instance.ts";
import { answer } from "./documents.ts";
import type { InstanceOf } from "./readers/caller.ts";
import { OUT_OF_VIEW } from "./readers/reader-view.ts";

interface Query {
  readonly zone?: string;
  readonly name?: string;
  readonly all?: string;
}

type PauseRegistry = NonNullable<Work["pauses"]>;

/** `POST /api/v1/pause?zone=Z`, `?name=N`, `POST /api/v1/resume?all=true`, `GET /api/v1/pause`. */
export function addPauseApi(api: FastifyInstance, instanceOf: InstanceOf): void {
  const sendStatus = (registry: PauseRegistry, reply: FastifyReply) =>
    answer(reply, { schema: "zonekeeper.dev/pauses/v1", ...registry.status() });
  api.get("/api/v1/pause", async (request, reply) => {
    const registry = instanceOf(request).work.pauses;
    return registry === null ? standbyReply(reply) : sendStatus(registry, reply);
  });
  for (const act of ["pause", "resume"] as const)
    api.post<{ Querystring: Query }>(`/api/v1/${act}`, async (request, reply) => {
      const scope = scopeOf(request.query);
      if (!scope.ok) return reply.code(400).send({ code: "InvalidScope", message: scope.error });
      const instance = instanceOf(request);
      const registry = instance.work.pauses;
      if (registry === null) return standbyReply(reply);
      const refused = await carryOut(act, scope.value, registry, instance);
      if (refused === null) return sendStatus(registry, reply);
      return reply.code(refused.status).send({ code: refused.code, message: refused.message });
    });
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** The refusal; null = done. */
async function carryOut(
  act: "pause" | "resume",
  scope: PauseScope,
  registry: PauseRegistry,
  instance: Instance,
): Promise<Refusal | null> {
  // A name may be paused before its zone is open.
  const isServed =
    scope === null ||
    scope.startsWith("name ") ||
    instance.work.zones().some(({ zone }) => zone.name === scope);
  if (act === "pause" && !isServed) {
    const message = `no open zone has the name ${scope}. zonekeeper plan lists the zones`;
    return { status: 404, code: "UnknownZone", message };
  }
  try {
    if (act === "pause") await registry.pause(scope);
    else if (!(await registry.resume(scope))) {
      const what = scope?.startsWith("name ") ? scope.replace("name ", "") : `zone ${scope}`;
      const why = scope === null ? "not everything is paused" : `${what} is not paused by itself`;
      return { status: 404, code: "NotPaused", message: `${why}; zonekeeper plan says what is` };
    }
  } catch (error) {
    if (!(error instanceof OperationError) || error.code === OUT_OF_VIEW) throw error;
    const so =
      act === "pause" ? "The pause holds until this instance stops, but" : "The pause stays:";
    const message = `${so} it could not be stored: ${messageOf(error)}`;
    return { status: 503, code: error.code, message };
  }
  return null;
}

function scopeOf({ zone, name, all }: Query): Result<PauseScope> {
  const given = [zone, name, all === "true" ? all : undefined].filter((one) => one !== undefined);
  if (given.length !== 1) return fail("give either one zone, one name, or all");
  if (zone !== undefined) return parseZoneName(zone);
  if (name === undefined) return ok(null);
  const parsed = parseDnsName(name);
  return parsed.ok ? ok(`name ${parsed.value}` as const) : parsed;
}

function standbyReply(reply: FastifyReply): FastifyReply {
  const message = "this instance does not lead. Ask the instance that holds the Lease";
  return reply.code(409).send({ code: "StandingBy", message });
}
