/** Where `run` keeps what must survive a restart (SAFETY Z-16): its data folder, else beside its Lease. */
import { ConfigMapState } from "../../cluster/config-map-state.ts";
import type { LeaseConfig } from "../../config/run-config.ts";
import type { StateStore } from "../../ports/state-store.ts";
import type { LeaseCluster } from "./open-clusters.ts";
import type { RunWorld } from "./run-world.ts";

/** The namespace of the Lease. */
export function leaseNamespace(lease: LeaseConfig, cluster: LeaseCluster): string {
  return lease.namespace ?? cluster.namespace;
}

/** Without a data folder and without a Lease nothing survives; then a warning is logged. */
export function openState(world: RunWorld, cluster: LeaseCluster): StateStore {
  const { config, folder, ports, state } = world;
  if (folder !== null) return state;
  if (config.lease === null) {
    ports.log.warn("no data folder and no Lease: counters of the fuse begin anew at each start");
    return state;
  }
  return new ConfigMapState({
    writer: cluster.writer,
    namespace: leaseNamespace(config.lease, cluster),
    prefix: `${config.lease.name}-state`,
    crypto: ports.crypto,
  });
}
