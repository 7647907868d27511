/** What PowerDNS cannot take about a record set, found before planning. Pure. */
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import {
  outsideTroubles,
  type Trouble,
  toProblems,
  ttlTroubles,
  typeTroubles,
  valueTroubles,
} from "../shared/record-troubles.ts";
import { TTL_SECONDS_MAX, WRITABLE_TYPES } from "./limits.ts";

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  return toProblems(set, [
    ...outsideTroubles(set, zone),
    ...typeTroubles(set, WRITABLE_TYPES),
    ...ttlTroubles(set, TTL_SECONDS_MAX),
    ...shapeTroubles(set, zone),
    ...valueTroubles(set),
  ]);
}

function shapeTroubles(set: RecordSet, zone: Zone): readonly Trouble[] {
  const troubles: Trouble[] = [];
  if (set.setIdentifier !== null || set.routingPolicy !== null)
    troubles.push({
      code: "UnsupportedRoutingPolicy",
      message: "PowerDNS has no routing policies; remove the set identifier",
    });
  for (const property of Object.keys(set.properties))
    troubles.push({
      code: "UnsupportedProperty",
      message: `PowerDNS's records have no property ${property}; remove it`,
    });
  if (set.type === "CNAME" && set.name === zone.name)
    troubles.push({
      code: "InvalidValue",
      message: "a CNAME cannot be at the apex; write addresses as targets",
    });
  return troubles;
}
