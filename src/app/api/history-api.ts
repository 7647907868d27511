/** `GET /api/v1/history`: the journal, the changes that zones have taken, the newest first. */
import type { FastifyInstance } from "fastify";
import type { ChangeQuery, ZoneChange } from "../../sync/contract/zone-change.ts";
import { answer, type HistoryDocument } from "./documents.ts";
import { askedLimit, askedName, invalidQuery, UNKNOWN_ZONES_HEADER } from "./exchange.ts";
import type { CallerBehind } from "./readers/caller.ts";

/** Changes in one answer. */
export const HISTORY_LIMIT_MAX = 10_000;
const LIMIT = 100;

/**
 * All optional. `since` is RFC 3339 or Unix milliseconds; `hash` that of an approved set; `limit` 1
 * to 10 000, default 100.
 */
interface Query {
  readonly zone?: string;
  readonly name?: string;
  readonly since?: string;
  readonly hash?: string;
  readonly limit?: string;
}

/** Adds the route. */
export function addHistoryApi(api: FastifyInstance, callerBehind: CallerBehind): void {
  api.get<{ readonly Querystring: Query }>("/api/v1/history", async (request, reply) => {
    const query = queryOf(request.query);
    const { changes, ...rest } = await callerBehind(request).instance.work.history(query);
    const { zone, name } = query;
    const document: HistoryDocument = {
      schema: "zonekeeper.dev/history/v1",
      ...{ zone, name, ...datedChanges(changes), ...rest },
    };
    return answer(reply, document, { [UNKNOWN_ZONES_HEADER]: rest.troubles.length });
  });
}

/** Changes as documents have them. */
export function datedChanges(
  changes: readonly ZoneChange[],
): Pick<HistoryDocument, "now" | "changes"> {
  return {
    now: new Date().toISOString(),
    changes: changes.map(({ atMs, ...change }) => ({
      at: new Date(atMs).toISOString(),
      ...change,
    })),
  };
}

function queryOf({ zone, name, since, hash = "", limit }: Query): ChangeQuery {
  const names = { zone: askedName("zone", zone), name: askedName("name", name) };
  // Unix milliseconds, or RFC 3339; NaN = neither.
  const sinceMs =
    since === undefined ? null : /^\d{1,15}$/.test(since) ? Number(since) : Date.parse(since);
  if (Number.isNaN(sinceMs))
    throw invalidQuery(`since: ${since} is no time; write 2026-01-31T12:00:00Z`);
  const most = askedLimit(limit ?? String(LIMIT), HISTORY_LIMIT_MAX);
  return { ...names, sinceMs, hash: hash || null, limit: most };
}
