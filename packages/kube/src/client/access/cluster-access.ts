/** Address and credentials for one API server, from a kubeconfig context or a pod's environment. */

/** A credential plugin (client.authentication.k8s.io v1 and v1beta1). */
export interface ExecConfig {
  readonly apiVersion: "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
  /** A name on the PATH or a path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the program's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Shown when the command is missing; may be empty. */
  readonly installHint: string;
  /** The plugin gets the cluster's address and CA. */
  readonly provideClusterInfo: boolean;
}

/**
 * Texts are PEM, decoded. Where both data and file are possible at most one is set. Paths are as
 * the platform wants them.
 */
export interface ClusterAccess {
  /** For messages: `context "prod" in /home/me/.kube/config`, `in-cluster`. */
  readonly origin: string;
  /** `https://host[:port][/path]`. */
  readonly server: string;
  readonly caData: string | null;
  readonly caFile: string | null;
  readonly insecureSkipTlsVerify: boolean;
  /** Name to expect in the server's certificate; null = the host of `server`. */
  readonly tlsServerName: string | null;
  readonly clientCertificateData: string | null;
  readonly clientCertificateFile: string | null;
  readonly clientKeyData: string | null;
  readonly clientKeyFile: string | null;
  /** A bearer token. Never to be logged. */
  readonly token: string | null;
  /** Read again from time to time; wins over `token`. */
  readonly tokenFile: string | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly exec: ExecConfig | null;
  /** http or https, for CONNECT. */
  readonly proxyUrl: string | null;
  /** The context's namespace; null = not set. */
  readonly namespace: string | null;
}

/** An access with its origin and server only. */
export function emptyAccess(origin: string, server: string): ClusterAccess {
  return {
    origin,
    server,
    caData: null,
    caFile: null,
    insecureSkipTlsVerify: false,
    tlsServerName: null,
    clientCertificateData: null,
    clientCertificateFile: null,
    clientKeyData: null,
    clientKeyFile: null,
    token: null,
    tokenFile: null,
    username: null,
    password: null,
    exec: null,
    proxyUrl: null,
    namespace: null,
  };
}
