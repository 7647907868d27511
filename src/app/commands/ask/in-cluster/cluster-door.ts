/** Connects to an instance that runs in a cluster, with nothing but a kubeconfig. */
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import type { ClusterDoorConfig } from "../../../../config/client-options.ts";
import { openUserCluster } from "../../run/cluster-client.ts";
import { type Door, PodWay } from "./pod-way.ts";

/** The Pod's answer begins when it is computed; the request's own timeout ends earlier. */
const HEADERS_TIMEOUT_MS = 600_000;

/**
 * Finds the Pod that leads. Throws OperationError: `NoClusterAccess`, `NoInstance`,
 * `SeveralInstances`, `Forbidden`, `NoApiToken` or what the Pods answered.
 */
export async function openClusterDoor(config: ClusterDoorConfig): Promise<Door> {
  const { kubeconfig, context } = config;
  const limits = { headersTimeoutMs: HEADERS_TIMEOUT_MS };
  const { http, clock, origin } = await openUserCluster(kubeconfig, context, limits);
  const api = new ApiClient({ http, clock });
  try {
    return await new PodWay({ http, api, origin }).toLeader(config);
  } catch (error) {
    http.close();
    throw error;
  }
}
