/**
 * Who may publish beside whom at one name (Z-28). A tenant is a namespace of a cluster: that of the
 * original object, or of the DNSEntry where no original is known. Pure.
 */
import { namespaceIn, type Provenance, resourceOf } from "../model/provenance.ts";
import { type DesiredRecordSet, hasSameData, isSameKey } from "../model/record-set.ts";
import {
  isPermitForOwner,
  type ObjectTransfer,
  type TransferRequest,
} from "../model/transfer-request.ts";
import type { Marker } from "./changes.ts";
import { ADDRESS_TYPES, type Kind } from "./coexistence.ts";
import type { Marked } from "./rights.ts";
import type { NameTenancy } from "./rules.ts";
import { transfersFor } from "./transfer-requests.ts";

/** One namespace; a null cluster is any cluster, for a marker may name none. */
export interface Tenant {
  readonly cluster: string | null;
  readonly namespace: string;
}

/** The rule for a name whose DNSProviders say nothing else: it has one tenant. */
export const ONE_TENANT: NameTenancy = { sharing: "none", firstNamespaces: [] };

/** True when both are the same namespace. */
export function isSameTenant(a: Tenant, b: Tenant): boolean {
  // clause: a-name-has-one-tenant
  if (a.namespace !== b.namespace) return false;
  return a.cluster === null || b.cluster === null || a.cluster === b.cluster;
}

/** The tenant that a marker names; null = it names none. A hashed name has its namespace, too. */
export function tenantIn(marker: Pick<Marker, "resource" | "cluster"> | null): Tenant | null {
  const [kind, namespace, name] = marker?.resource?.split("/") ?? [];
  if (!kind || namespace === undefined || !name) return null;
  return { cluster: marker?.cluster ?? null, namespace };
}

/** True when the marker names an object of this tenant; one that names none is of no tenant. */
export function isOfTenant(marker: Parameters<typeof tenantIn>[0], tenant: Tenant): boolean {
  const named = tenantIn(marker);
  return named !== null && isSameTenant(named, tenant);
}

/** A record set at a name, and whose it is. */
export interface Holding extends Kind {
  readonly tenant: Tenant;
  /** `kind/namespace/name` of its object; null = unknown. */
  readonly resource: string | null;
  readonly owner: string;
  /** Requests of its object about handing records over; empty = none. */
  readonly transfers: readonly TransferRequest[];
}

/** A desired record set as a holding. */
export function holdingOf(desired: DesiredRecordSet, mainOwner: string): Holding {
  const { name, type, setIdentifier, routingPolicy, provenance, owner, transfer } = desired;
  return {
    ...{ name, type, setIdentifier, routingPolicy, tenant: provenance },
    resource: resourceOf(provenance),
    owner: owner ?? mainOwner,
    transfers: transfer === undefined ? [] : [transfer],
  };
}

/** A record set of ours as a holding; null = its marker names no tenant. */
export function holdingIn(one: Marked, objectTransfers: readonly ObjectTransfer[]): Holding | null {
  const tenant = tenantIn(one.marker);
  if (tenant === null) return null;
  const { owner, resource } = one.marker;
  const transfers = transfersFor(one, objectTransfers).map(({ transfer }) => transfer);
  const routingPolicy = one.data?.routingPolicy ?? null;
  return { ...one, routingPolicy, tenant, resource, owner, transfers };
}

/** True when `second` may be published at the name of `first`, whose permit counts. */
export function mayShareName(first: Holding, second: Holding, { sharing }: NameTenancy): boolean {
  if (isSameTenant(first.tenant, second.tenant) || sharing === "all") return true;
  return (
    isSamePolicyElsewhere(first, second) ||
    /* clause: first-object-permits */ permits(first, second)
  );
}

/** Equal type and values are no conflict; each may have its own TTL. */
export function isSameRecord(a: DesiredRecordSet, b: DesiredRecordSet): boolean {
  return isSameKey(a, b) && hasSameData(a, b);
}

/** True for the types of which the first one at a name decides whose the others may be. */
export function isAddress({ type }: Pick<Kind, "type">): boolean {
  return ADDRESS_TYPES.has(type);
}

/**
 * Members of one kind of routing policy, or parts of one merged record set, from one namespace of
 * several clusters.
 */
function isSamePolicyElsewhere(a: Holding, b: Holding): boolean {
  if (a.setIdentifier === null || b.setIdentifier === null) return false;
  const isSameKind = a.routingPolicy?.type === b.routingPolicy?.type;
  return (
    isSameKind && /* clause: parts-have-one-namespace */ a.tenant.namespace === b.tenant.namespace
  );
}

/** True when an object of `a` permits the object of `b`; a permit is for one other object. */
export function permits(a: Holding, b: Holding): boolean {
  const claimant = { owner: b.owner, claims: b.transfers.some(({ claim }) => claim) };
  return a.transfers.some(
    ({ permit }) =>
      permit !== null &&
      permit.resource === b.resource &&
      isPermitForOwner(permit, a.owner, claimant),
  );
}

/** How another tenant gets to publish at a name that is taken; ends a message. */
export function sharingAdvice(holder: string, reader: Provenance): string {
  const merge = namespaceIn(holder) === reader.namespace ? `, or annotate both with ${MERGE}` : "";
  return `choose another name, remove the name from ${holder}, or let that object permit it with permit-claim-by-resource "${resourceOf(reader)}"${merge}`;
}

const MERGE = 'zonekeeper.dev/merge "true" where they are of two clusters';
