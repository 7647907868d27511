/**
 * Asks whether clusters can be reached, and makes the message for one that cannot: option, file and
 * remedy.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { type Access, isAllowed } from "@zonekeeper/kube/client/access/reviews";
import type { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { NAMESPACE } from "@zonekeeper/kube/objects/kinds";
import { LOGICAL_CLUSTERS, type LogicalCluster } from "./right-facts.ts";

/** How a cluster was configured. */
export interface ClusterOrigin {
  /** `--target`. */
  readonly option: string;
  /** Context and file. */
  readonly origin: string;
}

/** A question that the API server answers to known users only. */
const IDENTITY: Access = {
  ...{ kind: NAMESPACE, name: "kube-system", verb: "get" },
  ...{ subresource: null, namespace: null },
};

/** By use: how a cluster was configured, and by what it is asked. */
export type Reached = Readonly<Record<LogicalCluster, ClusterOrigin & AskedBy>>;

/** By what a cluster is asked. */
export interface AskedBy {
  readonly client: ApiClient;
}

/** By cluster, why it cannot be used now; those that share a connection are asked once. */
export async function unreachableClusters(
  connections: Reached,
): Promise<ReadonlyMap<LogicalCluster, string>> {
  const asked = new Map<ApiClient, Promise<OperationError | null>>();
  const found = await Promise.all(
    LOGICAL_CLUSTERS.map(async (cluster) => {
      const { client, ...origin } = connections[cluster];
      const answer = asked.get(client) ?? reach(client);
      asked.set(client, answer);
      const error = await answer;
      return error === null ? [] : [[cluster, troubleText(origin, error)] as const];
    }),
  );
  return new Map(found.flat());
}

/** Why the cluster cannot be used; null = it answers, even if it forbids something. */
async function reach(client: ApiClient): Promise<OperationError | null> {
  try {
    await isAllowed(client, IDENTITY);
    return null;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return error.code === "Forbidden" || error.code === "NotFound" ? null : error;
  }
}

/** The message, for log and `/readyz`. */
export function troubleText({ option, origin }: ClusterOrigin, error: unknown): string {
  return `${option} (${origin}): ${messageOf(error)}; ${remedyOf(option, error)}`;
}

const CERTIFICATE = /certificate|issuer|self.signed/i;

function remedyOf(option: string, error: unknown): string {
  const code = error instanceof OperationError ? error.code : "";
  if (code === "Forbidden")
    return `give the right: kubectl apply -f deploy/rbac/, and bind it (the file says how), or name the cluster with ${option}.id`;
  if (code === "Unauthorized")
    return `the token or client certificate there is not accepted, it may have expired: put a new one there${
      option.startsWith("--") ? ", and start anew: only a tokenFile is read again" : ""
    }`;
  if (CERTIFICATE.test(messageOf(error))) return "correct certificate-authority in that file";
  return "correct server in that file, or see why it cannot be reached from here";
}
