/** A kind beyond Kubernetes' own, for tests of packages: as ours is, and known to nobody else. */
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";

export const DNS_ENTRY: KindRef = {
  group: "dns.gardener.cloud",
  version: "v1alpha1",
  kind: "DNSEntry",
  plural: "dnsentries",
  namespaced: true,
  keepsSpecManagers: true,
};
