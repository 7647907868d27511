/** What Designate cannot take about a record set, found before planning. Pure. */
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { plainTroubles } from "../shared/plain-audit.ts";
import { type Trouble, toProblems } from "../shared/record-troubles.ts";
import { caaOf } from "./convert.ts";
import { CAPABILITIES } from "./limits.ts";

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  const troubles = plainTroubles(set, zone, { vendor: "Designate", ...CAPABILITIES });
  return toProblems(set, [...troubles, ...apexTroubles(set, zone), ...authorityTroubles(set)]);
}

/** "Updating a root zone NS record is not allowed". */
function apexTroubles({ name, type }: RecordSet, zone: Zone): readonly Trouble[] {
  if (type !== "NS" || name !== zone.name) return [];
  const message = "the NS records of the apex are the server's own; they cannot be written";
  return [{ code: "InvalidValue", message }];
}

/** The value is sent without quotes, and served up to a semicolon only. */
function authorityTroubles({ type, values }: RecordSet): readonly Trouble[] {
  if (type !== "CAA" || values.every((value) => /^\d+ \w+ [^\s;"\\]+$/.test(caaOf(value))))
    return [];
  const message = "this API takes no CAA value with blanks, quotes or semicolons, and no empty one";
  return [{ code: "InvalidValue", message }];
}
