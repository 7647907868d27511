/**
 * What this instance reads, and how well. `GET /api/v1/clusters`: the states of the further source
 * clusters, of the watched kinds, and of the accounts of providers with what their limits leave.
 * `GET /api/v1/imports`: the imports of hosts from zones into ServiceEntries, with the hosts that
 * are not imported.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { FastifyInstance } from "fastify";
import type { ImportStatus } from "../../source-controllers/imports/import-controller.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import { zoneTrouble } from "../compose/zone-checks.ts";
import {
  type AccountRow,
  answer,
  type ClustersDocument,
  type ImportsDocument,
} from "./documents.ts";
import { UNKNOWN_ZONES_HEADER } from "./exchange.ts";
import type { CallerBehind } from "./readers/caller.ts";
import { dateText } from "./zones-api.ts";

/** Adds the route. */
export function addClustersApi(api: FastifyInstance, callerBehind: CallerBehind): void {
  api.get("/api/v1/clusters", async (request, reply) => {
    const { instance } = callerBehind(request);
    const clusters = (instance.furtherClusters?.() ?? []).map(({ answeredAtMs, ...one }) => ({
      ...one,
      answeredAt: dateText(answeredAtMs),
    }));
    const nowMs = Date.now();
    const document: ClustersDocument = {
      schema: "zonekeeper.dev/clusters/v1",
      now: new Date(nowMs).toISOString(),
      clusters,
      caches: instance.work.caches().map(({ ageMs, ...cache }) => ({
        ...{ ...cache, answeredAt: dateText(ageMs === null ? null : nowMs - ageMs) },
      })),
      accounts: accountsOf(instance.work.zones()),
      troubled: instance.work.troubles(null),
    };
    const inTrouble = clusters.filter(({ state }) => state !== "Live").length;
    return answer(reply, document, { [UNKNOWN_ZONES_HEADER]: inTrouble });
  });
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

/** Hosts that are named for each reason. */
const NAMED_MAX = 20;

/** Adds the route. */
export function addImportsApi(api: FastifyInstance, callerBehind: CallerBehind): void {
  api.get("/api/v1/imports", async (request, reply) => {
    const imports = callerBehind(request).instance.work.imports();
    const document: ImportsDocument = {
      schema: "zonekeeper.dev/imports/v1",
      now: new Date().toISOString(),
      imports: imports.map(({ readAtMs, skipped, ...rest }) => ({
        ...rest,
        readAt: dateText(readAtMs),
        skipped: [...skipped].map(([reason, hosts]) => ({
          ...{ reason, count: hosts.length, hosts: hosts.slice(0, NAMED_MAX) },
        })),
      })),
    };
    const unread = imports.filter(({ trouble }: ImportStatus) => trouble !== null);
    return answer(reply, document, { [UNKNOWN_ZONES_HEADER]: unread.length });
  });
}
