/**
 * The routes to pause and resume writing, of one zone, one name, or all, and to show what is
 * paused. A zone that is not open cannot be paused, so that a misspelt one is noticed.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { parseDnsName, parseZoneName } from "@zonekeeper/dns/names/dns-name";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { PauseScope } from "../../sync/guards/pause-registry.ts";
import type { Instance, Work } from "../compose/instance.ts";
import { answer } from "./documents.ts";
import { Refused } from "./exchange.ts";
import type { CallerBehind } from "./readers/caller.ts";

interface Query {
  readonly zone?: string;
  readonly name?: string;
  readonly all?: string;
}

type PauseRegistry = NonNullable<Work["pauses"]>;

/** `POST /api/v1/pause?zone=Z`, `?name=N`, `POST /api/v1/resume?all=true`, `GET /api/v1/pause`. */
export function addPauseApi(api: FastifyInstance, callerBehind: CallerBehind): void {
  const sendStatus = (registry: PauseRegistry, reply: FastifyReply) =>
    answer(reply, { schema: "zonekeeper.dev/pauses/v1", ...registry.status() });
  api.get("/api/v1/pause", async (request, reply) =>
    sendStatus(registryOf(callerBehind(request).instance), reply),
  );
  for (const act of ["pause", "resume"] as const)
    api.post<{ Querystring: Query }>(`/api/v1/${act}`, async (request, reply) => {
      const scope = scopeOf(request.query);
      return sendStatus(await carryOut(act, scope, callerBehind(request).instance), reply);
    });
}

function registryOf({ work: { pauses } }: Instance): PauseRegistry {
  if (pauses !== null) return pauses;
  const message = "this instance does not lead. Ask the instance that holds the Lease";
  throw new Refused({ status: 409, code: "StandingBy", message });
}

/** Answers the registry that has it. */
async function carryOut(
  act: "pause" | "resume",
  scope: PauseScope,
  instance: Instance,
): Promise<PauseRegistry> {
  const registry = registryOf(instance);
  // A name may be paused before its zone is open.
  const isServed =
    scope === null ||
    scope.startsWith("name ") ||
    instance.work.zones().some(({ zone }) => zone.name === scope);
  if (act === "pause" && !isServed) {
    const message = `no open zone has the name ${scope}. zonekeeper plan lists the zones`;
    throw new Refused({ status: 404, code: "UnknownZone", message });
  }
  try {
    if (act === "pause") await registry.pause(scope);
    else if (!(await registry.resume(scope))) {
      const what = scope?.startsWith("name ") ? scope.replace("name ", "") : `zone ${scope}`;
      const why = scope === null ? "not everything is paused" : `${what} is not paused by itself`;
      const message = `${why}; zonekeeper plan says what is`;
      throw new Refused({ status: 404, code: "NotPaused", message });
    }
    return registry;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const so =
      act === "pause" ? "The pause holds until this instance stops, but" : "The pause stays:";
    const message = `${so} it could not be stored: ${messageOf(error)}`;
    throw new Refused({ status: 503, code: error.code, message });
  }
}

function scopeOf({ zone, name, all }: Query): PauseScope {
  const given = [zone, name, all === "true" ? all : undefined].filter((one) => one !== undefined);
  if (given.length !== 1) throw invalidScope("give either one zone, one name, or all");
  if (zone === undefined && name === undefined) return null;
  const parsed = zone === undefined ? parseDnsName(name ?? "") : parseZoneName(zone);
  if (!parsed.ok) throw invalidScope(parsed.error);
  return zone === undefined ? `name ${parsed.value}` : parsed.value;
}

function invalidScope(message: string): Refused {
  return new Refused({ status: 400, code: "InvalidScope", message });
}
