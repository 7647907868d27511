/**
 * `GET /api/v1/plan`: the plan as a JSON document, of which the client makes text, with counts as
 * headers.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { FastifyInstance } from "fastify";
import { OTHER_CLASS } from "../../controllers/zone-choice/listing-objects.ts";
import { printable } from "../../model/printable.ts";
import type { Instance } from "../compose/instance.ts";
import { clusterTroubles, unreadKinds } from "../compose/zone-checks.ts";
import { providerLine, unreadObjects } from "./blind-spots.ts";
import { answer } from "./documents.ts";
import {
  askedName,
  invalidQuery,
  OPEN_NAMES_HEADER,
  Refused,
  UNKNOWN_ZONES_HEADER,
} from "./exchange.ts";
import { type PlanDocument, type PlanFilter, planDocument, planVerdict } from "./plan/document.ts";
import type { CallerBehind } from "./readers/caller.ts";

/** All optional. `limit` = changes that are listed; without it every one. */
interface Query {
  readonly zone?: string;
  readonly name?: string;
  readonly limit?: string;
}

/** Adds the route. */
export function addPlanApi(api: FastifyInstance, callerBehind: CallerBehind): void {
  api.get<{ readonly Querystring: Query }>("/api/v1/plan", async (request, reply) => {
    const filter = filterOf(request.query);
    const { instance } = callerBehind(request);
    const nowhere = nowhereText(instance, filter);
    if (nowhere !== null)
      throw new Refused({ status: 404, code: "UnknownZone", message: printable(nowhere) });
    const document = await planOf(instance, filter);
    const { open, unknown } = planVerdict(document);
    return answer(reply, document, { [OPEN_NAMES_HEADER]: open, [UNKNOWN_ZONES_HEADER]: unknown });
  });
}

/** The plan of a running instance. */
export async function planOf(instance: Instance, filter: PlanFilter): Promise<PlanDocument> {
  const zones = instance.work.zones();
  const checks = instance.checks();
  // Also of names in no open zone.
  const isAsked = ({ name: one }: { readonly name: DnsName }): boolean =>
    (filter.name === null || isAtOrBelow(one, filter.name)) &&
    (filter.zone === null || isAtOrBelow(one, filter.zone));
  const apexes = filter.zone === null ? zones.map((status) => status.zone.name) : [filter.zone];
  const isIn = (one: DnsName): boolean =>
    (filter.name === null || isAtOrBelow(one, filter.name)) &&
    apexes.some((apex) => isAtOrBelow(one, apex));
  const listed = await instance.work.whoLists((name) => isAsked({ name }), true);
  const others = listed.filter(({ state, name }) => state === OTHER_CLASS && isIn(name));
  const [first] = others.map(({ object, message }) => ({ object, message }));
  const count = new Set(others.map(({ cluster, object }) => `${cluster} ${object}`)).size;
  const observed = ((await instance.observed?.()) ?? []).filter(isAsked);
  return planDocument(zones, filter, {
    providers: filter.zone === null ? instance.work.troubles(null) : [],
    caches: unreadKinds(checks),
    clusters: clusterTroubles(checks),
    unread: unreadObjects(await instance.work.namedElsewhere(isIn)),
    // Objects of another class are not this program's, and those without trouble are no news.
    unpublished: listed.filter(({ state }) => state !== "" && state !== OTHER_CLASS),
    ...(first === undefined ? {} : { otherClasses: { count, ...first } }),
    observed,
    dryRun: instance.dryRunText?.() ?? null,
  });
}

/**
 * Why nothing is known of the zone or the name: it is not open, or no open zone contains it, so
 * that "nothing to do" would be read as "it is published". Null = a zone contains it.
 */
function nowhereText(instance: Instance, { zone, name }: PlanFilter): string | null {
  const apexes = instance.work.zones().map((status) => status.zone.name);
  if (zone !== null && !apexes.includes(zone))
    return `no open zone is called ${zone}; zonekeeper plan lists the zones`;
  const asked = zone === null ? apexes : [zone];
  if (name === null || asked.length === 0) return null;
  if (asked.some((apex) => isAtOrBelow(name, apex) || isAtOrBelow(apex, name))) return null;
  if (zone !== null) return `${name} is not in the zone ${zone}. Omit --zone`;
  const providers = instance.work.troubles(name).map((trouble) => `; ${providerLine(trouble)}`);
  return `no open zone contains ${name} or a name below it${providers.join("")}. zonekeeper plan lists the zones`;
}

function filterOf({ zone, name, limit }: Query): PlanFilter {
  const names = { zone: askedName("zone", zone), name: askedName("name", name) };
  if (limit !== undefined && !/^\d{1,9}$/.test(limit)) throw invalidQuery("limit is no number");
  return { ...names, limit: limit === undefined ? null : Number(limit) };
}
