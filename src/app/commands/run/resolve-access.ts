/**
 * Finds the cluster that a configuration means: a kubeconfig, the pod's own cluster, or the cluster
 * that kubectl would use.
 */
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { messageOf, type OperationError, permanent } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Result } from "@zonekeeper/base/result";
import type { ClusterAccess } from "@zonekeeper/kube/client/access/cluster-access";
import type { CredentialPorts } from "@zonekeeper/kube/client/access/credentials";
import { inClusterAccess } from "@zonekeeper/kube/client/access/in-cluster";
import {
  accessOfContext,
  type KubeconfigFile,
  parseKubeconfig,
} from "@zonekeeper/kube/client/access/kubeconfig";
import { isLoopback } from "../../../model/addresses.ts";
import { environmentProxy } from "../../ports/environment-proxy.ts";
import { realCredentialPorts } from "../../ports/real-credentials.ts";
import { systemCodeOf } from "../../ports/system-error.ts";

/** Where it is looked for. */
export interface AccessSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  readonly credentials: CredentialPorts;
  /** Context of the kubeconfig; null or absent = the current one. */
  readonly context?: string | null;
}

/**
 * The access that `path` describes; null = `$KUBECONFIG`, else the pod's service account, else
 * `~/.kube/config`; with the proxy of the environment unless the file names one. Throws
 * OperationError `NoClusterAccess` that says what was looked at, or what is not encrypted.
 */
export async function resolveAccess(
  path: string | null,
  sources: AccessSources,
): Promise<ClusterAccess> {
  return proxied(encrypted(await accessTo(path, sources)), sources);
}

async function accessTo(path: string | null, sources: AccessSources): Promise<ClusterAccess> {
  if (path !== null) return fromFiles([path], { ...sources, required: true });
  const list = (sources.environment["KUBECONFIG"] ?? "").split(delimiter).filter(Boolean);
  if (list.length > 0) return fromFiles(list, { ...sources, required: false });
  if (isInPod(sources.environment)) return ofPod(sources);
  return fromFiles([join(sources.home, ".kube", "config")], { ...sources, required: false });
}

/** Where this process looks; `context` as in `AccessSources`. */
export function realSources(clock: Clock, context: string | null = null): AccessSources {
  const credentials = realCredentialPorts(clock);
  return { environment: process.env, home: homedir(), credentials, context };
}

/** True inside of a pod. */
export function isInPod(environment: AccessSources["environment"]): boolean {
  return Boolean(environment["KUBERNETES_SERVICE_HOST"]);
}

/** The access of the pod's service account. Throws OperationError `NoClusterAccess`. */
export async function podAccess(
  sources: Pick<AccessSources, "environment" | "credentials">,
): Promise<ClusterAccess> {
  return proxied(await ofPod(sources), sources);
}

/**
 * Refuses to send credentials without TLS, where others could read them: throws in place of leaving
 * them out silently.
 */
function encrypted(access: ClusterAccess): ClusterAccess {
  const { protocol, hostname } = new URL(access.server);
  const { token, tokenFile, exec, password } = access;
  const isSecret = [token, tokenFile, exec, password].some((each) => each !== null);
  if (!isSecret || protocol === "https:" || isLoopback(hostname.replace(/^\[|\]$/g, "")))
    return access;
  throw noAccess(
    `${access.origin}: a token or password is not sent to ${access.server} without TLS; give an https:// address, or take the credentials off`,
  );
}

/** A proxy that the kubeconfig names comes before that of the environment, as kubectl has it. */
export function proxied(
  access: ClusterAccess,
  { environment }: Pick<AccessSources, "environment">,
): ClusterAccess {
  const proxyUrl = access.proxyUrl ?? environmentProxy(access.server, environment);
  return { ...access, proxyUrl };
}

async function ofPod(
  sources: Pick<AccessSources, "environment" | "credentials">,
): Promise<ClusterAccess> {
  return needed(await inClusterAccess(sources.environment, sources.credentials));
}

/** As kubectl: files of a list may be missing, as long as one is there. */
async function fromFiles(
  paths: readonly string[],
  options: AccessSources & { readonly required: boolean },
): Promise<ClusterAccess> {
  const files: KubeconfigFile[] = [];
  for (const path of paths) {
    const text = await readOne(path, options);
    if (text !== null) files.push({ path, text });
  }
  if (files.length === 0)
    throw noAccess(
      `no kubeconfig at ${paths.join(", ")}, and this is no pod; give one with --kubeconfig`,
    );
  const config = needed(parseKubeconfig(files));
  return needed(accessOfContext(config, options.context ?? undefined));
}

async function readOne(
  path: string,
  { credentials, required }: AccessSources & { readonly required: boolean },
): Promise<string | null> {
  try {
    return await credentials.readFile(path);
  } catch (error) {
    if (!required && systemCodeOf(error) === "ENOENT") return null;
    throw noAccess(`the kubeconfig ${path} cannot be read: ${messageOf(error)}`);
  }
}

function needed<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw noAccess(result.error);
}

function noAccess(message: string): OperationError {
  return permanent("NoClusterAccess", message);
}
