/**
 * Whether an object would get an existing record of another tenant (a namespace of a cluster), or
 * of nobody, without a right that a person or the present holder gave it: a newcomer (Z-28). Pure.
 */
import { isMarkOf } from "../model/provenance.ts";
import { type DesiredRecordSet, recordSetKeyText } from "../model/record-set.ts";
import type { OwnedRecordSet } from "./changes.ts";
import { type ClaimContext, isPermittedByHolder } from "./claims.ts";
import { isOwnedByUs, type Marked, wouldAdopt } from "./rights.ts";
import type { PlanRules } from "./rules.ts";
import { isOfTenant } from "./tenants.ts";

/** The input that decides who is new at a record. */
export interface NewcomerContext {
  /** Every desired record set that competes for the name. */
  readonly contenders: readonly DesiredRecordSet[];
  readonly rules: ClaimContext["rules"] & Pick<PlanRules, "adoption">;
}

/**
 * True when the record set at the key of `desired` would become that of its tenant, only because
 * the former object ended or the adoption rule allows it: without a permit of the holder, and
 * without an order of a person. The change is then judged as if the record were created.
 */
export function isNewcomer(
  desired: DesiredRecordSet,
  there: OwnedRecordSet,
  { contenders, rules }: NewcomerContext,
): boolean {
  const order = rules.orders?.get(recordSetKeyText(there));
  if (order?.is === "adopt" || order?.is === "transfer") return false;
  // clause: adopted-record-gets-a-tenant
  if (there.marker === null && there.data !== null)
    return !there.contested && wouldAdopt(there.data, desired, rules.adoption);
  if (!isOwnedByUs(there, rules) || isMarkOf(there.marker, desired.provenance)) return false;
  if (isOfTenant(there.marker, desired.provenance)) return false;
  return (
    !isOfMovedObject(there, desired, rules) &&
    !isPermittedByHolder(desired, there, { contenders, current: [], rules })
  );
}

/**
 * The marker names the same object of another cluster, and the owner id that was switched on here
 * for it (ADR 0050).
 */
export function isOfMovedObject(
  { marker }: Marked,
  { owner, provenance }: DesiredRecordSet,
  { mainOwner }: Pick<PlanRules, "mainOwner">,
): boolean {
  if (owner === null || owner === mainOwner || marker.owner !== owner) return false;
  return isMarkOf({ ...marker, cluster: null }, provenance);
}
