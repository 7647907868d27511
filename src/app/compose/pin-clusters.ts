/**
 * Pins each watched cluster to its identity: if the API server behind an id turns out to be another
 * cluster, nothing is removed until a person accepts that (Z-30).
 */
import { isBuiltIn } from "@zonekeeper/kube/objects/kinds";
import { PinnedCluster, type PinnedClusterOptions } from "../../cluster/state/pinned-cluster.ts";
import type { WatchedKind } from "../../controllers/objects/observe-objects.ts";
import type { HealthCheck } from "./instance.ts";
import { identityCheck } from "./zone-checks.ts";

/** Everything that clusters are pinned with. */
export interface PinningOptions extends Pick<PinnedClusterOptions, "clock" | "log" | "onChecked"> {
  /** Where identities are kept; null = they are not, and no cluster is checked. */
  readonly state: PinnedClusterOptions["state"] | null;
  readonly owner: string;
}

/** The pinned clusters of the watched kinds. */
export interface PinnedClusters {
  /** The kinds, each with the identity of its cluster. */
  readonly watched: readonly WatchedKind[];
  /** Adds the identity of the cluster. */
  readonly withIdentity: <T extends Pick<WatchedKind, "view">>(
    cluster: T,
  ) => T & Pick<WatchedKind, "identity">;
  /**
   * A person accepts a changed cluster by the hash of the change. False = no change has this hash.
   */
  accept(hash: string): Promise<boolean>;
  checks(): readonly HealthCheck[];
  /** Resolves when the identities are saved. */
  stop(): Promise<void>;
}

/** There is one for each cluster id; the kinds are watched from now on. */
export function pinClusters(
  watched: readonly WatchedKind[],
  { owner, state, ...ports }: PinningOptions,
): PinnedClusters {
  const byId = new Map<string, PinnedCluster>();
  for (const { view, reader } of watched) {
    const { clusterId } = view;
    if (state === null || reader === undefined || byId.has(clusterId)) continue;
    const ofIt = watched.filter((one) => one.view.clusterId === clusterId);
    const kinds = ofIt.filter((one) => one.isSecondary !== true).map(({ kind }) => kind);
    const read = ofIt.filter((one) => one.isSecondary === true && !isBuiltIn(one.kind));
    const secondary = read.map(({ kind }) => kind);
    const key = `cluster/${owner}/${clusterId}`;
    const options = { ...ports, state, view, reader, kinds, secondary, key };
    byId.set(clusterId, new PinnedCluster(options));
  }
  function withIdentity<T extends Pick<WatchedKind, "view">>(one: T) {
    const identity = byId.get(one.view.clusterId);
    return identity === undefined ? one : { ...one, identity };
  }
  return {
    watched: watched.map(withIdentity),
    withIdentity,
    accept: async (hash) => {
      for (const cluster of byId.values()) if (await cluster.accept(hash)) return true;
      return false;
    },
    checks: () => [...byId].map(([id, { trouble }]) => identityCheck(id, trouble?.message ?? "")),
    stop: async () => {
      await Promise.all([...byId.values()].map((cluster) => cluster.stop()));
    },
  };
}
