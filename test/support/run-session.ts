/** A cluster with a person at it, and the `zonekeeper run` processes that work for it. All ends with `close`. */
import { ClusterUser } from "./cluster-user.ts";
import { type ControlPlaneServer, startControlPlane } from "./control-plane-server.ts";
import { Kubectl } from "./kubectl.ts";
import { RunInstance } from "./run-instance.ts";

/** See above. The cluster lives in the test's own process; what is under test does not. */
export class RunSession {
  readonly user: ClusterUser;
  readonly kubeconfig: string;
  readonly #plane: ControlPlaneServer;
  readonly #instances: RunInstance[] = [];

  private constructor(plane: ControlPlaneServer) {
    this.#plane = plane;
    this.kubeconfig = plane.kubeconfig;
    this.user = new ClusterUser(new Kubectl("1.32", plane.kubeconfig));
  }

  /** An empty cluster; nothing runs for it yet. */
  static async open(): Promise<RunSession> {
    return new RunSession(await startControlPlane());
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
    await this.user.kubectl.close();
    await this.#plane.close();
  }
}
