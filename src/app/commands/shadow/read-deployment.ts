/**
 * Reads the Deployment of an external-dns, from its cluster or as a manifest, and the Secrets and
 * ConfigMaps that its container is started with.
 */
import { type OperationError, permanent } from "@zonekeeper/base/operation-error";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { ApiClusterWriter } from "@zonekeeper/kube/client/write/cluster-writer";
import { CONFIG_MAP, SECRET, SERVICE_ACCOUNT } from "@zonekeeper/kube/objects/kinds";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ObjectReader } from "@zonekeeper/kube/ports/cluster-writer";
import { openUserCluster } from "../run/cluster-client.ts";
import { type PodCommand, podCommand, type ReadData } from "./pod-command.ts";

const DEPLOYMENT: KindRef = {
  ...{ group: "apps", version: "v1", kind: "Deployment", plural: "deployments", namespaced: true },
};

const KINDS = { Secret: SECRET, ConfigMap: CONFIG_MAP, ServiceAccount: SERVICE_ACCOUNT } as const;

/** Which container of which Deployment is read. */
export interface DeploymentChoice {
  /** `NAMESPACE/NAME`, or the object. */
  readonly deployment: string | KubeObject;
  /** Null = the one that names a provider. */
  readonly container: string | null;
  /** Path; null = as kubectl finds it. */
  readonly kubeconfig: string | null;
}

/** Rejects with OperationError: `NoClusterAccess`, `NotFound`, `Forbidden`, `Invalid`. */
export async function readDeployment(choice: DeploymentChoice): Promise<PodCommand> {
  const { deployment, container, kubeconfig } = choice;
  const opened: Promise<Opened>[] = [];
  // The cluster is opened only when it is needed: a manifest may need nothing of it.
  const reader = async (): Promise<ObjectReader> => {
    const [first = openReader(kubeconfig)] = opened;
    opened[0] = first;
    return (await first).reader;
  };
  try {
    const found =
      typeof deployment === "string" ? await deploymentIn(await reader(), deployment) : deployment;
    const { namespace = "default" } = found.metadata;
    const read: ReadData = async (kind, object) => {
      // With a manifest, the ServiceAccount is not read: the user may have no right to.
      if (kind === "ServiceAccount" && typeof deployment !== "string") return null;
      const held = await (await reader()).read({ kind: KINDS[kind], namespace, name: object });
      if (held === null) return null;
      return kind === "ServiceAccount"
        ? (held.metadata.annotations ?? {})
        : textsIn(held, kind === "Secret");
    };
    const command = await podCommand(found, container, read);
    if (!command.ok)
      throw refused("Invalid", `Deployment ${found.metadata.name}: ${command.error}`);
    return command.value;
  } finally {
    for (const one of await Promise.allSettled(opened))
      if (one.status === "fulfilled") one.value.close();
  }
}

interface Opened {
  readonly reader: ObjectReader;
  close(): void;
}

async function openReader(kubeconfig: string | null): Promise<Opened> {
  const { http, clock, origin } = await openUserCluster(kubeconfig, null);
  const writesRefused = (): string => "shadow writes nothing";
  const client = new ApiClient({ http, clock, writesRefused });
  const reader = new ApiClusterWriter({ clusterId: origin, client, clock, rate: null });
  return { reader, close: () => http.close() };
}

async function deploymentIn(reader: ObjectReader, deployment: string): Promise<KubeObject> {
  const [, namespace = "", name = ""] = /^([^/]+)\/([^/]+)$/.exec(deployment) ?? [];
  if (name === "") throw refused("Invalid", `${deployment} is no NAMESPACE/NAME`);
  const found = await reader.read({ kind: DEPLOYMENT, namespace, name });
  if (found === null) throw refused("NotFound", `there is no Deployment ${deployment}`);
  return found;
}

function textsIn(held: { readonly [field: string]: unknown }, isEncoded: boolean) {
  return Object.fromEntries(
    Object.entries(fieldsOf(held["data"])).map(([key, value]) => {
      const text = textOf(value) ?? "";
      return [key, isEncoded ? Buffer.from(text, "base64").toString("utf8") : text];
    }),
  );
}

function refused(code: string, message: string): OperationError {
  return permanent(code, `--deployment: ${message}`);
}
