/** The spec of a coordination.k8s.io/v1 Lease as leader election uses it: object ⇄ record. Pure. */
import { LEASE } from "../../objects/kinds.ts";
import type { KubeObject } from "../../objects/kubernetes.ts";
import { apiVersionOf } from "../../objects/kubernetes.ts";
import { fieldsOf, numberOf, textOf } from "../../objects/object-fields.ts";

/** Annotation of a Lease: the installation of its last holder. */
const INSTALLATION = "zonekeeper.dev/installation";
/** Annotation of a Lease: the rank of its holder. */
const RANK = "zonekeeper.dev/rank";
/** Annotation of a Lease: `RANK IDENTITY` of the candidate that asks for the lead. */
const PREFERRED = "zonekeeper.dev/preferred";

/** Who leads. */
export interface LeaseRecord {
  /** Empty = free: the last holder released the Lease. */
  readonly holder: string;
  /** How long others have to wait after a renewal. */
  readonly durationMs: number;
  /** How often the holder changed: the epoch of a term. */
  readonly transitions: number;
  /** The holder's installation, for people. Empty = it is not known. */
  readonly installation: string;
  /** The holder's rank; a lower one is preferred. Null = it has none. */
  readonly rank: number | null;
  /** The candidate that asks for the lead; null = none does. */
  readonly preferred: { readonly rank: number; readonly identity: string } | null;
}

/** The record in a Lease. Missing fields are read as a free Lease. */
export function recordOfLease(lease: KubeObject): LeaseRecord {
  const spec = fieldsOf(lease["spec"]);
  const { annotations = {} } = lease.metadata;
  const [, rank = "", identity = ""] = /^(\d{1,4}) (\S+)$/.exec(annotations[PREFERRED] ?? "") ?? [];
  return {
    holder: textOf(spec["holderIdentity"]) ?? "",
    durationMs: (numberOf(spec["leaseDurationSeconds"]) ?? 0) * 1_000,
    transitions: numberOf(spec["leaseTransitions"]) ?? 0,
    installation: annotations[INSTALLATION] ?? "",
    rank: rankOf(annotations[RANK]),
    preferred: identity === "" ? null : { rank: Number(rank), identity },
  };
}

/** A whole number of at most four digits; null = it is none. */
export function rankOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : null;
}

/** Names who asks for the lead in a Lease, whose term goes on. */
export function leasePreferring(
  lease: KubeObject,
  preferred: LeaseRecord["preferred"],
): KubeObject {
  const { [PREFERRED]: _, ...others } = lease.metadata.annotations ?? {};
  const asks = preferred === null ? {} : { [PREFERRED]: `${preferred.rank} ${preferred.identity}` };
  return { ...lease, metadata: { ...lease.metadata, annotations: { ...others, ...asks } } };
}

/**
 * Fields of a Lease that are not in the record. Times are for people only: no decision depends on
 * them.
 */
export interface LeaseTimes {
  readonly nowMs: number;
  /** This write begins a term. */
  readonly acquired: boolean;
}

/**
 * The Lease with the record in it; other fields, and the resourceVersion for the compare, are kept.
 */
export function leaseWith(lease: KubeObject, record: LeaseRecord, times: LeaseTimes): KubeObject {
  const now = new Date(times.nowMs).toISOString().replace("Z", "000Z");
  const preferring = leasePreferring(lease, record.preferred);
  const { [RANK]: _, ...others } = preferring.metadata.annotations ?? {};
  const rank = record.rank === null ? {} : { [RANK]: String(record.rank) };
  const annotations = { ...others, [INSTALLATION]: record.installation, ...rank };
  return {
    ...lease,
    metadata: { ...lease.metadata, annotations },
    spec: {
      ...fieldsOf(lease["spec"]),
      holderIdentity: record.holder,
      leaseDurationSeconds: Math.max(1, Math.ceil(record.durationMs / 1_000)),
      leaseTransitions: record.transitions,
      renewTime: now,
      ...(times.acquired ? { acquireTime: now } : {}),
    },
  };
}

/** A Lease that is not in the cluster yet. */
export function newLease(namespace: string, name: string): KubeObject {
  return { apiVersion: apiVersionOf(LEASE), kind: LEASE.kind, metadata: { namespace, name } };
}

/**
 * The installation of the holder, where it is another one than `own`: candidates of `own` then
 * stand by for ever. Null = it is `own`, the Lease is free, or the installation is not known.
 */
export function otherInstallation(
  { holder, installation }: LeaseRecord,
  own: string,
): string | null {
  return holder === "" || installation === "" || installation === own ? null : installation;
}
