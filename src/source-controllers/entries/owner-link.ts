/**
 * The link from a generated DNSEntry back to its source object: a controller ownerReference inside
 * one namespace of one cluster, else Gardener's owners annotation. Pure.
 */
import { apiVersionOf, type KindRef, type KubeObject } from "../../model/kubernetes.ts";
import { groupOf } from "../../model/object-fields.ts";
import { annotatedOwners, OWNERS_ANNOTATION } from "../../model/owners-annotation.ts";

/** A kind of source objects, and where their entries are. */
export interface SourceScope {
  readonly kind: KindRef;
  /** Cluster id of the source objects. */
  readonly cluster: string;
  /** Cluster id of the entries. */
  readonly targetCluster: string;
  /** Namespace of all entries; null = each object's own. */
  readonly targetNamespace: string | null;
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
  const { kind, cluster, targetCluster } = scope;
  const owner = annotatedOwners(entry).find(
    (one) =>
      (one.cluster ?? targetCluster) === cluster &&
      one.group === kind.group &&
      one.kind === kind.kind,
  );
  return owner === undefined ? null : `${owner.namespace}/${owner.name}`;
}
