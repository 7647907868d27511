/**
 * What `audit` finds on every back end (types, TTLs, names outside of the zone, values that cannot
 * be read), and on those without properties and mostly without routing policies. What one vendor
 * alone refuses is in its own folder. Pure.
 */
import { isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import { parseRdata } from "@zonekeeper/dns/rdata/index";
import type { Problem } from "../../model/problem.ts";
import { type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Capabilities } from "../provider.ts";

/** What to do where a back end has none; completes a message. */
export const NO_POLICY =
  "remove spec.routingPolicy of the DNSEntry, the annotation dns.gardener.cloud/routing-policy of its object, or setIdentifier of the DNSEndpoint";

/** Why a record set cannot be written. */
export type Trouble = Pick<Problem, "code" | "message">;

/** In the order of the troubles, then of the rows; empty = the record set can be written. */
export function toProblems(
  set: RecordSet,
  troubles: readonly Trouble[],
  ...rows: readonly TroubleRow[]
): readonly Problem[] {
  const subject = recordSetKeyText(set);
  return [...troubles, ...troublesIn(rows)].map(({ code, message }) => ({
    code,
    subject,
    message,
  }));
}

/** A trouble that a record set has if the first element is true. */
export type TroubleRow = readonly [isSo: boolean, code: string, message: string];

/** Those that the record set has, in the order of the rows. */
export function troublesIn(rows: readonly TroubleRow[]): readonly Trouble[] {
  return rows.flatMap(([isSo, code, message]) => (isSo ? [{ code, message }] : []));
}

/** tools/errors-page/codes.ts finds codes as arguments of this name. */
function row(isSo: boolean, code: string, message: string): TroubleRow {
  return [isSo, code, message];
}

/** Of a type that is none of these. */
export function typeRow({ type }: RecordSet, types: ReadonlySet<string>): TroubleRow {
  const possible = `possible are ${[...types].join(", ")}`;
  const message = `records of type ${type} are not written; ${possible}`;
  return row(!types.has(type), "UnsupportedType", message);
}

/** The longest TTL in seconds; the least is 0. */
export function ttlRow({ ttlSeconds }: RecordSet, secondsMax: number): TroubleRow {
  const isRight = ttlSeconds >= 0 && ttlSeconds <= secondsMax;
  return [!isRight, "InvalidTtl", `the TTL must be from 0 to ${secondsMax} seconds`];
}

/** Of a name that is neither the apex nor below it. */
export function outsideRow({ name }: RecordSet, zone: Zone): TroubleRow {
  return [!isAtOrBelow(name, zone.name), "InvalidName", `the name is not in the zone ${zone.name}`];
}

/** Types with one target (RFC 1034 §3.6.2, RFC 2181 §10.1, RFC 6672 §2.4). */
const SINGLE_TYPES: ReadonlySet<string> = new Set(["CNAME", "DNAME"]);

/**
 * What is wrong with the values. `refuse`: why the vendor does not take a value, in canonical form;
 * null = it does.
 */
export function valueTroubles(
  { type, values }: RecordSet,
  refuse: (canonical: string) => string | null = () => null,
): readonly Trouble[] {
  const messages =
    SINGLE_TYPES.has(type) && values.length !== 1 ? [`a ${type} has exactly one target`] : [];
  for (const value of values) {
    const parsed = parseRdata(type, value);
    const message = parsed.ok ? refuse(parsed.value) : parsed.error;
    if (message !== null) messages.push(message);
  }
  return messages.map((message): Trouble => ({ code: "InvalidValue", message }));
}

/** The back end as its messages name it, and what it can do. */
export interface PlainBackEnd extends Pick<Capabilities, "types" | "ttl" | "flattensApex"> {
  readonly vendor: string;
  /** Values of one record set; absent = any number. */
  readonly valuesMax?: number;
  /** Routing policies are the caller's to judge. Default false: there are none. */
  readonly hasPolicies?: boolean;
  /** Default: there are no properties. */
  readonly takesProperty?: (name: string) => boolean;
}

/** Empty = nothing that all such back ends refuse. */
export function plainTroubles(
  set: RecordSet,
  zone: Zone,
  backEnd: PlainBackEnd,
): readonly Trouble[] {
  const { vendor, types, ttl, flattensApex = false, hasPolicies = false } = backEnd;
  const { valuesMax = Number.POSITIVE_INFINITY, takesProperty = () => false } = backEnd;
  const isMember = set.setIdentifier !== null || set.routingPolicy !== null;
  const isAlias = set.type === "CNAME" && set.name === zone.name;
  const noPolicy = `routing policies of ${vendor} are not written; ${NO_POLICY}`;
  const tooMany = `a record set has at most ${valuesMax} values; use fewer`;
  const noProperty = (name: string): string =>
    `records of ${vendor} have no property ${name}; remove it`;
  const rows: readonly TroubleRow[] = [
    outsideRow(set, zone),
    typeRow(set, types),
    ttlRow(set, ttl.maxSeconds),
    row(isMember && !hasPolicies, "UnsupportedRoutingPolicy", noPolicy),
    ...Object.keys(set.properties).map(
      (name): TroubleRow => [!takesProperty(name), "UnsupportedProperty", noProperty(name)],
    ),
    [
      isAlias && !flattensApex,
      "InvalidValue",
      "a CNAME cannot be at the apex; write addresses as targets",
    ],
    [set.values.length > valuesMax, "TooManyValues", tooMany],
  ];
  return [...troublesIn(rows), ...valueTroubles(set)];
}
