/** Record sets and change groups to what the API takes, and back. Pure; decides nothing. */
import { type Change as ApiChange, type ResourceRecordSet, RRType } from "@aws-sdk/client-route-53";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { parseRdataName } from "@zonekeeper/dns/rdata/name-text";
import { awsAliasTarget } from "../../model/aws-alias-zones.ts";
import type { Problem } from "../../model/problem.ts";
import { type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import {
  outsideRow,
  type Trouble,
  toProblems,
  troublesIn,
  ttlRow,
  typeRow,
  valueTroubles,
} from "../shared/record-troubles.ts";
import {
  ALIAS_TTL_SECONDS,
  TEXT_CHARACTERS_MAX,
  TTL_SECONDS_MAX,
  VALUES_MAX,
  WRITABLE_TYPES,
} from "./limits.ts";
import { fromPolicy, normalizePolicy, policyTrouble, toPolicy } from "./policies.ts";
import { fromName, fromValue, toName, toValue } from "./text.ts";

/** Properties of an alias; its target is the value. */
const ALIAS = "alias";
/** The zone of the target; absent = that of the host of AWS, else that of the alias. */
const ALIAS_ZONE = "aliasHostedZoneId";
/** `true` or absent. */
const ALIAS_HEALTH = "evaluateTargetHealth";
/** A record set that a traffic policy made; nothing desired has the property. */
const TRAFFIC_POLICY = "trafficPolicyInstanceId";

/** As it was read. */
export function toRecordSet(set: ResourceRecordSet, zoneId: string): RecordSet {
  const type = set.Type ?? "";
  const values = (set.ResourceRecords ?? []).map(({ Value = "" }) => toValue(type, Value));
  const target = set.AliasTarget;
  return {
    name: toName(set.Name ?? ""),
    type,
    setIdentifier: set.SetIdentifier ?? null,
    ttlSeconds: target === undefined ? Number(set.TTL ?? 0) : ALIAS_TTL_SECONDS,
    values: canonicalValues(target === undefined ? values : [toName(target.DNSName ?? "")]),
    properties: propertiesOf(set, zoneId),
    routingPolicy: toPolicy(set),
  };
}

function propertiesOf(set: ResourceRecordSet, zoneId: string): Readonly<Record<string, string>> {
  const { AliasTarget: target, TrafficPolicyInstanceId: instance } = set;
  const host = toName(target?.DNSName ?? "");
  const isElsewhere = target !== undefined && target.HostedZoneId !== aliasZone(host, zoneId);
  return {
    ...(instance === undefined ? {} : { [TRAFFIC_POLICY]: instance }),
    ...(target === undefined ? {} : { [ALIAS]: "true" }),
    ...(isElsewhere ? { [ALIAS_ZONE]: target.HostedZoneId ?? "" } : {}),
    ...(target?.EvaluateTargetHealth === true ? { [ALIAS_HEALTH]: "true" } : {}),
  };
}

/** Where the property says nothing. */
function aliasZone(host: string, zoneId: string): string {
  return awsAliasTarget(host)?.zoneId ?? zoneId;
}

/** As it is written. */
export function fromRecordSet(set: RecordSet, zoneId: string): ResourceRecordSet {
  const { name, type, values, properties, setIdentifier } = set;
  return {
    Name: fromName(name),
    Type: Object.values(RRType).find((one) => one === type),
    ...(setIdentifier === null ? {} : { SetIdentifier: setIdentifier }),
    ...fromPolicy(set.routingPolicy),
    ...(isAlias(set)
      ? {
          AliasTarget: {
            HostedZoneId: properties[ALIAS_ZONE] ?? aliasZone(values[0] ?? "", zoneId),
            DNSName: fromName(values[0] ?? ""),
            EvaluateTargetHealth: properties[ALIAS_HEALTH] === "true",
          },
        }
      : {
          TTL: set.ttlSeconds,
          ResourceRecords: values.map((value) => ({ Value: fromValue(type, value) })),
        }),
  };
}

/** True for an alias, whose value is a name. */
function isAlias({ properties }: Pick<RecordSet, "properties">): boolean {
  return properties[ALIAS] === "true";
}

/**
 * All groups in one batch: deletions first. CREATE and DELETE only, so that what was not read is
 * neither overwritten nor removed. A record set that has to be as it was read, and is not written,
 * is deleted and created: that fails when it is another. No record set is deleted twice.
 */
export function toChanges(groups: readonly ChangeGroup[], zoneId: string): ApiChange[] {
  const changes = groups.flatMap((group) => group.changes);
  const deletions = byKey(changes.flatMap((one) => (one.op === "create" ? [] : [one.previous])));
  const creations = byKey(changes.flatMap((one) => (one.op === "remove" ? [] : [one.next])));
  // What must stand as it was read, each once.
  const exact = groups
    .flatMap(({ preconditions }) => preconditions)
    .flatMap((one) => (one.is === "exact" ? [one.set] : []));
  const rewritten = [...byKey(exact)].filter(([key]) => !deletions.has(key) && !creations.has(key));
  return [
    ...[...deletions, ...rewritten].map(([, set]) => toChange("DELETE", set, zoneId)),
    ...[...creations, ...rewritten].map(([, set]) => toChange("CREATE", set, zoneId)),
  ];
}

function byKey(sets: readonly RecordSet[]): ReadonlyMap<string, RecordSet> {
  return new Map(sets.map((set) => [recordSetKeyText(set), set]));
}

function toChange(Action: ApiChange["Action"], set: RecordSet, zoneId: string): ApiChange {
  return { Action, ResourceRecordSet: fromRecordSet(set, zoneId) };
}

/** The set as the API will show it. */
export function normalizeSet(set: RecordSet, zoneId: string): RecordSet {
  const alias = isAlias(set) && (set.type === "A" || set.type === "AAAA");
  const values = set.values.map((value) =>
    alias ? targetOf(value) : toValue(set.type, fromValue(set.type, value)),
  );
  const seconds = Math.min(Math.max(0, Math.trunc(set.ttlSeconds)), TTL_SECONDS_MAX);
  return {
    ...set,
    ttlSeconds: alias ? ALIAS_TTL_SECONDS : seconds,
    values: canonicalValues(values),
    properties: normalizeProperties(set, zoneId),
    routingPolicy: normalizePolicy(set.routingPolicy),
  };
}

/** A marker has those of its data, which mean nothing there. What is so anyway is unsaid. */
function normalizeProperties(
  { type, properties, values: [host = ""] }: RecordSet,
  zoneId: string,
): RecordSet["properties"] {
  if (type === "TXT") return {};
  const isUnset = ([key, value]: readonly [string, string]): boolean =>
    key === ALIAS_ZONE
      ? value === aliasZone(host, zoneId)
      : value === "false" && (key === ALIAS || key === ALIAS_HEALTH);
  return Object.fromEntries(Object.entries(properties).filter((one) => !isUnset(one)));
}

function targetOf(value: string): string {
  const name = parseRdataName(value);
  return name.ok ? name.value.replace(/\.$/, "") : value;
}

// What Route 53 cannot take about a record set, found before planning. Pure.

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
