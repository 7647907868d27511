/**
 * What back ends without properties, and mostly without routing policies, cannot take about a
 * record set. What one vendor alone refuses is in its own folder. Pure.
 */
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Capabilities } from "../provider.ts";
import {
  NO_POLICY,
  outsideRow,
  type Trouble,
  type TroubleRow,
  troublesIn,
  ttlRow,
  typeRow,
  valueTroubles,
} from "./record-troubles.ts";

/** The back end as its messages name it, and what it can do. */
export interface PlainBackEnd extends Pick<Capabilities, "types" | "ttl"> {
  readonly vendor: string;
  /** Values of one record set; absent = any number. */
  readonly valuesMax?: number;
  /** Routing policies are the caller's to judge. Default false: there are none. */
  readonly hasPolicies?: boolean;
}

/** Empty = nothing that all such back ends refuse. */
export function plainTroubles(
  set: RecordSet,
  zone: Zone,
  { vendor, types, ttl, valuesMax = Number.POSITIVE_INFINITY, hasPolicies = false }: PlainBackEnd,
): readonly Trouble[] {
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
    [isMember && !hasPolicies, "UnsupportedRoutingPolicy", noPolicy],
    ...Object.keys(set.properties).map(
      (name): TroubleRow => [true, "UnsupportedProperty", noProperty(name)],
    ),
    [isAlias, "InvalidValue", "a CNAME cannot be at the apex; write addresses as targets"],
    [set.values.length > valuesMax, "TooManyValues", tooMany],
  ];
  return [...troublesIn(rows), ...valueTroubles(set)];
}
