/** Where a desired record comes from. Words only: no behaviour beyond formatting and comparing. */

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

/** A string that is equal for equal keys; for maps and sorting only. */
export function objectKeyText(key: ObjectKey): string {
  return `${key.cluster}|${key.kind}/${key.namespace}/${key.name}`;
}
