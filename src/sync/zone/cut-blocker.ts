/**
 * Whose names a zone cut would take (Z-26): resolvers ask other servers for everything at and below
 * it, so that each record set, wish and wildcard there has to be of one tenant. Pure reading.
 */
import { childName, type DnsName, parentOf } from "../../model/dns-name.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Ownership } from "../../ownership/ownership.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { Blocker } from "../../plan/rules.ts";
import { isSameTenant, tenantIn } from "../../plan/tenants.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";
import { CUT_TYPES } from "../cache/wanted-cuts.ts";
import type { ZoneState } from "../cache/zone-state.ts";

/** What is read. */
export interface CutContext {
  readonly apex: DnsName;
  readonly index: DesiredIndex;
  readonly state: ZoneState;
  readonly ownership: Pick<Ownership, "affected">;
  /** Names that the DNSProviders of the zone allow to delegate. */
  readonly allowed: readonly DnsName[];
}

/** Why this record set may not be created; null = it may, or it makes no cut. */
export function blockerOfCut(desired: DesiredRecordSet, context: CutContext): Blocker | null {
  const { name, type } = desired;
  if (!CUT_TYPES.has(type) || name === context.apex || context.allowed.includes(name)) return null;
  const taken = firstForeign(desired, context);
  if (taken === null) return null;
  const message = `${type} at ${name} would take ${taken} from its owner; remove that, or annotate each DNSProvider of the zone with zonekeeper.dev/allow-delegation "${name}"`;
  return { code: "DelegationRefused", message };
}

/** The first record set or object that is not of the tenant, in words. */
function firstForeign(desired: DesiredRecordSet, context: CutContext): string | null {
  const { index, state } = context;
  const below = index.cuts.namesBelow(desired.name, state.table, () => index.names());
  const names = below.some((name) => state.table.at(name).length > 0)
    ? below
    : [...below, ...wildcardsOver(desired.name, context)];
  for (const name of names) {
    const foreign = foreignAt(name, desired, context);
    if (foreign !== null) return foreign;
  }
  return null;
}

/**
 * The wildcards that may answer at a name without records: up to the closest name above it that
 * exists (RFC 4592 §3.3.1).
 */
function wildcardsOver(name: DnsName, { apex, state }: CutContext): readonly DnsName[] {
  const wildcards: DnsName[] = [];
  let at = name;
  while (at !== apex) {
    const parent = parentOf(at);
    if (parent === null) break;
    const wildcard = childName("*", parent);
    if (wildcard !== null) wildcards.push(wildcard);
    if (state.table.at(parent).length > 0) break;
    at = parent;
  }
  return wildcards;
}

/** What another tenant, or nobody we know, has or wants at a name. */
function foreignAt(
  name: DnsName,
  { provenance }: DesiredRecordSet,
  context: CutContext,
): string | null {
  const { index, state } = context;
  const existing = state.owned.at(name);
  for (const set of existing)
    if (!isOfTenant(set, provenance, context))
      return `${set.type} ${name} (${set.marker?.resource ?? "no known owner"})`;
  const other = index.objectsAt(name).find((object) => !isSameTenant(object, provenance));
  if (other !== undefined) return `${name} (${resourceOf(other)})`;
  if (existing.length > 0) return null;
  return state.table.at(name).length === 0 || isMarkerOfTenant(name, provenance, context)
    ? null
    : `the marker at ${name}`;
}

/** Records under the name mark record sets of other names; all of these are the tenant's. */
function isMarkerOfTenant(
  name: DnsName,
  tenant: DesiredRecordSet["provenance"],
  context: CutContext,
): boolean {
  const { ownership, state } = context;
  const marked = ownership
    .affected(name)
    .flatMap((one) => state.owned.at(one))
    .filter(({ marker }) => marker?.record?.name === name);
  return marked.length > 0 && marked.every((set) => isOfTenant(set, tenant, context));
}

function isOfTenant(
  set: OwnedRecordSet,
  provenance: DesiredRecordSet["provenance"],
  { state }: CutContext,
): boolean {
  const tenant = tenantIn(set.marker);
  return tenant !== null && state.owned.isOwnedByUs(set) && isSameTenant(tenant, provenance);
}
