/** The spec of a coordination.k8s.io/v1 Lease as leader election uses it: object ⇄ record. Pure. */
import { LEASE } from "../../model/kinds.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { apiVersionOf } from "../../model/kubernetes.ts";
import { numberOf } from "../../model/object-fields.ts";
import { recordOf, textOf } from "../requests/json-value.ts";

/** Who leads. */
export interface LeaseRecord {
  /** Empty = free: the last holder released the Lease. */
  readonly holder: string;
  /** How long others have to wait after a renewal. */
  readonly durationMs: number;
  /** How often the holder changed: the epoch of a term. */
  readonly transitions: number;
}

/** The record in a Lease. Missing fields are read as a free Lease. */
export function recordOfLease(lease: KubeObject): LeaseRecord {
  const spec = recordOf(lease["spec"]);
  return {
    holder: textOf(spec["holderIdentity"]) ?? "",
    durationMs: (numberOf(spec["leaseDurationSeconds"]) ?? 0) * 1_000,
    transitions: numberOf(spec["leaseTransitions"]) ?? 0,
  };
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
  const now = microTime(times.nowMs);
  return {
    ...lease,
    spec: {
      ...recordOf(lease["spec"]),
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

/** RFC 3339 with microseconds, as metav1.MicroTime. */
function microTime(unixMs: number): string {
  return new Date(unixMs).toISOString().replace("Z", "000Z");
}
