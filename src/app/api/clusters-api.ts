/**
 * `GET /api/v1/clusters`: the further source clusters and how they are; what is watched, and the
 * accounts of providers with what their limits leave.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { FastifyInstance } from "fastify";
import type { ImportStatus } from "../../source-controllers/imports/import-controller.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import type { CacheStatus } from "../compose/instance.ts";
import { zoneTrouble } from "../compose/zone-checks.ts";
import { UNKNOWN_ZONES_HEADER } from "./api-headers.ts";
import {
  type AccountRow,
  answer,
  type CacheRow,
  type ClustersDocument,
  type ImportsDocument,
} from "./documents.ts";
import type { InstanceOf } from "./readers/caller.ts";

/** Adds the route. */
export function addClustersApi(api: FastifyInstance, instanceOf: InstanceOf): void {
  api.get("/api/v1/clusters", async (request, reply) => {
    const instance = instanceOf(request);
    const clusters = (instance.furtherClusters?.() ?? []).map(({ answeredAtMs, ...one }) => ({
      ...one,
      answeredAt: answeredAtMs === null ? null : new Date(answeredAtMs).toISOString(),
    }));
    const nowMs = Date.now();
    const document: ClustersDocument = {
      schema: "zonekeeper.dev/clusters/v1",
      now: new Date(nowMs).toISOString(),
      clusters,
      caches: instance.work.caches().map((one) => cacheRow(one, nowMs)),
      accounts: accountsOf(instance.work.zones()),
      troubled: instance.work.troubles(null),
    };
    const inTrouble = clusters.filter(({ state }) => state !== "Live").length;
    return answer(reply, document, { [UNKNOWN_ZONES_HEADER]: inTrouble });
  });
}

function cacheRow({ ageMs, ...cache }: CacheStatus, nowMs: number): CacheRow {
  return { ...cache, answeredAt: ageMs === null ? null : new Date(nowMs - ageMs).toISOString() };
}

/** In the order of their first zones. */
function accountsOf(zones: readonly ZoneStatus[]): readonly AccountRow[] {
  const groups = groupedBy(zones, ({ key }) => key.account);
  return [...groups].map(([account, own]) => {
    const budgets = own.flatMap(({ budget }) => budget ?? []);
    return {
      account,
      providers: [...new Set(own.flatMap(({ providers }) => providers ?? []))],
      zones: own.map(({ zone }) => zone.name),
      usedRatio: Math.max(0, ...budgets.map(({ usedRatio }) => usedRatio)),
      refusedMs: Math.max(0, ...budgets.map(({ refusedMs }) => refusedMs)),
      trouble: own.map(zoneTrouble).find((one) => one !== null) ?? null,
    };
  });
}

// `GET /api/v1/imports`: what comes in from zones, and what does not.

/** Hosts that are named for each reason. */
const NAMED_MAX = 20;

/** Adds the route. */
export function addImportsApi(api: FastifyInstance, instanceOf: InstanceOf): void {
  api.get("/api/v1/imports", async (request, reply) => {
    const imports = instanceOf(request).work.imports();
    const document: ImportsDocument = {
      schema: "zonekeeper.dev/imports/v1",
      now: new Date().toISOString(),
      imports: imports.map(({ readAtMs, skipped, ...rest }) => ({
        ...rest,
        readAt: readAtMs === null ? null : new Date(readAtMs).toISOString(),
        skipped: [...skipped].map(([reason, hosts]) => ({
          ...{ reason, count: hosts.length, hosts: hosts.slice(0, NAMED_MAX) },
        })),
      })),
    };
    const unread = imports.filter(({ trouble }: ImportStatus) => trouble !== null);
    return answer(reply, document, { [UNKNOWN_ZONES_HEADER]: unread.length });
  });
}
