/**
 * The route that previews a move to external-dns: which of our records it would not take over.
 * Reads only.
 */
import type { FastifyInstance } from "fastify";
import { OPEN_NAMES_HEADER, UNKNOWN_ZONES_HEADER } from "./api-headers.ts";
import { blindSpots } from "./blind-spots.ts";
import { answer } from "./documents.ts";
import { exportOf } from "./export-external-dns.ts";
import type { InstanceOf } from "./readers/caller.ts";

interface Asked {
  readonly Querystring: {
    readonly prefix?: string;
    readonly suffix?: string;
    readonly wildcard?: string;
  };
}

/** Adds the route to an API that asks for the token already. */
export function addExportApi(api: FastifyInstance, instanceOf: InstanceOf): void {
  api.get<Asked>("/api/v1/export/external-dns", async (request, reply) => {
    const instance = instanceOf(request);
    const { prefix = "", suffix = "", wildcard = "" } = request.query;
    const rights = await instance.work.rights(null);
    // external-dns lowers its affixes when it starts.
    const affixes = {
      prefix: prefix.toLowerCase(),
      suffix: suffix.toLowerCase(),
      wildcard: wildcard.toLowerCase(),
    };
    const elsewhere = await instance.work.namedElsewhere(() => true);
    const named = new Set(elsewhere.map(({ name }) => name));
    const { dialectOf } = instance.work;
    const zones = exportOf(rights, { affixes, named, dialectOf });
    const unknown = blindSpots(rights, null, instance.work.troubles(null));
    const open = zones.reduce((sum, { remarks }) => sum + remarks.length, 0);
    return answer(
      reply,
      { schema: "zonekeeper.dev/export/v1", program: "external-dns", affixes, zones, unknown },
      { [OPEN_NAMES_HEADER]: open, [UNKNOWN_ZONES_HEADER]: unknown.length },
    );
  });
}
