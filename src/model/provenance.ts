/** Where a desired record comes from. Words only: no behaviour beyond formatting and comparing. */
import { fingerprint64 } from "./fingerprint.ts";

/** Identity of an object in one cluster. */
export interface ObjectKey {
  /** Cluster id: `--kubeconfig.id`, else the UID of its kube-system namespace. */
  readonly cluster: string;
  /** Lower-case singular kind as markers spell it: `service`, `ingress`, `dnsentry`. */
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** The object a record comes from: the original one where it is known, else the DNSEntry. */
export type Provenance = ObjectKey;

/** `kind/namespace/name`, as the `resource` label of external-dns has it. */
export function resourceOf(key: ObjectKey): string {
  return `${key.kind}/${key.namespace}/${key.name}`;
}

/**
 * A `resource` label as `resourceOf` has it: external-dns writes `node/name` for objects without a
 * namespace. Null = there is none.
 */
export function readResource(label: string | undefined): string | null {
  const [kind, name, ...more] = label?.split("/") ?? [];
  if (label === undefined || name === undefined || more.length > 0) return label ?? null;
  return `${kind}//${name}`;
}

/** `kind/namespace/~<hash of name>`, for markers that would be too long otherwise (Z-13). */
export function shortResourceOf(key: ObjectKey): string {
  return `${key.kind}/${key.namespace}/${hashedName(key.name)}`;
}

/** The two texts by which a marker may name the object, the long one first. */
export function resourceForms(key: ObjectKey): readonly [string, string] {
  return [resourceOf(key), shortResourceOf(key)];
}

/** The name of an object as a short `resource` has it. */
export function hashedName(name: string): string {
  return `~${fingerprint64(name)}`;
}

/** What a marker says about the object that it is for. */
export interface ObjectMark {
  /** Null = it names none. */
  readonly resource: string | null;
  /** Null = it names none: it may be for an object of any cluster. */
  readonly cluster: string | null;
  /**
   * It is for whatever object wants the record; no text that can be written to a zone or a registry
   * says so.
   */
  readonly anyObject?: true;
}

/**
 * True when a `resource` means this object, in its long or its short form. `*` is no object and
 * means none.
 */
export function matchesResource(resource: string | null, key: ObjectKey): boolean {
  if (resource === null) return false;
  return (
    resource === resourceOf(key) || (resource.includes("/~") && resource === shortResourceOf(key))
  );
}

/** As Kubernetes makes them (RFC 9562): no two clusters share one. Chosen ids may be alike. */
const UID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True for a cluster id that is the UID of a namespace and not one that somebody chose. */
export function isClusterUid(cluster: string): boolean {
  return UID.test(cluster);
}

/** True when a marker is for this object of this cluster; null = there is no marker. */
export function isMarkOf(mark: ObjectMark | null, key: ObjectKey): boolean {
  if (
    mark === null ||
    /* clause: marker-is-for-its-cluster */ (mark.cluster !== null && mark.cluster !== key.cluster)
  )
    return false;
  return mark.anyObject === true || matchesResource(mark.resource, key);
}

/** Reads `kind/namespace/name`; null when it has another shape or stands in its short form. */
export function readObjectKey(resource: string | null, cluster: string | null): ObjectKey | null {
  const segments = resource?.split("/") ?? [];
  const [kind, namespace, name] = segments;
  if (segments.length !== 3 || !kind || namespace === undefined || !name || name.startsWith("~"))
    return null;
  return { cluster: cluster ?? "", kind, namespace, name };
}

/** The namespace in a `resource`, in its long or its short form; "" = it names none. */
export function namespaceIn(resource: string | null): string {
  return resource?.split("/")[1] ?? "";
}

/** True for one object of one cluster. */
export function isSameObject(a: ObjectKey, b: ObjectKey): boolean {
  return (
    a.name === b.name && a.namespace === b.namespace && a.kind === b.kind && a.cluster === b.cluster
  );
}

/** A string that is equal for equal keys; for maps and sorting only. */
export function objectKeyText(key: ObjectKey): string {
  return `${key.cluster}|${key.kind}/${key.namespace}/${key.name}`;
}
