/** Further clusters that Secrets name: read and parsed, never written. */
import type { Result } from "@zonekeeper/base/result";
import { fail } from "@zonekeeper/base/result";
import type { ClusterAccess } from "@zonekeeper/kube/client/access/cluster-access";
import { untrustedAccess } from "@zonekeeper/kube/client/access/untrusted-kubeconfig";
import type { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { WatchCache } from "@zonekeeper/kube/client/watch/watch-cache";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, namespacedName, textOf } from "@zonekeeper/kube/objects/object-fields";
import { CLUSTER_ID, CLUSTER_ID_RULE } from "../../../config/further-options.ts";
import { MODE_ANNOTATION } from "../../../model/annotation-keys.ts";
import { fingerprint64 } from "../../../model/fingerprint.ts";
import type { MayDial } from "../../ports/guarded-lookup.ts";
import type { ProgramPorts } from "../../ports/real-ports.ts";
import type { GivenCluster } from "./given-cluster.ts";

/** Istio's: a remote secret. */
export const CLUSTERS_LABEL = "istio/multiCluster";

/** Where Secrets are read. */
export interface ClusterSecretsOptions {
  readonly client: ApiClient;
  readonly clusterId: string;
  readonly namespace: string;
  /** Which addresses they may name; absent = all. */
  readonly mayDial?: MayDial;
  readonly ports: ProgramPorts;
}

/**
 * Calls the listener with all of them, each time when the list is complete and something changed.
 * While Secrets cannot be read nothing is known: what they named last goes on. The answer ends it.
 */
export function watchClusterSecrets(
  { ports, mayDial, ...where }: ClusterSecretsOptions,
  listener: (given: readonly GivenCluster[]) => void,
): () => Promise<void> {
  const view = new WatchCache({ ...ports, ...where });
  const settle = (): void => {
    const list = view.state(SECRET) === "live" ? view.list(SECRET) : null;
    // What Secrets named last goes on while they cannot be read.
    if (list?.state !== "value") return;
    listener(givenBySecrets(list.value, mayDial));
  };
  view.subscribe(SECRET, { onChange: settle, onState: settle });
  return () => view.stop();
}

/** Sorted by the age of the Secret: of two with one id the first has it. Pure. */
export function givenBySecrets(
  secrets: readonly KubeObject[],
  mayDial?: MayDial,
): readonly GivenCluster[] {
  const age = ({ metadata }: KubeObject): string =>
    `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
  return secrets
    .filter(({ metadata }) => metadata.labels?.[CLUSTERS_LABEL] === "true")
    .sort((a, b) => (age(a) < age(b) ? -1 : 1))
    .flatMap((secret) => clustersIn(secret).map((one) => ({ ...one, ...dialling(mayDial) })));
}

function clustersIn(secret: KubeObject): readonly GivenCluster[] {
  const { mode, remark } = modeOf(secret);
  return Object.entries(fieldsOf(secret["data"])).map(([id, data]) => {
    const origin = `Secret ${namespacedName(secret)}, key ${id}`;
    const text = Buffer.from(textOf(data) ?? "", "base64").toString("utf8");
    const given = { id, origin, mode, remark, print: fingerprint64(text), secret };
    return { ...given, access: accessIn(id, { path: origin, text }) };
  });
}

function accessIn(
  id: string,
  text: { readonly path: string; readonly text: string },
): Result<ClusterAccess> {
  return CLUSTER_ID.test(id) ? untrustedAccess(text) : fail(`${text.path}: ${CLUSTER_ID_RULE}`);
}

/** Nothing is published by a slip. */
function modeOf({ metadata }: KubeObject): Pick<GivenCluster, "mode" | "remark"> {
  const text = metadata.annotations?.[MODE_ANNOTATION] ?? "observe";
  const isKnown = text === "observe" || text === "active";
  return {
    mode: text === "active" ? "active" : "observe",
    remark: isKnown
      ? ""
      : `metadata.annotations[${MODE_ANNOTATION}] is ${JSON.stringify(text)}, which is neither observe nor active: the cluster is observed`,
  };
}

function dialling(mayDial: MayDial | undefined): Pick<GivenCluster, "mayDial"> {
  return mayDial === undefined ? {} : { mayDial };
}
