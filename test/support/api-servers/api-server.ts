/**
 * What tests need of an API server, whichever it is: the embedded control plane or a real
 * kube-apiserver. A test that takes one says nothing about which.
 */

/** Users that a server of the tests knows by their tokens. */
export const USERS = {
  /** May do everything. */
  admin: "admin",
  /**
   * May do what RBAC grants it; the embedded control plane has no RBAC and lets it do everything.
   */
  controller: "controller",
} as const;

/** One of them. */
export type UserName = keyof typeof USERS;

/** A running server on 127.0.0.1 with our CRDs served. */
export interface ApiServer {
  readonly name: ApiServerName;
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** PEM file of the certificate to trust. */
  readonly caFile: string;
  /** Path of the admin's kubeconfig. */
  readonly kubeconfig: string;
  /** Path of the kubeconfig of a user. */
  kubeconfigOf(user: UserName): string;
  tokenOf(user: UserName): string;
  /** It answers nobody and keeps its connections, as a process that is stopped, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Ends it at once; its data stay for `revive`. */
  kill(): Promise<void>;
  /** Resolves when it is ready again, at the same address. */
  revive(): Promise<void>;
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

/** Which servers there are. */
export type ApiServerName = "embedded" | "kube-apiserver";
