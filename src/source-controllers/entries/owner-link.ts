/**
 * The link from a generated DNSEntry back to its source object: a controller ownerReference inside
 * one namespace of one cluster, else Gardener's owners annotation. A cluster may have had other ids
 * before (aliases): links with these still count. Pure.
 */
import { apiVersionOf, type KindRef, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { groupOf } from "@zonekeeper/kube/objects/object-fields";
import { annotatedOwners, OWNERS_ANNOTATION } from "../../model/generated-entries.ts";

/** A kind of source objects, and where their entries are. */
export interface SourceScope {
  readonly kind: KindRef;
  /** Cluster id of the source objects. */
  readonly cluster: string;
  /** Cluster id of the entries. */
  readonly targetCluster: string;
  /** Namespace of all entries; null = each object's own. */
  readonly targetNamespace: string | null;
  /** Former ids of clusters, with the present ones (Z-30). */
  readonly aliases: ReadonlyMap<string, string>;
}

/** Metadata that links an entry to its source object. */
export interface OwnerLink {
  readonly ownerReferences?: NonNullable<KubeObject["metadata"]["ownerReferences"]>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The namespace of an object's entries. */
export function entryNamespace(scope: SourceScope, object: KubeObject): string {
  return scope.targetNamespace ?? object.metadata.namespace ?? "";
}

/** The link from an entry to this object. */
export function linkTo(scope: SourceScope, object: KubeObject): OwnerLink {
  const { kind, cluster, targetCluster } = scope;
  const { name, namespace = "", uid = "" } = object.metadata;
  const isNear = cluster === targetCluster && entryNamespace(scope, object) === namespace;
  if (isNear) {
    const reference = { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid };
    return { ownerReferences: [{ ...reference, controller: true }] };
  }
  const prefix = cluster === targetCluster ? "" : `${cluster}:`;
  const owner = `${prefix}${kind.group}/${kind.kind}/${namespace}/${name}`;
  return { annotations: { [OWNERS_ANNOTATION]: owner } };
}

/** `namespace/name` of the source object that owns the entry; null = none of this scope. */
export function ownerOf(scope: SourceScope, entry: KubeObject): string | null {
  return referenced(scope, entry) ?? annotated(scope, entry);
}

function referenced(
  { kind, cluster, targetCluster }: SourceScope,
  entry: KubeObject,
): string | null {
  if (cluster !== targetCluster) return null;
  const owner = entry.metadata.ownerReferences?.find(
    ({ apiVersion, kind: owning, controller }) =>
      controller === true && owning === kind.kind && groupOf(apiVersion) === kind.group,
  );
  return owner === undefined ? null : `${entry.metadata.namespace ?? ""}/${owner.name}`;
}

function annotated(scope: SourceScope, entry: KubeObject): string | null {
  const { kind, cluster, targetCluster, aliases } = scope;
  const present = (id: string): string => aliases.get(id) ?? id;
  const owner = annotatedOwners(entry).find(
    (one) =>
      // clause: former-cluster-id-is-present
      present(one.cluster ?? targetCluster) === cluster &&
      one.group === kind.group &&
      one.kind === kind.kind,
  );
  return owner === undefined ? null : `${owner.namespace}/${owner.name}`;
}

/** The owners annotation with present cluster ids; null = it has no former one. */
export function presentOwners(
  { aliases, targetCluster }: SourceScope,
  entry: KubeObject,
): Readonly<Record<string, string>> | null {
  const text = entry.metadata.annotations?.[OWNERS_ANNOTATION] ?? "";
  const items = text.split(",").map((item) => {
    const [, former = "", owner = ""] = /^([^:/]+):(.*)$/.exec(item.trim()) ?? [];
    const present = aliases.get(former);
    if (present === undefined) return item;
    return present === targetCluster ? owner : `${present}:${owner}`;
  });
  const rewritten = items.join(",");
  // clause: former-cluster-id-is-rewritten
  return rewritten === text ? null : { [OWNERS_ANNOTATION]: rewritten };
}
