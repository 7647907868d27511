/** What PowerDNS cannot take about a record set, found before planning. Pure. */
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { plainTroubles } from "../shared/plain-audit.ts";
import { toProblems } from "../shared/record-troubles.ts";
import { CAPABILITIES } from "./limits.ts";

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  return toProblems(set, plainTroubles(set, zone, { vendor: "PowerDNS", ...CAPABILITIES }));
}
