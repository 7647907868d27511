/** The kubeconfig that `dev` writes for its user. Holds a token: private mode, never logged. */
import { stringify } from "yaml";

/** What a client needs to reach the embedded API. */
export interface KubeconfigContent {
  /** `https://127.0.0.1:PORT`. */
  readonly server: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly token: string;
}

const NAME = "zonekeeper-dev";

/** YAML text (kubectl's `v1` Config). */
export function kubeconfigText({ server, caCertificate, token }: KubeconfigContent): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: NAME,
        cluster: {
          server,
          "certificate-authority-data": Buffer.from(caCertificate).toString("base64"),
        },
      },
    ],
    users: [{ name: NAME, user: { token } }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: "default" } }],
    "current-context": NAME,
  });
}
