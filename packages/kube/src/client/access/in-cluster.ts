/** The access that every pod has: its service account and the address of its API server. */
import { messageOf } from "@zonekeeper/base/operation-error";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type ClusterAccess, emptyAccess } from "./cluster-access.ts";
import type { CredentialPorts } from "./credentials.ts";

/** Where the kubelet puts a service account (Kubernetes docs, "Accessing the API from a Pod"). */
export const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * The access of the pod that this program runs in; the error says what is missing. `env` has
 * KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT. The token is read again when it is used,
 * because the kubelet renews it.
 */
export async function inClusterAccess(
  env: Readonly<Record<string, string | undefined>>,
  ports: Pick<CredentialPorts, "readFile">,
): Promise<Result<ClusterAccess>> {
  const host = env["KUBERNETES_SERVICE_HOST"];
  const port = env["KUBERNETES_SERVICE_PORT"];
  if (!host || !port) {
    const missing = host ? "KUBERNETES_SERVICE_PORT" : "KUBERNETES_SERVICE_HOST";
    return fail(`not in a pod: ${missing} is not set; give a kubeconfig with --kubeconfig`);
  }
  const authority = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  try {
    const namespace = (await ports.readFile(`${SERVICE_ACCOUNT_FOLDER}/namespace`)).trim();
    await ports.readFile(`${SERVICE_ACCOUNT_FOLDER}/token`);
    return ok({
      ...emptyAccess("in-cluster", `https://${authority}`),
      caFile: `${SERVICE_ACCOUNT_FOLDER}/ca.crt`,
      tokenFile: `${SERVICE_ACCOUNT_FOLDER}/token`,
      namespace: namespace === "" ? null : namespace,
    });
  } catch (error) {
    return fail(
      `in-cluster: the service account cannot be read (automountServiceAccountToken?): ${messageOf(error)}`,
    );
  }
}
