/** The hold for a name that a record of another tenant has (Z-28). */
import type { DesiredRecordSet } from "../model/record-set.ts";
import type { Hold } from "./changes.ts";
import { holdFor } from "./hold-at.ts";
import type { NameContext } from "./name-context.ts";
import type { Marked } from "./rights.ts";
import { absenceOf } from "./rules.ts";
import { holdingOf, mayShareName, ONE_TENANT, sharingAdvice, tenantIn } from "./tenants.ts";
import { transfersFor } from "./transfer-requests.ts";

/**
 * Null = the name is free for `desired`. It is taken while the object of the record may still want
 * it; objects that compete now were ranked before.
 */
export function holdTaken(
  other: Marked,
  desired: DesiredRecordSet,
  { rules, objectTransfers }: NameContext,
): Hold | null {
  const tenant = tenantIn(other.marker);
  const absence = absenceOf(rules, other);
  if (tenant === null || absence.proven || absence.unlessAnswered !== undefined) return null;
  const { owner, resource } = other.marker;
  const transfers = transfersFor(other, objectTransfers).map(({ transfer }) => transfer);
  const routingPolicy = other.data?.routingPolicy ?? null;
  const holder = { ...other, routingPolicy, tenant, resource, owner, transfers };
  const { provenance } = desired;
  if (mayShareName(holder, holdingOf(desired, rules.mainOwner), rules.tenancy ?? ONE_TENANT))
    return null;
  const who = resource ?? "";
  const message = `the ${other.type} record at the name belongs to ${who}, and a name has one namespace: ${absence.message}; ${sharingAdvice(who, provenance)}`;
  return holdFor(desired, "NameTaken", message);
}
