/** `GET /api/v1/history`: what zones have taken, the newest first. */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { FastifyInstance } from "fastify";
import type { ChangeQuery, ZoneChange } from "../../sync/contract/zone-change.ts";
import type { Instance } from "../compose/instance.ts";

/** Grows when a field is removed or means something else; new fields leave it. */
export const HISTORY_SCHEMA = "zonekeeper.dev/history/v1";
/** Changes in one answer. */
export const HISTORY_LIMIT_MAX = 10_000;
const LIMIT = 100;

/** The answer. Units and what absent means: ZoneChange. */
export interface HistoryDocument {
  readonly schema: typeof HISTORY_SCHEMA;
  readonly changes: readonly HistoryChange[];
  /** There are older ones that match. */
  readonly isCut: boolean;
  /** Why changes may be missing. */
  readonly troubles: readonly string[];
}

/** A change; `at` is RFC 3339. */
export interface HistoryChange extends Omit<ZoneChange, "atMs" | "name" | "zone"> {
  readonly at: string;
  readonly zone: string;
  readonly name: string;
}

/** All optional. `since` is RFC 3339 or Unix milliseconds; `limit` 1 to 10 000, default 100. */
interface Query {
  readonly zone?: string;
  readonly name?: string;
  readonly since?: string;
  readonly limit?: string;
}

/** Adds the route. */
export function addHistoryApi(api: FastifyInstance, instance: Instance): void {
  api.get<{ readonly Querystring: Query }>("/api/v1/history", async (request, reply) => {
    const query = queryOf(request.query);
    if (!query.ok) return reply.code(400).send({ code: "InvalidQuery", message: query.error });
    const { changes, ...rest } = await instance.history(query.value);
    const document: HistoryDocument = {
      schema: HISTORY_SCHEMA,
      changes: changes.map(({ atMs, ...change }) => ({
        at: new Date(atMs).toISOString(),
        ...change,
      })),
      ...rest,
    };
    return reply.send(document);
  });
}

function queryOf({ zone, name, since, limit }: Query): Result<ChangeQuery> {
  const apex = nameOf("zone", zone);
  if (!apex.ok) return apex;
  const at = nameOf("name", name);
  if (!at.ok) return at;
  const sinceMs = since === undefined ? null : timeOf(since);
  if (Number.isNaN(sinceMs)) return fail(`since: ${since} is no time; write 2026-01-31T12:00:00Z`);
  const most = limit === undefined ? LIMIT : Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > HISTORY_LIMIT_MAX)
    return fail(`limit: ${limit} is no number from 1 to ${HISTORY_LIMIT_MAX}`);
  return ok({ zone: apex.value, name: at.value, sinceMs, limit: most });
}

function timeOf(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text);
}

/** Null = not given. */
function nameOf(field: string, text: string | undefined): Result<DnsName | null> {
  if (text === undefined) return ok(null);
  const name = parseDnsName(text);
  return name.ok ? name : fail(`${field}: ${name.error}`);
}
