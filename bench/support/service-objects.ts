/**
 * Services as a cluster has them: of type LoadBalancer, with what kubectl and a cloud leave in
 * them.
 */

/** The Service `app-<index>` in one of 50 namespaces, about 1.8 KB as JSON. */
export function serviceAt(index: number): Record<string, unknown> {
  const name = `app-${index}`;
  const spec = {
    type: "LoadBalancer",
    externalTrafficPolicy: "Cluster",
    internalTrafficPolicy: "Cluster",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    sessionAffinity: "None",
    selector: { "app.kubernetes.io/name": name, "app.kubernetes.io/instance": `release-${index}` },
    ports: [
      { name: "http", port: 80, protocol: "TCP", targetPort: 8080 },
      { name: "https", port: 443, protocol: "TCP", targetPort: 8443 },
    ],
  };
  const labels = {
    "app.kubernetes.io/name": name,
    "app.kubernetes.io/instance": `release-${index}`,
    "app.kubernetes.io/managed-by": "Helm",
    "helm.sh/chart": "app-1.2.3",
  };
  const annotations = { "dns.gardener.cloud/dnsnames": `${name}.example.org` };
  const metadata = { name, namespace: namespaceAt(index), labels, annotations };
  const applied = JSON.stringify({ apiVersion: "v1", kind: "Service", metadata, spec });
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      ...metadata,
      annotations: {
        ...annotations,
        "kubectl.kubernetes.io/last-applied-configuration": applied,
      },
    },
    spec,
  };
}

/** Its namespace. */
export function namespaceAt(index: number): string {
  return `team-${index % 50}`;
}
