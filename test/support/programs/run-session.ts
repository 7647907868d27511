/**
 * A cluster with a person at it, and the `zonekeeper run` processes that work for it. All ends with
 * `close`.
 */
import type { ApiServer } from "../api-servers/api-server.ts";
import { HttpsCaller } from "../api-servers/https-caller.ts";
import { ClusterUser } from "../clients/cluster-user.ts";
import { startControlPlane } from "../clients/control-plane-server.ts";
import { Kubectl, type KubectlVersion } from "../clients/kubectl.ts";
import { RunInstance } from "./run-instance.ts";

/** See above. The cluster lives in the test's own process; what is under test does not. */
export class RunSession {
  readonly server: ApiServer;
  readonly user: ClusterUser;
  readonly kubeconfig: string;
  readonly #caller: HttpsCaller;
  readonly #instances: RunInstance[] = [];

  private constructor(server: ApiServer, version: KubectlVersion) {
    this.server = server;
    this.kubeconfig = server.kubeconfig;
    const { url, caFile } = server;
    this.#caller = HttpsCaller.open(url, { caFile, token: server.tokenOf("admin") });
    this.user = new ClusterUser(new Kubectl(version, server.kubeconfig), this.#caller);
  }

  /**
   * A cluster (default: an embedded one, empty); nothing runs for it yet. It ends with the session.
   * The person has the kubectl of that version.
   */
  static async open(
    start: () => Promise<ApiServer> = startControlPlane,
    version: KubectlVersion = "1.32",
  ): Promise<RunSession> {
    return new RunSession(await start(), version);
  }

  /** Starts an instance for the cluster and waits until it is ready. */
  async run(owner: string, ...args: readonly string[]): Promise<RunInstance> {
    const instance = await RunInstance.start({ kubeconfig: this.kubeconfig, owner, args });
    this.#instances.push(instance);
    return instance;
  }

  /** Stops the instances, then the cluster. */
  async close(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance.remove()));
    this.#caller.close();
    await this.user.kubectl.close();
    await this.server.close();
  }
}
