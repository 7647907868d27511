/**
 * The state of a further source cluster, one whose objects are published directly, for people and
 * metrics.
 */
import type { PrometheusMetrics } from "../ports/prometheus-metrics.ts";

/**
 * `Refused`: its kubeconfig or id cannot be used. `Connecting`: it has not answered yet. `Syncing`:
 * it is being listed. `Unreadable`: a kind is not served any more, or may not be read. `Stale`: it
 * does not answer now. `Changed`: it is not the cluster that it was (Z-30). `Removed`: it is no
 * longer configured, and its records are being removed.
 */
export type FurtherState =
  | "Refused"
  | "Connecting"
  | "Syncing"
  | "Unreadable"
  | "Live"
  | "Stale"
  | "Changed"
  | "Removed";

/** A cluster, or one that is named and not used. */
export interface FurtherStatus {
  readonly id: string;
  /** `observe`: nothing of it is published. */
  readonly mode: "observe" | "active";
  /** Option, file, or Secret and key. */
  readonly origin: string;
  readonly state: FurtherState;
  /** The fault, and what to do; empty = nothing. */
  readonly message: string;
  /** Its address; empty = not known. */
  readonly server: string;
  /** Number of its objects in the cache. */
  readonly objects: number;
  /** Unix milliseconds of its last answer; null = it has not answered in this process. */
  readonly answeredAtMs: number | null;
}

/** There is one series for each cluster: the state that it is in now. */
export function setFurtherGauges(
  metrics: Pick<PrometheusMetrics, "gauge" | "reset">,
  clusters: readonly FurtherStatus[],
): void {
  metrics.reset("zonekeeper_cluster_state");
  for (const { id: cluster, mode, state } of clusters)
    metrics.gauge("zonekeeper_cluster_state", 1, { cluster, mode, state });
}
