/**
 * What a generated DNSEntry carries besides its spec: marks that options ask for, and links to the
 * objects that it was made for, where no ownerReference can: across namespaces and clusters
 * (Gardener controller-manager-library).
 */

import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { FIELD_MANAGER } from "@zonekeeper/kube/objects/kubernetes";
import { RENAMED_TO_ANNOTATION } from "./annotation-keys.ts";

/** On every generated entry; says which object it was made for. */
export const SOURCE_LABEL = "zonekeeper.dev/source";

/** Comma list of `[cluster:]group/Kind/namespace/name`. */
export const OWNERS_ANNOTATION = "resources.gardener.cloud/owners";

/** An object that a generated one was made for. */
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

/**
 * A generated DNSEntry whose object has other names instead; not one that only may. On an entry
 * that a person wrote, also by copying a generated one, the annotation says nothing (Z-25).
 */
export function isRenamed({ metadata }: KubeObject): boolean {
  const { annotations, labels, specManagers = [] } = metadata;
  const isUnedited = specManagers.every((manager) => manager === FIELD_MANAGER);
  const isGenerated = isUnedited && labels?.[SOURCE_LABEL] !== undefined;
  return isGenerated && /^[^?]/.test(annotations?.[RENAMED_TO_ANNOTATION] ?? "");
}

/** What options ask for on each. */
export interface EntryMarks {
  /** Comma list; an object that names realms itself comes first. */
  readonly realms: string | null;
  /** False = the objects that they are made for decide which DNSProviders they may use. */
  readonly ignoreOwners: boolean;
  /** On new entries. */
  readonly labels: Readonly<Record<string, string>>;
}
