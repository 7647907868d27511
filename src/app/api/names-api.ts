/** `GET /api/v1/names`: names of zones with their state, a page at a time. */
import { jsonIn } from "@zonekeeper/base/json-text";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import type { FastifyInstance } from "fastify";
import {
  NAME_STATES,
  type NamePosition,
  type NameQuery,
  type NameState,
} from "../../sync/contract/name-page.ts";
import { answer } from "./documents.ts";
import { askedLimit, askedName, invalidQuery } from "./exchange.ts";
import type { CallerBehind } from "./readers/caller.ts";

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
export function addNamesApi(api: FastifyInstance, callerBehind: CallerBehind): void {
  api.get<{ readonly Querystring: Query }>("/api/v1/names", async (request, reply) => {
    const query = queryOf(request.query);
    const { total, rows, next } = await callerBehind(request).instance.work.names(query);
    return answer(reply, {
      schema: "zonekeeper.dev/names/v1",
      now: new Date().toISOString(),
      total,
      rows,
      next: next === null ? null : Buffer.from(JSON.stringify(next)).toString("base64url"),
    });
  });
}

function queryOf(given: Query): NameQuery {
  return {
    zone: askedName("zone", given.zone || undefined),
    states: statesOf(given.state ?? ""),
    owner: given.owner || null,
    object: given.object || null,
    text: given.text?.toLowerCase() || null,
    limit: askedLimit(given.limit || String(LIMIT), LIMIT_MAX),
    after: given.after ? positionOf(given.after) : null,
  };
}

/** The states that are asked for; null = all. */
function statesOf(text: string): ReadonlySet<NameState> | null {
  const states = text.split(",").filter(Boolean);
  const unknown = states.find((one) => !isState(one));
  if (unknown !== undefined)
    throw invalidQuery(`state: ${unknown} is none of ${NAME_STATES.join(", ")}`);
  return states.length === 0 ? null : new Set(states.filter(isState));
}

function isState(text: string): text is NameState {
  return NAME_STATES.some((state) => state === text);
}

function positionOf(text: string): NamePosition {
  const value = jsonIn(Buffer.from(text, "base64url").toString());
  const { zone, name } = isFields(value) ? value : {};
  if (typeof zone === "string" && typeof name === "string") return { zone, name };
  throw invalidQuery("after: this is no next of an earlier answer");
}
