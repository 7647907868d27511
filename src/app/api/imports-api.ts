/**
 * `GET /api/v1/imports`: the imports of hosts from zones into ServiceEntries, with the hosts that
 * are not imported.
 */
import type { FastifyInstance } from "fastify";
import type { ImportStatus } from "../../source-controllers/imports/import-controller.ts";
import { UNKNOWN_ZONES_HEADER } from "./api-headers.ts";
import { answer, type ImportsDocument } from "./documents.ts";
import type { InstanceOf } from "./readers/caller.ts";
import { dateText } from "./zones-api.ts";

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
