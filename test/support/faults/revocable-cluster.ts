/**
 * A cluster whose rights are taken from the program and given back while it runs. On a
 * kube-apiserver that is an edit of its ClusterRole; the embedded control plane has no RBAC, and a
 * proxy before it refuses in the words of a kube-apiserver. Open watches end then: kube-apiserver
 * asks for rights only when a watch begins.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiServer } from "../api-servers/api-server.ts";
import { kubeconfigText } from "../api-servers/kubeconfig-text.ts";
import type { ServerUnderTest } from "../api-servers/on-both.ts";
import { grantShippedRole, roleWithout, SHIPPED_ROLE } from "../api-servers/shipped-role.ts";
import { ClusterUser } from "../clients/cluster-user.ts";
import { Kubectl } from "../clients/kubectl.ts";
import { eventually } from "../ports/eventually.ts";
import { makeTempFolder, type TempFolder } from "../ports/temp-folder.ts";
import { FaultFront } from "./fault-front.ts";

/** See above. */
export class RevocableCluster {
  /** The admin, who keeps all rights and goes by no proxy. */
  readonly user: ClusterUser;
  /** For the program, which has the shipped ClusterRole and nothing else. */
  readonly kubeconfig: string;
  readonly #server: ApiServer;
  readonly #front: FaultFront;
  readonly #folder: TempFolder;

  private constructor(server: ApiServer, user: ClusterUser, front: FaultFront) {
    this.user = user;
    this.#server = server;
    this.#front = front;
    this.#folder = makeTempFolder("revocable-cluster");
    this.kubeconfig = join(this.#folder.path, "kubeconfig");
    const { url, caFile } = front;
    const pieces = { server: url, caFile, token: server.tokenOf("controller") };
    writeFileSync(this.kubeconfig, kubeconfigText(pieces), { mode: 0o600 });
  }

  /** Starts the server. */
  static async open({ start, kubectl }: ServerUnderTest): Promise<RevocableCluster> {
    const server = await start();
    const user = new ClusterUser(new Kubectl(kubectl, server.kubeconfig));
    if (server.name === "kube-apiserver") await grantShippedRole(user);
    return new RevocableCluster(server, user, await FaultFront.open(server));
  }

  /** Takes the rights to list and watch a kind, and ends its watches. */
  async withdraw(resource: string): Promise<void> {
    const collection = new RegExp(`^GET /apis?/.*/${resource}[?]`);
    if (this.#server.name === "embedded") this.#front.answer(collection, refusal(resource));
    else await this.user.apply(roleWithout(resource, "list", "watch"));
    const watches = this.#front.watchesOf(collection);
    if (watches.length === 0) throw new Error(`nobody watches ${resource}`);
    await this.#isRefused(resource);
    for (const watch of watches) watch.end();
  }

  async giveBack(): Promise<void> {
    if (this.#server.name === "embedded") this.#front.heal();
    else await this.user.apply(SHIPPED_ROLE);
  }

  async close(): Promise<void> {
    await this.user.kubectl.close();
    await this.#front.close();
    await this.#server.close();
    this.#folder.remove();
  }

  /** RBAC counts a moment after it was written. */
  async #isRefused(resource: string): Promise<void> {
    if (this.#server.name === "embedded") return;
    const question = ["auth", "can-i", "list", resource, "--as=controller"];
    await eventually(
      `the user may not list ${resource}`,
      () => this.user.kubectl.run(question),
      ({ stdout }) => stdout.startsWith("no"),
    );
  }
}

function refusal(resource: string): Parameters<FaultFront["answer"]>[1] {
  const group = resource.startsWith("dns") ? "dns.gardener.cloud" : "";
  const qualified = group === "" ? resource : `${resource}.${group}`;
  const who = `User "controller" cannot list resource "${resource}" in API group "${group}"`;
  const message = `${qualified} is forbidden: ${who} at the cluster scope`;
  const kind = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };
  const body = JSON.stringify({ ...kind, message, reason: "Forbidden", code: 403 });
  const headers = { "content-type": "application/json" };
  return { instead: { status: 403, body }, headers, times: Number.POSITIVE_INFINITY };
}
