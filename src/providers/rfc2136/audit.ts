/** What RFC 2136 servers cannot take about a record set, found before planning. Pure. */
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import {
  NO_POLICY,
  type Trouble,
  toProblems,
  ttlTroubles,
  typeTroubles,
  valueTroubles,
} from "../shared/record-troubles.ts";
import { SET_TEXT_BYTES_MAX, TTL_SECONDS_MAX, WRITABLE_TYPES } from "./limits.ts";

/** Empty = it can be written. */
export function auditSet(set: RecordSet): readonly Problem[] {
  return toProblems(set, [
    ...typeTroubles(set, WRITABLE_TYPES),
    ...shapeTroubles(set),
    ...ttlTroubles(set, TTL_SECONDS_MAX),
    ...valueTroubles(set),
    ...sizeTroubles(set),
  ]);
}

function shapeTroubles(set: RecordSet): readonly Trouble[] {
  const troubles: Trouble[] = [];
  if (set.setIdentifier !== null || set.routingPolicy !== null)
    troubles.push({
      code: "UnsupportedRoutingPolicy",
      message: `plain DNS has no routing policies; ${NO_POLICY}`,
    });
  const [property] = Object.keys(set.properties);
  if (property !== undefined)
    troubles.push({
      code: "UnsupportedProperty",
      message: `plain DNS has no property ${property}; leave it out`,
    });
  return troubles;
}

function sizeTroubles({ values }: RecordSet): readonly Trouble[] {
  const bytes = values.reduce((sum, value) => sum + value.length + 12, 0);
  if (bytes <= SET_TEXT_BYTES_MAX) return [];
  return [{ code: "TooManyValues", message: "the values do not fit into one UPDATE; use fewer" }];
}
