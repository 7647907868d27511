/**
 * Whose names a zone cut (NS, DS or DNAME below the apex) would take (Z-26): resolvers ask other
 * servers for everything at and below it. So every record set, desired record set and wildcard
 * there has to be of one tenant, which is a namespace of a cluster. Pure reading.
 */
import { childName, type DnsName, parentOf } from "@zonekeeper/dns/names/dns-name";
import { asPlain, type DesiredRecordSet, isPart, isSameKey } from "../../model/record-set.ts";
import type { Blocker } from "../../plan/rules.ts";
import { holdingOf, mayShareName, ONE_TENANT } from "../../plan/tenants.ts";
import { CUT_TYPES } from "../cache/wanted-cuts.ts";
import type { ZoneTable } from "../cache/zone-table.ts";
import {
  existingAt,
  type Holder,
  isForeignTo,
  type NeighbourContext,
  wantedAt,
} from "./name-holders.ts";

/** Why this record set may not be created; null = it may, or it makes no cut. */
export function blockerOfCut(desired: DesiredRecordSet, context: NeighbourContext): Blocker | null {
  const { name, type } = desired;
  const { apex, tenancy } = context;
  if (!CUT_TYPES.has(type) || name === apex || tenancy.delegations.includes(name)) return null;
  const taken = firstForeign(desired, context);
  // clause: cut-takes-no-names
  if (taken === null) return null;
  const message = `${type} at ${name} would take ${taken} from its owner; remove that, or annotate each DNSProvider of the zone with zonekeeper.dev/allow-delegation "${name}"`;
  return { code: "DelegationRefused", message };
}

/**
 * Why a record set below a DNAME may not be created: resolvers look below its target instead (RFC
 * 6672 §2.4). Null = no DNAME is above the name.
 */
export function blockerBelowAlias(
  { name }: DesiredRecordSet,
  table: Pick<ZoneTable, "at" | "redirectionOf">,
): Blocker | null {
  const at = table.redirectionOf(name);
  if (at === null) return null;
  const [target = ""] = table.at(at).find(({ type }) => type === "DNAME")?.values ?? [];
  const message = `DNAME ${target} is at ${at}: resolvers look for ${name} below that target, and not here; choose another name, or remove the DNAME`;
  return { code: "Delegated", message };
}

/**
 * The first record set or object at or below the name that is not of the tenant, in words; null =
 * all are. Where the cut exists already, its own name is left out: what may exist beside it is
 * judged by the plan of that name.
 */
function firstForeign(desired: DesiredRecordSet, context: NeighbourContext): string | null {
  const { name, provenance } = desired;
  const { index, state } = context;
  const isThere = state.table.at(name).some((set) => isSameKey(set, asPlain(desired)));
  const below = index.cuts.namesUnder(name, state.table, () => index.names());
  const names = below.some((one) => state.table.at(one).length > 0)
    ? below
    : /* clause: wildcard-blocks-cut */ [...below, ...wildcardsOver(name, context)];
  const own = holdingOf(desired, context.mainOwner);
  // Clusters that have parts of one merged cut share its name.
  const shares = ({ holding }: Holder): boolean =>
    isPart(desired) && holding !== null && mayShareName(holding, own, ONE_TENANT);
  const isOther = isForeignTo(provenance);
  const isForeign = (holder: Holder): boolean => isOther(holder) && !shares(holder);
  for (const one of names) {
    if (isThere && one === name) continue;
    const foreign =
      existingAt(one, context, desired).find(isForeign) ??
      /* clause: desired-name-blocks-cut */ wantedAt(one, context).find(isForeign);
    if (foreign !== undefined) return foreign.text;
  }
  return null;
}

/**
 * The wildcards that may answer at a name without records: up to the closest name above it that
 * exists (RFC 4592 §3.3.1).
 */
export function wildcardsOver(
  name: DnsName,
  { apex, state }: Pick<NeighbourContext, "apex" | "state">,
): readonly DnsName[] {
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
