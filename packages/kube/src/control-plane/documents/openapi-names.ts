/** What the OpenAPI documents call things. */
import { apiVersionOf } from "../../objects/kubernetes.ts";
import type { ServedKind } from "../objects/served-kind.ts";

/** Title and version of the API. */
export interface ApiInfo {
  readonly title: string;
  readonly version: string;
}

/** The schema of `metadata`. */
export const META_NAME = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** `cloud.gardener.dns.v1alpha1.DNSEntry`, `io.k8s.api.core.v1.Service`. */
export function schemaName(kind: ServedKind): string {
  const { group, version, kind: name } = kind.ref;
  const reversed = group === "" ? "io.k8s.api.core" : group.split(".").reverse().join(".");
  return `${reversed}.${version}.${name}`;
}

/** `api/v1`, `apis/dns.gardener.cloud/v1alpha1`. */
export function versionPath(kind: ServedKind): string {
  return kind.ref.group === "" ? `api/${kind.ref.version}` : `apis/${apiVersionOf(kind.ref)}`;
}

/** `/apis/dns.gardener.cloud/v1alpha1/namespaces/{namespace}/dnsentries`. */
export function collectionPath(kind: ServedKind): string {
  const namespace = kind.ref.namespaced ? "namespaces/{namespace}/" : "";
  return `/${versionPath(kind)}/${namespace}${kind.ref.plural}`;
}

/** The value of `x-kubernetes-group-version-kind`. */
export function groupVersionKind({ ref }: Pick<ServedKind, "ref">): object {
  return { group: ref.group, version: ref.version, kind: ref.kind };
}

/** Query parameters of what writes. */
export const WRITE_PARAMETERS = ["dryRun", "fieldManager", "fieldValidation"];

/** The schema of a kind as OpenAPI shows it, with `metadata` as the document refers to it. */
export function shownSchema<T>(kind: ServedKind, metadata: T) {
  const properties = {
    apiVersion: { type: "string", description: "API version of this object." },
    kind: { type: "string", description: "Kind of this object." },
    ...kind.schema.properties,
    metadata: { description: "Metadata that every object has.", ...metadata },
  } as const;
  const identity = [groupVersionKind(kind)];
  return { ...kind.schema, properties, "x-kubernetes-group-version-kind": identity };
}
