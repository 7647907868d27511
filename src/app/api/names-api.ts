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
import type { Instance } from "../compose/instance.ts";
import { askedName } from "./asked-name.ts";
import { answer } from "./documents.ts";
import type { NamesDocument } from "./page/page-documents.ts";
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
    return answer(reply, await namesDocument(instanceOf(request), query.value));
  });
}

async function namesDocument(instance: Instance, query: NameQuery): Promise<NamesDocument> {
  const { total, rows, next } = await instance.work.names(query);
  return {
    schema: "zonekeeper.dev/names/v1",
    now: new Date().toISOString(),
    total,
    rows,
    next: next === null ? null : Buffer.from(JSON.stringify(next)).toString("base64url"),
  };
}

function queryOf(given: Query): Result<NameQuery> {
  const apex = askedName("zone", given.zone || undefined);
  if (!apex.ok) return apex;
  const states = statesOf(given.state ?? "");
  if (!states.ok) return states;
  const limit = limitOf(given.limit || String(LIMIT));
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

function limitOf(text: string): Result<number> {
  const limit = Number(text);
  const isRight = Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX;
  return isRight ? ok(limit) : fail(`limit: ${text} is no number from 1 to ${LIMIT_MAX}`);
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
