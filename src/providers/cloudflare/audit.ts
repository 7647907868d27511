/** What Cloudflare cannot take about a record set, found before planning. Pure. */
import { parseTxtStrings } from "@zonekeeper/dns/rdata/txt";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import {
  NO_POLICY,
  outsideTroubles,
  type Trouble,
  toProblems,
  typeTroubles,
  valueTroubles,
} from "../shared/record-troubles.ts";
import { PROXIED } from "./convert.ts";
import {
  CONTENT_BYTES_MAX,
  type PlanLimits,
  PROXIABLE_TYPES,
  TEXT_CHARACTERS_MAX,
  TTL_AUTOMATIC,
  TTL_SECONDS_MAX,
  valuesMaxOf,
  WRITABLE_TYPES,
} from "./limits.ts";

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone, limits: PlanLimits): readonly Problem[] {
  return toProblems(set, [
    ...outsideTroubles(set, zone),
    ...nameTroubles(set, zone),
    ...typeTroubles(set, WRITABLE_TYPES),
    ...shapeTroubles(set, limits),
    ...propertyTroubles(set),
    ...valueTroubles(set, (canonical) => refusedContent(set, canonical)),
    ...textTroubles(set),
  ]);
}

function nameTroubles({ name, type }: RecordSet, zone: Zone): readonly Trouble[] {
  const troubles: Trouble[] = [];
  if (name.includes("\\"))
    troubles.push({
      code: "InvalidName",
      message: "the name holds bytes that Cloudflare does not take",
    });
  if (type === "NS" && name === zone.name)
    troubles.push({
      code: "InvalidValue",
      message: "the name servers of the apex are Cloudflare's own",
    });
  return troubles;
}

function shapeTroubles(set: RecordSet, limits: PlanLimits): readonly Trouble[] {
  const troubles: Trouble[] = [];
  const { ttlSecondsMin: least } = limits;
  const valuesMax = valuesMaxOf(limits);
  const isTtl = set.ttlSeconds >= least && set.ttlSeconds <= TTL_SECONDS_MAX;
  if (!isTtl && set.ttlSeconds !== TTL_AUTOMATIC)
    troubles.push({
      code: "InvalidTtl",
      message: `the TTL must be from ${least} to ${TTL_SECONDS_MAX} seconds, or 1 for automatic`,
    });
  if (set.setIdentifier !== null || set.routingPolicy !== null)
    troubles.push({
      code: "UnsupportedRoutingPolicy",
      message: `Cloudflare's records have no routing policies; ${NO_POLICY}`,
    });
  if (set.values.length > valuesMax)
    troubles.push({
      code: "TooManyValues",
      message: `a record set has at most ${valuesMax} values; use fewer`,
    });
  return troubles;
}

function propertyTroubles({ type, properties }: RecordSet): readonly Trouble[] {
  const { [PROXIED]: proxied, ...others } = properties;
  const troubles = Object.keys(others).map(
    (property): Trouble => ({
      code: "UnsupportedProperty",
      message: `Cloudflare's records have no property ${property}; remove it`,
    }),
  );
  if (proxied === undefined || proxied === "false") return troubles;
  if (proxied !== "true")
    troubles.push({
      code: "InvalidValue",
      message: `the property ${PROXIED} must be true or false`,
    });
  else if (!PROXIABLE_TYPES.has(type))
    troubles.push({
      code: "InvalidValue",
      message: `the property ${PROXIED} is for A, AAAA and CNAME records only`,
    });
  return troubles;
}

function refusedContent({ type }: RecordSet, canonical: string): string | null {
  if (canonical.length > CONTENT_BYTES_MAX) return `a value has at most ${CONTENT_BYTES_MAX} bytes`;
  if (type !== "TXT" || !isEmptyText(canonical)) return null;
  return "Cloudflare takes no empty text; write at least one character";
}

function textTroubles({ type, values }: RecordSet): readonly Trouble[] {
  const characters = values.reduce((sum, value) => sum + value.length, 0);
  if (type !== "TXT" || characters <= TEXT_CHARACTERS_MAX) return [];
  const most = `at most ${TEXT_CHARACTERS_MAX} characters together`;
  return [{ code: "InvalidValue", message: `the texts of a name have ${most}` }];
}

function isEmptyText(value: string): boolean {
  const strings = parseTxtStrings(value);
  return strings.ok && strings.value.every((bytes) => bytes.length === 0);
}
