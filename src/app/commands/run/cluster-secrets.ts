/**
 * Reads the further source clusters that Secrets of a namespace name: each key of a labelled Secret
 * is the id of a cluster, with its kubeconfig. Secrets are never written.
 */

import { rankOf } from "@zonekeeper/kube/client/lease/lease-record";
import type { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { WatchCache } from "@zonekeeper/kube/client/watch/watch-cache";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, namespacedName, textOf } from "@zonekeeper/kube/objects/object-fields";
import {
  MODE_ANNOTATION,
  ON_REMOVAL_ANNOTATION,
  RANK_ANNOTATION,
  REGION_ANNOTATION,
} from "../../../model/annotation-keys.ts";
import type { MayDial } from "../../ports/guarded-lookup.ts";
import type { ProgramPorts } from "../../ports/real-ports.ts";
import { type GivenCluster, readCluster } from "./given-cluster.ts";

/** Label of such Secrets; Istio's own label of its remote secrets. */
export const CLUSTERS_LABEL = "istio/multiCluster";

/** Where Secrets are read. */
export interface ClusterSecretsOptions {
  readonly client: ApiClient;
  readonly clusterId: string;
  readonly namespace: string;
  /** Which addresses their kubeconfigs may name; absent = all. */
  readonly mayDial?: MayDial;
  readonly ports: ProgramPorts;
}

/**
 * Calls the listener with all clusters, each time the complete list of Secrets has changed. While
 * Secrets cannot be read, it is not called: the clusters of before stay. The answer ends it.
 */
export function watchClusterSecrets(
  { ports, mayDial, ...where }: ClusterSecretsOptions,
  listener: (given: readonly GivenCluster[]) => void,
): () => Promise<void> {
  const view = new WatchCache({ ...ports, ...where });
  const settle = (): void => {
    const list = view.state(SECRET) === "live" ? view.list(SECRET) : null;
    if (list?.state !== "value") return;
    listener(givenBySecrets(list.value, mayDial));
  };
  view.subscribe(SECRET, { onChange: settle, onState: settle });
  return () => view.stop();
}

/**
 * The clusters, those of the oldest Secret first: of two with one id the first one gets it. Pure.
 */
export function givenBySecrets(
  secrets: readonly KubeObject[],
  mayDial?: MayDial,
): readonly GivenCluster[] {
  const age = ({ metadata }: KubeObject): string =>
    `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
  return secrets
    .filter(({ metadata }) => metadata.labels?.[CLUSTERS_LABEL] === "true")
    .sort((a, b) => (age(a) < age(b) ? -1 : 1))
    .flatMap((secret) => clustersIn(secret))
    .map((one) => (mayDial === undefined ? one : { ...one, mayDial }));
}

function clustersIn(secret: KubeObject): readonly GivenCluster[] {
  const stated = statedBy(secret);
  return Object.entries(fieldsOf(secret["data"])).map(([id, data]) => {
    const origin = `Secret ${namespacedName(secret)}, key ${id}`;
    const text = Buffer.from(textOf(data) ?? "", "base64").toString("utf8");
    return { ...readCluster(id, origin, text), ...stated, secret };
  });
}

type Stated = Pick<GivenCluster, "mode" | "rank" | "region" | "onRemoval" | "remark">;

/**
 * The settings in the annotations of the Secret. A text that is not valid counts as absent: the
 * cluster is only observed, and its records are never removed.
 */
function statedBy({ metadata: { annotations = {} } }: KubeObject): Stated {
  const choiceOf = <T extends string>(key: string, [first, second]: readonly [T, T]) => {
    const text = annotations[key] ?? first;
    return text === second
      ? { value: second, remark: "" }
      : { value: first, remark: text === first ? "" : slip(key, text, `${first} or ${second}`) };
  };
  const mode = choiceOf(MODE_ANNOTATION, ["observe", "active"]);
  const onRemoval = choiceOf(ON_REMOVAL_ANNOTATION, ["retain", "delete"]);
  const text = annotations[RANK_ANNOTATION];
  const rank = rankOf(text);
  const isSlip = text !== undefined && rank === null;
  const remarks = [
    mode.remark,
    onRemoval.remark,
    isSlip ? slip(RANK_ANNOTATION, text, "a whole number up to 9999") : "",
  ];
  return {
    ...{ mode: mode.value, onRemoval: onRemoval.value, rank },
    region: annotations[REGION_ANNOTATION] ?? "",
    remark: remarks.filter(Boolean).join("; "),
  };
}

function slip(key: string, text: string, wanted: string): string {
  return `metadata.annotations[${key}] is ${JSON.stringify(text)}, which is not ${wanted}: it counts as if it were not there`;
}
