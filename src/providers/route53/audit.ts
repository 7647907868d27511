/** What Route 53 cannot take about a record set, found before planning. Pure. */
import { parseRdataName } from "@zonekeeper/dns/rdata/name-text";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import {
  outsideRow,
  type Trouble,
  toProblems,
  troublesIn,
  ttlRow,
  typeRow,
  valueTroubles,
} from "../shared/record-troubles.ts";
import { ALIAS, ALIAS_HEALTH, ALIAS_ZONE, isAlias } from "./convert.ts";
import { TEXT_CHARACTERS_MAX, TTL_SECONDS_MAX, VALUES_MAX, WRITABLE_TYPES } from "./limits.ts";
import { policyTrouble } from "./policies.ts";
import { fromValue } from "./text.ts";

/** API reference of ResourceRecordSet: SetIdentifier. */
const SET_IDENTIFIER_MAX = 128;

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  const isAliasName = set.type === "CNAME" && set.name === zone.name;
  const policy = policyText(set);
  return toProblems(set, [
    ...troublesIn([
      typeRow(set, WRITABLE_TYPES),
      ttlRow(set, TTL_SECONDS_MAX),
      [isAliasName, "InvalidValue", NO_ALIAS_NAME],
      outsideRow(set, zone),
      [policy !== null, "UnsupportedRoutingPolicy", policy ?? ""],
    ]),
    ...propertyTroubles(set),
    ...(isAlias(set) ? aliasTroubles(set) : plainTroubles(set)),
  ]);
}

const NO_ALIAS_NAME =
  "a CNAME cannot be at the apex; use an A and an AAAA record with the property alias";

function policyText({ setIdentifier, routingPolicy }: RecordSet): string | null {
  if (setIdentifier === null && routingPolicy === null) return null;
  if (setIdentifier === null || routingPolicy === null)
    return "a routing policy and a set identifier belong together; give both or none";
  if (setIdentifier === "" || setIdentifier.length > SET_IDENTIFIER_MAX)
    return `the set identifier must have 1 to ${SET_IDENTIFIER_MAX} characters`;
  return policyTrouble(routingPolicy);
}

/** Whatever would not be written is refused; `false` says what is so without it. */
function propertyTroubles({ properties }: RecordSet): readonly Trouble[] {
  const known = isAlias({ properties }) ? [ALIAS, ALIAS_ZONE, ALIAS_HEALTH] : [ALIAS];
  return Object.entries(properties).flatMap(([property, value]): readonly Trouble[] => {
    const isFlag = property === ALIAS || property === ALIAS_HEALTH;
    if (isFlag && value === "false") return [];
    if (!known.includes(property)) {
      const isOfAlias = property === ALIAS_ZONE || property === ALIAS_HEALTH;
      const message = isOfAlias
        ? `the property ${property} is for an alias only; write ${ALIAS}: "true" too, or remove it`
        : `records of Route 53 have no property ${property}; remove it`;
      return [{ code: "UnsupportedProperty", message }];
    }
    if (!isFlag || value === "true") return [];
    return [{ code: "InvalidValue", message: `the property ${property} must be true or false` }];
  });
}

function plainTroubles(set: RecordSet): readonly Trouble[] {
  const tooMany = `a record set has at most ${VALUES_MAX} values; use fewer`;
  const tooLong = `a value has at most ${TEXT_CHARACTERS_MAX} characters`;
  const written = (canonical: string): string => fromValue(set.type, canonical);
  return [
    ...(set.values.length > VALUES_MAX ? [{ code: "TooManyValues", message: tooMany }] : []),
    ...valueTroubles(set, (one) => (written(one).length > TEXT_CHARACTERS_MAX ? tooLong : null)),
  ];
}

function aliasTroubles({ type, values }: RecordSet): readonly Trouble[] {
  const [target, ...more] = values;
  const code = "InvalidValue";
  if (type !== "A" && type !== "AAAA")
    return [{ code, message: `the property ${ALIAS} is for A and AAAA records only` }];
  if (target === undefined || more.length > 0)
    return [{ code, message: "an alias has exactly one target" }];
  const name = parseRdataName(target);
  return name.ok ? [] : [{ code, message: `the target of an alias is a name: ${name.error}` }];
}
