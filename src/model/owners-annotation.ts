/**
 * The annotation that links a generated object to the objects that it was made for, where no
 * ownerReference can: across namespaces and clusters (Gardener controller-manager-library).
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";

/** Comma list of `[cluster:]group/Kind/namespace/name`. */
export const OWNERS_ANNOTATION = "resources.gardener.cloud/owners";

/** One of them. */
export interface AnnotatedOwner {
  /** Cluster id; null = the cluster of the generated object. */
  readonly cluster: string | null;
  /** Empty = the core group. */
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** In the order of the annotation; what is no owner is left out. */
export function annotatedOwners({ metadata }: KubeObject): readonly AnnotatedOwner[] {
  return (metadata.annotations?.[OWNERS_ANNOTATION] ?? "").split(",").flatMap((item) => {
    const match = /^(?:([^:/]+):)?([^/]*)\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(item.trim());
    if (match === null) return [];
    const [, cluster = null, group = "", kind = "", namespace = "", name = ""] = match;
    return [{ cluster, group, kind, namespace, name }];
  });
}
