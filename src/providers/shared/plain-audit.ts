/**
 * What back ends without properties, and mostly without routing policies, cannot take about a
 * record set. What one vendor alone refuses is in its own folder. Pure.
 */
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Capabilities } from "../provider.ts";
import {
  NO_POLICY,
  outsideTroubles,
  type Trouble,
  ttlTroubles,
  typeTroubles,
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
  backEnd: PlainBackEnd,
): readonly Trouble[] {
  return [
    ...outsideTroubles(set, zone),
    ...typeTroubles(set, backEnd.types),
    ...ttlTroubles(set, backEnd.ttl.maxSeconds),
    ...shapeTroubles(set, zone, backEnd),
    ...valueTroubles(set),
  ];
}

function shapeTroubles(
  { name, type, values, setIdentifier, routingPolicy, properties }: RecordSet,
  zone: Zone,
  { vendor, valuesMax, hasPolicies = false }: PlainBackEnd,
): readonly Trouble[] {
  const troubles: Trouble[] = [];
  if (!hasPolicies && (setIdentifier !== null || routingPolicy !== null))
    troubles.push({
      code: "UnsupportedRoutingPolicy",
      message: `routing policies of ${vendor} are not written; ${NO_POLICY}`,
    });
  for (const property of Object.keys(properties))
    troubles.push({
      code: "UnsupportedProperty",
      message: `records of ${vendor} have no property ${property}; remove it`,
    });
  if (type === "CNAME" && name === zone.name)
    troubles.push({
      code: "InvalidValue",
      message: "a CNAME cannot be at the apex; write addresses as targets",
    });
  if (valuesMax !== undefined && values.length > valuesMax)
    troubles.push({
      code: "TooManyValues",
      message: `a record set has at most ${valuesMax} values; use fewer`,
    });
  return troubles;
}
