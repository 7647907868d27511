/**
 * `POST /api/v1/registry/migrate`: shows what rewriting markers in another form would write, and
 * starts it (`apply`). A marker is the record that names a record's owner.
 */
import { parseZoneName } from "@zonekeeper/dns/names/dns-name";
import type { FastifyInstance } from "fastify";
import type { MarkerTarget } from "../../plan/changes.ts";
import type { MigrationReport, MigrationRequest } from "../../sync/contract/ownership-rows.ts";
import { answer } from "./documents.ts";
import {
  OPEN_NAMES_HEADER,
  Refused,
  STUCK_NAMES_HEADER,
  UNKNOWN_ZONES_HEADER,
} from "./exchange.ts";
import type { CallerBehind } from "./readers/caller.ts";

/** The parameters of the request; all are optional. */
interface Query {
  readonly zone?: string;
  readonly layout?: string;
  readonly encrypt?: string;
  readonly apply?: string;
}

/** Adds the route. */
export function addMigrate(api: FastifyInstance, callerBehind: CallerBehind): void {
  api.post<{ Querystring: Query }>("/api/v1/registry/migrate", async (request, reply) => {
    const wanted = readQuery(request.query);
    const zones = await callerBehind(request).instance.work.migrate(wanted);
    if (zones.length === 0) {
      const message = `${request.query.zone ?? "no zone"} is not open here; zonekeeper plan shows the zones`;
      throw new Refused({ status: 404, code: "ZoneNotFound", message });
    }
    const sum = (count: (zone: MigrationReport) => number) =>
      zones.reduce((total, zone) => total + count(zone), 0);
    const headers = {
      [OPEN_NAMES_HEADER]: sum(({ outdated }) => outdated),
      [STUCK_NAMES_HEADER]: sum(({ stuck }) => stuck),
      [UNKNOWN_ZONES_HEADER]: sum(({ trouble }) => (trouble === null ? 0 : 1)),
    };
    return answer(reply, { schema: "zonekeeper.dev/migration/v1", zones }, headers);
  });
}

function readQuery({ zone, layout, encrypt, apply }: Query): MigrationRequest {
  const invalid = (message: string) => new Refused({ status: 400, code: "InvalidOption", message });
  const apex = zone === undefined ? null : parseZoneName(zone);
  if (apex?.ok === false) throw invalid(`zone: ${apex.error}`);
  if (layout !== undefined && layout !== "typed" && layout !== "label")
    throw invalid("layout is neither typed nor label");
  // Null = as configured.
  const target: MarkerTarget = { location: layout ?? null, encrypt: encrypt === "true" };
  return { zone: apex?.value ?? null, target, apply: apply === "true" };
}
