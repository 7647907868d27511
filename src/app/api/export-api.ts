/** The part of the local API that previews leaving for another program. Only reads. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Instance } from "../compose/instance.ts";
import { answer } from "./answer.ts";
import { OPEN_NAMES_HEADER, UNKNOWN_ZONES_HEADER } from "./api-headers.ts";
import { exportOf, exportText } from "./export-external-dns.ts";
import { blindSpots } from "./rights-text.ts";

interface Asked {
  readonly Querystring: {
    readonly prefix?: string;
    readonly suffix?: string;
    readonly wildcard?: string;
  };
}

/** Adds the route to an API that asks for the token already. */
export function addExportApi(api: FastifyInstance, instance: Instance): void {
  api.get<Asked>("/api/v1/export/external-dns", (request, reply) =>
    sendExport(instance, request, reply),
  );
}

async function sendExport(
  instance: Instance,
  request: FastifyRequest<Asked>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { prefix = "", suffix = "", wildcard = "" } = request.query;
  const rights = await instance.rights(null);
  // external-dns lowers its affixes when it starts.
  const affixes = {
    prefix: prefix.toLowerCase(),
    suffix: suffix.toLowerCase(),
    wildcard: wildcard.toLowerCase(),
  };
  const elsewhere = await instance.namedElsewhere(() => true);
  const named = new Set(elsewhere.map(({ name }) => name));
  const zones = exportOf(rights, { affixes, named });
  const unknown = blindSpots(rights, null, instance.troubles(null));
  const open = zones.reduce((sum, { remarks }) => sum + remarks.length, 0);
  return answer({
    request,
    reply,
    text: () => exportText(zones, unknown),
    json: { program: "external-dns", affixes, zones, unknown },
    headers: { [OPEN_NAMES_HEADER]: open, [UNKNOWN_ZONES_HEADER]: unknown.length },
  });
}
