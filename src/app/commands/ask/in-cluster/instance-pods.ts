/**
 * Finds the Pods of the one installation in a list of Pods, with the port and the Secret of their
 * API. Pure; each error names the option that corrects it.
 */
import { type OperationError, permanent, retryable } from "@zonekeeper/base/operation-error";
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterDoorConfig } from "../../../../config/client-options.ts";
import { POD_TOKEN_FILE } from "../../../../config/instance-options.ts";
import { environmentName } from "../../../../config/option.ts";

/** A Pod that has an API. */
export interface InstancePod {
  readonly namespace: string;
  readonly name: string;
  /** Its host name, which begins its identity as holder of a Lease. */
  readonly host: string;
  /** Label app.kubernetes.io/instance; empty = none. */
  readonly installation: string;
  /** True = its containers run, and it is not being deleted. */
  readonly isRunning: boolean;
  readonly isReady: boolean;
  /** Port of its API. */
  readonly port: number;
  /** Null = no Secret is mounted where its token is read. */
  readonly secret: SecretKey | null;
}

/** The Secret and key that hold a token. */
export interface SecretKey {
  readonly name: string;
  readonly key: string;
}

const INSTANCE_LABEL = "app.kubernetes.io/instance";
/** Name of the port; the chart's. */
const PORT_NAME = "api";
const TOKEN_FLAG = "--api-token-file";
/** A kubelet cuts longer names of Pods to this length for the host name. */
const HOST_CHARS_MAX = 63;

/**
 * The running Pods of the one installation that there is, ready ones first, then by name. Throws
 * OperationError `NoInstance` or `SeveralInstances`.
 */
export function installationIn(list: unknown, config: ClusterDoorConfig): readonly InstancePod[] {
  const listed = fieldsIn(fieldsOf(list)["items"]);
  const found = listed.flatMap(podOf);
  const installations = new Set(
    found.map(({ namespace, installation }) =>
      installation === "" ? `-n ${namespace}` : `-n ${namespace}, instance ${installation}`,
    ),
  );
  if (installations.size > 1)
    throw permanent(
      "SeveralInstances",
      `there are several installations (${[...installations].sort().join("; ")}): name the namespace of one with -n; in one namespace its labels with -l ${config.selector},${INSTANCE_LABEL}=NAME`,
    );
  const [first] = found;
  if (first === undefined) throw none(listed, config);
  const running = found.filter(({ isRunning }) => isRunning);
  if (running.length === 0) {
    const command = `kubectl -n ${first.namespace} describe pod ${first.name}`;
    throw retryable("NoInstance", `no Pod of the installation runs; ${command} says why`);
  }
  return running.sort(
    (a, b) => Number(b.isReady) - Number(a.isReady) || (a.name < b.name ? -1 : 1),
  );
}

/** The Pod that holds a Lease under this identity (`HOST_UUID`); null = none of these. */
export function holderAmong(pods: readonly InstancePod[], identity: string): InstancePod | null {
  const host = identity.slice(0, Math.max(0, identity.lastIndexOf("_")));
  return pods.find((pod) => pod.host === host) ?? null;
}

function podOf(pod: Fields): readonly InstancePod[] {
  const [metadata, spec, status] = ["metadata", "spec", "status"].map((at) => fieldsOf(pod[at]));
  if (metadata === undefined || spec === undefined || status === undefined) return [];
  const name = textOf(metadata["name"]) ?? "";
  for (const container of fieldsIn(spec["containers"])) {
    const ports = fieldsIn(container["ports"]);
    const port = ports.find((one) => one["name"] === PORT_NAME)?.["containerPort"];
    if (typeof port !== "number") continue;
    const isEnding = metadata["deletionTimestamp"] !== undefined;
    const conditions = fieldsIn(status["conditions"]);
    const ready = conditions.find(({ type }) => type === "Ready");
    return [
      {
        namespace: textOf(metadata["namespace"]) ?? "",
        name,
        host: hostOf(name, spec),
        installation: textOf(fieldsOf(metadata["labels"])[INSTANCE_LABEL]) ?? "",
        isRunning: status["phase"] === "Running" && !isEnding,
        isReady: ready?.["status"] === "True",
        port,
        secret: secretOf(container, spec),
      },
    ];
  }
  return [];
}

function hostOf(name: string, spec: Fields): string {
  if (spec["hostNetwork"] === true) return textOf(spec["nodeName"]) ?? name;
  return textOf(spec["hostname"]) ?? name.slice(0, HOST_CHARS_MAX).replace(/[-.]+$/, "");
}

/** The key of the Secret that is mounted where the container reads its token. */
function secretOf(container: Fields, spec: Fields): SecretKey | null {
  const file = tokenFileOf(container);
  const mounts = fieldsIn(container["volumeMounts"]);
  const slash = file.lastIndexOf("/");
  const folder = file.slice(0, slash);
  const mount = mounts.find(({ mountPath }) => textOf(mountPath)?.replace(/\/+$/, "") === folder);
  const volumes = fieldsIn(spec["volumes"]);
  const volume = volumes.find((one) => mount !== undefined && one["name"] === mount["name"]);
  const secret = fieldsOf(volume?.["secret"]);
  const name = textOf(secret["secretName"]);
  const path = file.slice(slash + 1);
  const items = fieldsIn(secret["items"]);
  const item = items.find((one) => one["path"] === path);
  return name === null ? null : { name, key: textOf(item?.["key"]) ?? path };
}

function tokenFileOf(container: Fields): string {
  const lists = [container["command"], container["args"]];
  const line = lists.flatMap((list) => listOf(list) ?? []).map(String);
  const joined = line.find((one) => one.startsWith(`${TOKEN_FLAG}=`));
  const after = line.indexOf(TOKEN_FLAG);
  const variable = environmentName(TOKEN_FLAG.slice(2));
  const set = fieldsIn(container["env"]).find((one) => one["name"] === variable);
  return (
    joined?.slice(TOKEN_FLAG.length + 1) ??
    (after < 0 ? null : line[after + 1]) ??
    textOf(set?.["value"]) ??
    POD_TOKEN_FILE
  );
}

function none(listed: readonly Fields[], config: ClusterDoorConfig): OperationError {
  const where = config.namespace === null ? "any namespace" : `namespace ${config.namespace}`;
  const [first] = listed.map(({ metadata }) => fieldsOf(metadata));
  const message =
    first === undefined
      ? `no Pod in ${where} has the labels ${config.selector}: name the cluster with --context, the labels with -l; an instance outside of a cluster is asked by zonekeeper --data FOLDER`
      : `the Pods in ${where} with the labels ${config.selector}, such as ${textOf(first["namespace"]) ?? ""}/${textOf(first["name"]) ?? ""}, have no port called ${PORT_NAME}: give run --api-port, and the container the port with that name (api.enabled of the chart)`;
  return permanent("NoInstance", message);
}

/** The objects of a list; none where it is something else. */
function fieldsIn(list: unknown): readonly Fields[] {
  return (listOf(list) ?? []).map(fieldsOf);
}
