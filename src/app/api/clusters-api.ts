/** `GET /api/v1/clusters`: the further source clusters and how they are. */
import type { FastifyInstance } from "fastify";
import type { Instance } from "../compose/instance.ts";
import { UNKNOWN_ZONES_HEADER } from "./api-headers.ts";
import { answer, type ClustersDocument } from "./documents.ts";

/** Adds the route. */
export function addClustersApi(api: FastifyInstance, instance: Instance): void {
  api.get("/api/v1/clusters", async (_request, reply) => {
    const clusters = (instance.furtherClusters?.() ?? []).map(({ answeredAtMs, ...one }) => ({
      ...one,
      answeredAt: answeredAtMs === null ? null : new Date(answeredAtMs).toISOString(),
    }));
    const document: ClustersDocument = {
      schema: "zonekeeper.dev/clusters/v1",
      now: new Date(Date.now()).toISOString(),
      clusters,
    };
    const inTrouble = clusters.filter(({ state }) => state !== "Live").length;
    return answer(reply, document, { [UNKNOWN_ZONES_HEADER]: inTrouble });
  });
}
