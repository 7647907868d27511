/** What PowerDNS cannot take about a record set, found before planning. Pure. */
import { isAtOrBelow } from "../../model/dns-name.ts";
import type { Problem } from "../../model/problem.ts";
import { parseRdata } from "../../model/rdata/index.ts";
import { type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { TTL_SECONDS_MAX, WRITABLE_TYPES } from "./limits.ts";

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  const troubles = [...shapeTroubles(set, zone), ...valueTroubles(set)];
  return troubles.map(([code, message]) => ({ code, subject: recordSetKeyText(set), message }));
}

type Trouble = readonly [code: string, message: string];

function shapeTroubles(set: RecordSet, zone: Zone): readonly Trouble[] {
  const troubles: Trouble[] = [];
  if (!isAtOrBelow(set.name, zone.name))
    troubles.push(["InvalidName", `the name is not in the zone ${zone.name}`]);
  if (!WRITABLE_TYPES.has(set.type))
    troubles.push([
      "UnsupportedType",
      `records of type ${set.type} are not written; possible are ${[...WRITABLE_TYPES].join(", ")}`,
    ]);
  if (!(set.ttlSeconds >= 0 && set.ttlSeconds <= TTL_SECONDS_MAX))
    troubles.push(["InvalidTtl", `the TTL must be from 0 to ${TTL_SECONDS_MAX} seconds`]);
  if (set.setIdentifier !== null || set.routingPolicy !== null)
    troubles.push([
      "UnsupportedRoutingPolicy",
      "PowerDNS has no routing policies; remove the set identifier",
    ]);
  for (const property of Object.keys(set.properties))
    troubles.push([
      "UnsupportedProperty",
      `PowerDNS's records have no property ${property}; remove it`,
    ]);
  if (set.type === "CNAME" && set.name === zone.name)
    troubles.push(["InvalidValue", "a CNAME cannot be at the apex; write addresses as targets"]);
  return troubles;
}

function valueTroubles({ type, values }: RecordSet): readonly Trouble[] {
  const troubles: Trouble[] = [];
  if (type === "CNAME" && values.length !== 1)
    troubles.push(["InvalidValue", "a CNAME has exactly one target"]);
  for (const value of values) {
    const parsed = parseRdata(type, value);
    if (!parsed.ok) troubles.push(["InvalidValue", parsed.error]);
  }
  return troubles;
}
