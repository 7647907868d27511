/** The kinds beyond Kubernetes itself that this program reads or writes, spelled once. */
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";

const gardener = (kind: string, plural: string): KindRef => ({
  group: "dns.gardener.cloud",
  version: "v1alpha1",
  kind,
  plural,
  namespaced: true,
});

/** externaldns.k8s.io/v1alpha1 DNSEndpoint. */
export const DNS_ENDPOINT: KindRef = {
  group: "externaldns.k8s.io",
  version: "v1alpha1",
  kind: "DNSEndpoint",
  plural: "dnsendpoints",
  namespaced: true,
};

/**
 * The kind as markers spell it: external-dns names DNSEndpoints after its source, `crd`; others by
 * their kind.
 */
export function markerKindOf({ group, kind }: Pick<KindRef, "group" | "kind">): string {
  return group === DNS_ENDPOINT.group && kind === DNS_ENDPOINT.kind ? "crd" : kind.toLowerCase();
}

/** dns.gardener.cloud/v1alpha1 DNSProvider. */
export const DNS_PROVIDER = gardener("DNSProvider", "dnsproviders");
/** dns.gardener.cloud/v1alpha1 DNSEntry. Others edit those that a source has made (Z-25). */
export const DNS_ENTRY: KindRef = {
  ...gardener("DNSEntry", "dnsentries"),
  keepsSpecManagers: true,
};
/** dns.gardener.cloud/v1alpha1 DNSOwner. */
export const DNS_OWNER: KindRef = { ...gardener("DNSOwner", "dnsowners"), namespaced: false };
/** dns.gardener.cloud/v1alpha1 DNSAnnotation. */
export const DNS_ANNOTATION = gardener("DNSAnnotation", "dnsannotations");
