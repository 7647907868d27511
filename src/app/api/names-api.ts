/** `GET /api/v1/names`: names of zones with their state, a page at a time. */
import { jsonIn } from "@zonekeeper/base/json-text";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import type { FastifyInstance } from "fastify";
import {
  NAME_STATES,
  type NamePosition,
  type NameQuery,
  type NameState,
} from "../../sync/contract/name-page.ts";
import { answer } from "./documents.ts";
import { askedLimit, askedName } from "./exchange.ts";
import type { InstanceOf } from "./readers/caller.ts";

const LIMIT = 50;
const LIMIT_MAX = 200;

/** All optional; empty = not given. */
interface Query {
  readonly zone?: string;
  /** Separated by commas. */
  readonly state?: string;
  readonly owner?: string;
  readonly object?: string;
  readonly text?: string;
  readonly after?: string;
  readonly limit?: string;
}

/** Adds the route. */
export function addNamesApi(api: FastifyInstance, instanceOf: InstanceOf): void {
  api.get<{ readonly Querystring: Query }>("/api/v1/names", async (request, reply) => {
    const query = queryOf(request.query);
    if (!query.ok) return reply.code(400).send({ code: "InvalidQuery", message: query.error });
    const { total, rows, next } = await instanceOf(request).work.names(query.value);
    return answer(reply, {
      schema: "zonekeeper.dev/names/v1",
      now: new Date().toISOString(),
      total,
      rows,
      next: next === null ? null : Buffer.from(JSON.stringify(next)).toString("base64url"),
    });
  });
}

function queryOf(given: Query): Result<NameQuery> {
  const apex = askedName("zone", given.zone || undefined);
  if (!apex.ok) return apex;
  const states = statesOf(given.state ?? "");
  if (!states.ok) return states;
  const limit = askedLimit(given.limit || String(LIMIT), LIMIT_MAX);
  if (!limit.ok) return limit;
  const after = given.after ? positionOf(given.after) : null;
  if (given.after && after === null) return fail("after: this is no next of an earlier answer");
  return ok({
    ...{ zone: apex.value, states: states.value, after, limit: limit.value },
    owner: given.owner || null,
    object: given.object || null,
    text: given.text?.toLowerCase() || null,
  });
}

/** The states that are asked for; null = all. */
function statesOf(text: string): Result<ReadonlySet<NameState> | null> {
  const states = text.split(",").filter(Boolean);
  const unknown = states.find((one) => !isState(one));
  if (unknown !== undefined) return fail(`state: ${unknown} is none of ${NAME_STATES.join(", ")}`);
  return ok(states.length === 0 ? null : new Set(states.filter(isState)));
}

function isState(text: string): text is NameState {
  return NAME_STATES.some((state) => state === text);
}

function positionOf(text: string): NamePosition | null {
  const value = jsonIn(Buffer.from(text, "base64url").toString());
  const { zone, name } = isFields(value) ? value : {};
  return typeof zone === "string" && typeof name === "string" ? { zone, name } : null;
}
