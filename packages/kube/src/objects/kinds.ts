/** Kinds of Kubernetes itself, spelled once. */
import type { KindRef } from "./kubernetes.ts";

const kindOf = (group: string, kind: string, plural: string, namespaced = true): KindRef => ({
  ...{ group, version: "v1", kind, plural, namespaced },
});

const core = (kind: string, plural: string, namespaced = true): KindRef =>
  kindOf("", kind, plural, namespaced);

/** core/v1 Namespace. */
export const NAMESPACE = core("Namespace", "namespaces", false);

/** core/v1 Secret. */
export const SECRET = core("Secret", "secrets");

/** core/v1 ConfigMap. */
export const CONFIG_MAP = core("ConfigMap", "configmaps");

/** core/v1 Service. */
export const SERVICE = core("Service", "services");

/** core/v1 ServiceAccount. */
export const SERVICE_ACCOUNT = core("ServiceAccount", "serviceaccounts");

/** core/v1 Event. */
export const EVENT = core("Event", "events");

/** events.k8s.io/v1 Event: the same objects under newer names. */
export const EVENTS_EVENT: KindRef = { ...EVENT, group: "events.k8s.io" };

/** core/v1 Endpoints. */
export const ENDPOINTS = core("Endpoints", "endpoints");

/** core/v1 Node. */
export const NODE = core("Node", "nodes", false);

/** core/v1 Pod. */
export const POD = core("Pod", "pods");

const review = (group: string, kind: string): KindRef =>
  kindOf(group, kind, `${kind.toLowerCase()}s`, false);

/** authentication.k8s.io/v1 TokenReview. Reviews are stored nowhere. */
export const TOKEN_REVIEW = review("authentication.k8s.io", "TokenReview");

/** authentication.k8s.io/v1 SelfSubjectReview. */
export const SELF_SUBJECT_REVIEW = review("authentication.k8s.io", "SelfSubjectReview");

/** authorization.k8s.io/v1 SelfSubjectAccessReview. */
export const SELF_SUBJECT_ACCESS_REVIEW = review("authorization.k8s.io", "SelfSubjectAccessReview");

/** authorization.k8s.io/v1 SelfSubjectRulesReview. */
export const SELF_SUBJECT_RULES_REVIEW = review("authorization.k8s.io", "SelfSubjectRulesReview");

/** authorization.k8s.io/v1 SubjectAccessReview. */
export const SUBJECT_ACCESS_REVIEW = review("authorization.k8s.io", "SubjectAccessReview");

/** networking.k8s.io/v1 Ingress. */
export const INGRESS = kindOf("networking.k8s.io", "Ingress", "ingresses");

/** networking.k8s.io/v1 IngressClass. */
export const INGRESS_CLASS = kindOf("networking.k8s.io", "IngressClass", "ingressclasses", false);

/** discovery.k8s.io/v1 EndpointSlice. */
export const ENDPOINT_SLICE = kindOf("discovery.k8s.io", "EndpointSlice", "endpointslices");

/** coordination.k8s.io/v1 Lease. */
export const LEASE = kindOf("coordination.k8s.io", "Lease", "leases");

/** apiextensions.k8s.io/v1 CustomResourceDefinition. */
export const CUSTOM_RESOURCE_DEFINITION = kindOf(
  "apiextensions.k8s.io",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  false,
);

const KUBERNETES_GROUPS: ReadonlySet<string> = new Set(
  [SERVICE, INGRESS, ENDPOINT_SLICE, LEASE].map(({ group }) => group),
);

/** True for kinds of Kubernetes itself: no CustomResourceDefinition of them could be deleted. */
export function isBuiltIn({ group }: Pick<KindRef, "group">): boolean {
  return KUBERNETES_GROUPS.has(group);
}
