/**
 * The routes of the page's overview: zones, held changes by reason, and changes of the last day.
 * `GET /api/v1/zones`, `/holds` and `/series`.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { FastifyInstance } from "fastify";
import { resourceOf } from "../../model/provenance.ts";
import { holdReason, isSatisfied } from "../../plan/hold-reasons.ts";
import type { ZoneChange } from "../../sync/contract/zone-change.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import { zoneTrouble } from "../compose/zone-checks.ts";
import { answer } from "./documents.ts";
import { askedName } from "./exchange.ts";
import { HISTORY_LIMIT_MAX } from "./history-api.ts";
import type {
  HeldName,
  HeldSetRow,
  HoldReasonRow,
  SeriesBucket,
  ZoneRow,
} from "./page/page-documents.ts";
import type { CallerBehind } from "./readers/caller.ts";

/** Names that are shown for one reason. */
const NAMES_SHOWN = 20;
const BUCKET_MS = 900_000;
const BUCKETS = 96;

interface Asked {
  readonly Querystring: { readonly zone?: string };
}

/** Adds the routes. */
export function addZonesApi(api: FastifyInstance, callerBehind: CallerBehind): void {
  api.get("/api/v1/zones", async (request, reply) => {
    const now = new Date().toISOString();
    const zones = callerBehind(request).instance.work.zones().map(zoneRow);
    return answer(reply, { schema: "zonekeeper.dev/zones/v1", now, zones });
  });
  api.get<Asked>("/api/v1/holds", async (request, reply) => {
    const zone = askedName("zone", request.query.zone || undefined);
    const { instance } = callerBehind(request);
    const all = instance.work.zones();
    const zones = all.filter((one) => zone === null || one.zone.name === zone);
    return answer(reply, {
      schema: "zonekeeper.dev/holds/v1",
      now: new Date().toISOString(),
      reasons: reasonsIn(zones),
      heldSets: heldSetRows(zones, instance.commandName ?? "zonekeeper"),
    });
  });
  api.get<Asked>("/api/v1/series", async (request, reply) => {
    const zone = askedName("zone", request.query.zone || undefined);
    const nowMs = Date.now();
    const sinceMs = (Math.floor(nowMs / BUCKET_MS) - BUCKETS + 1) * BUCKET_MS;
    const asked = { zone, name: null, sinceMs, limit: HISTORY_LIMIT_MAX };
    const { changes, isCut, troubles } = await callerBehind(request).instance.work.history(asked);
    return answer(reply, {
      schema: "zonekeeper.dev/series/v1",
      now: new Date(nowMs).toISOString(),
      bucketSeconds: BUCKET_MS / 1000,
      buckets: seriesOf(changes, sinceMs),
      ...{ isCut, troubles },
    });
  });
}

function zoneRow(status: ZoneStatus): ZoneRow {
  const { open, failing = [], readAtMs, serial, providers, ...rest } = status;
  return {
    ...rest,
    trouble: zoneTrouble(status),
    serial: serial ?? null,
    readAt: dateText(readAtMs ?? null),
    providers: providers ?? [],
    openNames: open.length,
    failingNames: failing.length,
    pendingChanges: open.reduce((sum, { changes }) => sum + changes.length, 0),
    holds: reasonsIn([status]).map(({ code, count }) => ({ code, count })),
  };
}

/** Held changes by reason, the most frequent first. */
function reasonsIn(zones: readonly ZoneStatus[]): readonly HoldReasonRow[] {
  return [...groupedBy(zones.flatMap(heldNames), ([code]) => code)]
    .map(([code, found]) => {
      const names = found.map(([, name]) => name);
      const [message, ...otherMessages] = new Set(names.map((one) => one.message));
      const { meaning = "", remedy = "", resolvedBy = "operator" } = holdReason(code) ?? {};
      const apexes = [...new Set(names.map(({ zone }) => zone))].sort();
      const shown = names.slice(0, NAMES_SHOWN);
      return {
        code,
        count: names.length,
        meaning: otherMessages.length === 0 ? (message ?? meaning) : meaning,
        remedy,
        resolvedBy,
        zones: apexes,
        names: shown,
        since: names
          .map((one) => one.since)
          .reduce((first, one) => (first === null || (one ?? first) < first ? one : first), null),
      };
    })
    .sort((a, b) => b.count - a.count || compareText(a.code, b.code));
}

function heldNames({ zone, open }: ZoneStatus): readonly (readonly [string, HeldName])[] {
  return open.flatMap(({ name, holds, openSinceMs = null }) =>
    holds
      .filter((hold) => !isSatisfied(hold))
      .map(({ code, message, provenance }) => {
        const object = provenance === null ? "" : resourceOf(provenance);
        const since = dateText(openSinceMs);
        return [code, { zone: zone.name, name, object, message, since }] as const;
      }),
  );
}

/**
 * The held sets of these zones; one that is in several zones is one row, as approving it is one
 * order.
 */
export function heldSetRows(zones: readonly ZoneStatus[], command: string): readonly HeldSetRow[] {
  const rows = new Map<string, HeldSetRow>();
  for (const { zone, heldSets } of zones)
    for (const set of heldSets) {
      const known = rows.get(set.hash) ?? { ...set, changes: 0, removals: 0, zones: [] };
      rows.set(set.hash, {
        ...{ ...known, command: `${command} approve ${set.hash}` },
        zones: [...known.zones, zone.name],
        changes: known.changes + set.changes,
        removals: known.removals + set.removals,
      });
    }
  return [...rows.values()];
}

/** RFC 3339; null = not known. */
export function dateText(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}

/** All buckets from `sinceMs` on, the oldest first. */
function seriesOf(changes: readonly ZoneChange[], sinceMs: number): readonly SeriesBucket[] {
  const groups = Array.from({ length: BUCKETS }, (): ZoneChange[] => []);
  for (const change of changes)
    groups[Math.floor((change.atMs - sinceMs) / BUCKET_MS)]?.push(change);
  return groups.map((group, index) => {
    const count = (is: ZoneChange["is"]): number => group.filter((one) => one.is === is).length;
    const times = group.flatMap(({ answeredMs }) => answeredMs ?? []).sort((a, b) => a - b);
    return {
      at: new Date(sinceMs + index * BUCKET_MS).toISOString(),
      ...{ created: count("created"), changed: count("changed"), removed: count("removed") },
      ...{ markers: count("marker"), answered: times.length },
      answeredMsP50: percentile(times, 0.5),
      answeredMsP99: percentile(times, 0.99),
    };
  });
}

/** Nearest rank; null = there are none. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
