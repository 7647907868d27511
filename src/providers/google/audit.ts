/** What Cloud DNS cannot take about a record set, found before planning. Pure. */
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { plainTroubles } from "../shared/plain-audit.ts";
import { type Trouble, toProblems } from "../shared/record-troubles.ts";
import { CAPABILITIES, NAME_SERVERS_MAX, VALUES_MAX } from "./limits.ts";
import { policyTroubles } from "./policies.ts";

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  const troubles: Trouble[] = [
    ...plainTroubles(set, zone, {
      vendor: "Cloud DNS",
      valuesMax: set.type === "NS" ? NAME_SERVERS_MAX : VALUES_MAX,
      ...CAPABILITIES,
      hasPolicies: true,
    }),
    ...policyTroubles(set),
  ];
  // Docs "Error messages", wildcardNotAllowed.
  if (set.type === "NS" && set.name.startsWith("*."))
    troubles.push({
      code: "InvalidName",
      message: "Cloud DNS has no NS records at a wildcard; name them",
    });
  return toProblems(set, troubles);
}
