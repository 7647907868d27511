/**
 * Where `run` keeps what must survive a restart, such as the counters of the fuse (Z-16): its data
 * folder, else ConfigMaps in the namespace of its Lease.
 */
import { permanent } from "@zonekeeper/base/operation-error";
import { ConfigMapRegistry } from "../../../cluster/state/config-map-registry.ts";
import { ConfigMapState } from "../../../cluster/state/config-map-state.ts";
import type { RunConfig } from "../../../config/run-config.ts";
import type { LeaseConfig } from "../../../config/safety-options.ts";
import type { RegistryStore, StateStore } from "../../../ports/stores.ts";
import type { LeaseCluster } from "./open-clusters.ts";
import type { RunContext } from "./run-context.ts";

/** The namespace of the Lease. */
export function leaseNamespace(lease: LeaseConfig, cluster: LeaseCluster): string {
  return lease.namespace ?? cluster.namespace;
}

/** A text that differs between installations, to notice two that use one Lease by mistake. */
export function installationText({ owner, publish }: RunConfig): string {
  return `--owner ${owner} --dns-class ${publish.dnsClasses.join(",")}`;
}

/** Without a data folder and without a Lease nothing survives; then a warning is logged. */
export function openState(context: RunContext, cluster: LeaseCluster): StateStore {
  const { config, folder, ports, state } = context;
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

/**
 * Rows of registries that are kept in the cluster, beside the Lease. In a dry run they are read and
 * never written.
 */
export function openRegistryStore(
  { owner, lease, publish }: RunConfig,
  cluster: LeaseCluster,
): RegistryStore {
  const namespace = lease === null ? cluster.namespace : leaseNamespace(lease, cluster);
  const store = new ConfigMapRegistry({ writer: cluster.writer, namespace, owner });
  if (!publish.dryRun) return store;
  const titleOf = (name: string): string => store.titleOf(name);
  return { read: (name) => store.read(name), write: refuseWrite, titleOf };
}

async function refuseWrite(name: string): Promise<string> {
  const message = `a dry run does not write ${name} of the registry; start without --dry-run`;
  throw permanent("DryRun", message);
}
