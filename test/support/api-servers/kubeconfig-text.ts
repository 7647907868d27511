/** A kubeconfig with one server and one user, as JSON (which is YAML). For tests only. */

/** What it names. */
export interface KubeconfigInput {
  /** `https://127.0.0.1:PORT`. */
  readonly server: string;
  /** PEM file. */
  readonly caFile: string;
  readonly token: string;
}

/** The text of the file; its namespace is `default`. */
export function kubeconfigText({ server, caFile, token }: KubeconfigInput): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [{ name: "test", cluster: { server, "certificate-authority": caFile } }],
    users: [{ name: "test", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test", namespace: "default" } }],
  });
}
