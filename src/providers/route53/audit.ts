/** What Route 53 cannot take about a record set, found before planning. Pure. */
import { isAtOrBelow } from "../../model/dns-name.ts";
import type { Problem } from "../../model/problem.ts";
import { parseRdata } from "../../model/rdata/index.ts";
import { parseRdataName } from "../../model/rdata/name-text.ts";
import { type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { ALIAS, isAlias } from "./convert.ts";
import { TEXT_CHARACTERS_MAX, TTL_SECONDS_MAX, VALUES_MAX, WRITABLE_TYPES } from "./limits.ts";
import { policyTrouble } from "./policies.ts";
import { fromValue } from "./text.ts";

/** API reference of ResourceRecordSet: SetIdentifier. */
const SET_IDENTIFIER_MAX = 128;

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  const troubles = [...shapeTroubles(set, zone), ...policyTroubles(set), ...valueTroubles(set)];
  return troubles.map(([code, message]) => ({ code, subject: recordSetKeyText(set), message }));
}

type Trouble = readonly [code: string, message: string];

function shapeTroubles(set: RecordSet, zone: Zone): readonly Trouble[] {
  const troubles: Trouble[] = [];
  if (!WRITABLE_TYPES.has(set.type))
    troubles.push([
      "UnsupportedType",
      `records of type ${set.type} are not written; possible are ${[...WRITABLE_TYPES].join(", ")}`,
    ]);
  if (!(set.ttlSeconds >= 0 && set.ttlSeconds <= TTL_SECONDS_MAX))
    troubles.push(["InvalidTtl", `the TTL must be from 0 to ${TTL_SECONDS_MAX} seconds`]);
  if (set.type === "CNAME" && set.name === zone.name)
    troubles.push([
      "InvalidValue",
      "a CNAME cannot be at the apex; use an A and an AAAA record with the property alias",
    ]);
  if (!isAtOrBelow(set.name, zone.name))
    troubles.push(["InvalidName", `the name is not in the zone ${zone.name}`]);
  return troubles;
}

function policyTroubles({ setIdentifier, routingPolicy }: RecordSet): readonly Trouble[] {
  const code = "UnsupportedRoutingPolicy";
  if (setIdentifier === null && routingPolicy === null) return [];
  if (setIdentifier === null || routingPolicy === null)
    return [[code, "a routing policy and a set identifier belong together; give both or none"]];
  if (setIdentifier === "" || setIdentifier.length > SET_IDENTIFIER_MAX)
    return [[code, `the set identifier must have 1 to ${SET_IDENTIFIER_MAX} characters`]];
  const trouble = policyTrouble(routingPolicy);
  return trouble === null ? [] : [[code, trouble]];
}

function valueTroubles(set: RecordSet): readonly Trouble[] {
  if (isAlias(set)) return aliasTroubles(set);
  const troubles: Trouble[] = [];
  if (set.type === "CNAME" && set.values.length !== 1)
    troubles.push(["InvalidValue", "a CNAME has exactly one target"]);
  if (set.values.length > VALUES_MAX)
    troubles.push(["TooManyValues", `a record set has at most ${VALUES_MAX} values; use fewer`]);
  for (const value of set.values) {
    const parsed = parseRdata(set.type, value);
    if (!parsed.ok) troubles.push(["InvalidValue", parsed.error]);
    else if (fromValue(set.type, value).length > TEXT_CHARACTERS_MAX)
      troubles.push(["InvalidValue", `a value has at most ${TEXT_CHARACTERS_MAX} characters`]);
  }
  return troubles;
}

function aliasTroubles(set: RecordSet): readonly Trouble[] {
  if (set.type !== "A" && set.type !== "AAAA")
    return [["InvalidValue", `the property ${ALIAS} is for A and AAAA records only`]];
  const [target, ...more] = set.values;
  if (target === undefined || more.length > 0)
    return [["InvalidValue", "an alias has exactly one target"]];
  const name = parseRdataName(target);
  return name.ok ? [] : [["InvalidValue", `the target of an alias is a name: ${name.error}`]];
}
