/**
 * A small object of each kind that the conversation leads through its life, and a change that is
 * made to it.
 */
import type { Json, JsonRecord } from "../step.ts";

/** One kind with an example. */
export interface Sample {
  /** Part of the steps' names. */
  readonly fragment: string;
  /** The namespace is `default` where the kind has one. */
  readonly collection: string;
  readonly object: JsonRecord;
  /** A merge patch (and strategic merge, where no list is in it) that changes the content. */
  readonly change: JsonRecord;
  readonly custom?: boolean;
  readonly hasStatus?: boolean;
}

const core = (plural: string): string => `/api/v1/namespaces/default/${plural}`;
const named = (apiVersion: string, kind: string, more: JsonRecord): JsonRecord => ({
  apiVersion,
  kind,
  metadata: { name: `life-${kind.toLowerCase()}`, labels: { life: "1" } },
  ...more,
});

const CONTAINER: Json = { name: "c", image: "example.org/image" };

/** The kinds that sources and controllers read. */
export const SAMPLES: readonly Sample[] = [
  {
    fragment: "namespace",
    collection: "/api/v1/namespaces",
    object: named("v1", "Namespace", {}),
    change: { metadata: { labels: { life: "2" } } },
  },
  {
    fragment: "secret",
    collection: core("secrets"),
    object: named("v1", "Secret", { stringData: { a: "b" }, data: { c: "ZA==" } }),
    change: { data: { e: "Zg==" } },
  },
  {
    fragment: "configmap",
    collection: core("configmaps"),
    object: named("v1", "ConfigMap", { data: { a: "b" }, binaryData: { c: "ZA==" } }),
    change: { data: { e: "f" } },
  },
  {
    fragment: "service",
    collection: core("services"),
    object: named("v1", "Service", {
      spec: { type: "LoadBalancer", ports: [{ port: 80 }], selector: { app: "a" } },
    }),
    change: { spec: { externalTrafficPolicy: "Local" } },
    hasStatus: true,
  },
  {
    fragment: "headless",
    collection: core("services"),
    object: {
      ...named("v1", "Service", { spec: { clusterIP: "None", ports: [{ name: "a", port: 80 }] } }),
      metadata: { name: "life-headless" },
    },
    change: { spec: { publishNotReadyAddresses: true } },
  },
  {
    fragment: "external-name",
    collection: core("services"),
    object: {
      ...named("v1", "Service", {
        spec: { type: "ExternalName", externalName: "www.example.org" },
      }),
      metadata: { name: "life-external" },
    },
    change: { spec: { externalName: "w3.example.org" } },
  },
  {
    fragment: "node-port",
    collection: core("services"),
    object: {
      ...named("v1", "Service", {
        spec: {
          type: "NodePort",
          ports: [{ port: 80, protocol: "UDP", targetPort: "web" }],
          externalIPs: ["192.0.2.7"],
        },
      }),
      metadata: { name: "life-nodeport" },
    },
    change: { spec: { sessionAffinity: "ClientIP" } },
  },
  {
    fragment: "endpoints",
    collection: core("endpoints"),
    object: named("v1", "Endpoints", {
      subsets: [{ addresses: [{ ip: "192.0.2.8", hostname: "h" }], ports: [{ port: 80 }] }],
    }),
    change: { metadata: { annotations: { a: "b" } } },
  },
  {
    fragment: "node",
    collection: "/api/v1/nodes",
    object: named("v1", "Node", {
      status: { addresses: [{ type: "InternalIP", address: "192.0.2.9" }] },
    }),
    change: { spec: { unschedulable: true } },
    hasStatus: true,
  },
  {
    fragment: "pod",
    collection: core("pods"),
    object: named("v1", "Pod", { spec: { containers: [CONTAINER], hostname: "h" } }),
    change: { metadata: { annotations: { a: "b" } } },
    hasStatus: true,
  },
  {
    fragment: "event",
    collection: core("events"),
    object: named("v1", "Event", {
      involvedObject: { kind: "Service", name: "a", namespace: "default", apiVersion: "v1" },
      reason: "Because",
      message: "words",
      type: "Normal",
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:00:00Z",
      count: 1,
      source: { component: "test" },
    }),
    change: { count: 2 },
  },
  {
    fragment: "ingress",
    collection: "/apis/networking.k8s.io/v1/namespaces/default/ingresses",
    object: named("networking.k8s.io/v1", "Ingress", {
      spec: {
        ingressClassName: "c",
        tls: [{ hosts: ["www.example.org"], secretName: "t" }],
        rules: [
          {
            host: "www.example.org",
            http: {
              paths: [
                {
                  path: "/",
                  pathType: "Prefix",
                  backend: { service: { name: "s", port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    }),
    change: { spec: { defaultBackend: { service: { name: "d", port: { name: "web" } } } } },
    hasStatus: true,
  },
  {
    fragment: "ingress-class",
    collection: "/apis/networking.k8s.io/v1/ingressclasses",
    object: named("networking.k8s.io/v1", "IngressClass", {
      spec: { controller: "example.org/c" },
    }),
    change: { metadata: { annotations: { a: "b" } } },
  },
  {
    // discovery.k8s.io/v1 came with Kubernetes 1.21.
    fragment: "endpoint-slice",
    collection: "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
    object: named("discovery.k8s.io/v1", "EndpointSlice", {
      addressType: "IPv4",
      endpoints: [{ addresses: ["192.0.2.8"], conditions: { ready: true } }],
      ports: [{ name: "a", port: 80 }],
    }),
    change: { metadata: { annotations: { a: "b" } } },
  },
  {
    fragment: "lease",
    collection: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
    object: named("coordination.k8s.io/v1", "Lease", {
      spec: {
        holderIdentity: "a",
        leaseDurationSeconds: 15,
        renewTime: "2026-01-01T00:00:00.000000Z",
      },
    }),
    change: { spec: { holderIdentity: "b", leaseTransitions: 1 } },
  },
  {
    fragment: "entry",
    collection: "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsentries",
    object: named("dns.gardener.cloud/v1alpha1", "DNSEntry", {
      spec: { dnsName: "www.example.org", ttl: 60, targets: ["192.0.2.1"] },
    }),
    change: { spec: { ttl: 61 } },
    custom: true,
    hasStatus: true,
  },
  {
    fragment: "provider",
    collection: "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsproviders",
    object: named("dns.gardener.cloud/v1alpha1", "DNSProvider", {
      spec: { type: "rfc2136", secretRef: { name: "s" }, domains: { include: ["example.org"] } },
    }),
    change: { spec: { domains: { exclude: ["x.example.org"] } } },
    custom: true,
    hasStatus: true,
  },
];
