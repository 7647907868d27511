/**
 * Whose names a zone cut would take (Z-26): resolvers ask other servers for everything at and below
 * it, so that each record set, wish and wildcard there has to be of one tenant. Pure reading.
 */
import { childName, type DnsName, parentOf } from "../../model/dns-name.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Blocker } from "../../plan/rules.ts";
import { CUT_TYPES } from "../cache/wanted-cuts.ts";
import { existingAt, isForeignTo, type NeighbourContext, wantedAt } from "./name-holders.ts";

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

/** Resolvers look below a DNAME for its target alone (RFC 6672 §2.4); null = none is above. */
export function blockerBelowAlias(
  { name }: DesiredRecordSet,
  { apex, state }: Pick<NeighbourContext, "apex" | "state">,
): Blocker | null {
  for (let at = name === apex ? null : parentOf(name); at !== null; at = parentOf(at)) {
    const [alias] = state.table.at(at).filter(({ type }) => type === "DNAME");
    const target = alias?.values[0];
    if (target !== undefined) {
      const message = `DNAME ${target} is at ${at}: resolvers look for ${name} below that target, and not here; choose another name, or remove the DNAME`;
      return { code: "Delegated", message };
    }
    if (at === apex) return null;
  }
  return null;
}

/** The first record set or object that is not of the tenant, in words. */
function firstForeign(
  { name, provenance }: DesiredRecordSet,
  context: NeighbourContext,
): string | null {
  const { index, state } = context;
  const below = index.cuts.namesUnder(name, state.table, () => index.names());
  const names = below.some((one) => state.table.at(one).length > 0)
    ? below
    : /* clause: wildcard-blocks-cut */ [...below, ...wildcardsOver(name, context)];
  const isForeign = isForeignTo(provenance);
  for (const one of names) {
    const foreign =
      existingAt(one, context).find(isForeign) ??
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
