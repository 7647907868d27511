/**
 * The id of a cluster that has none by configuration: the UID of its kube-system namespace, as is
 * common.
 */
import { retryable } from "@zonekeeper/base/operation-error";
import { NAMESPACE } from "../../objects/kinds.ts";
import type { ClusterWriter } from "../../ports/cluster-writer.ts";

/**
 * Reads the id. Throws OperationError: the namespace cannot be read (`Forbidden`, `Unavailable`),
 * or has no UID. There is no fallback, because markers in zones carry the id: with a wrong id every
 * record would be foreign.
 */
export async function readClusterId(cluster: Pick<ClusterWriter, "read">): Promise<string> {
  const found = await cluster.read({ kind: NAMESPACE, namespace: "", name: "kube-system" });
  const uid = found?.metadata.uid;
  if (typeof uid === "string" && uid !== "") return uid;
  throw retryable(
    "NoClusterId",
    "the namespace kube-system has no UID; name the cluster with --kubeconfig.id",
  );
}
