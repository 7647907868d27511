/**
 * Kubernetes objects as end-to-end tests apply them, in namespace default. Text, because kubectl
 * reads text.
 */
import type { RealServer } from "../real-servers/real-server.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An object whose defaults are the namespace and nothing else. */
export function object(kind: string, name: string, more: Fields): string {
  const { metadata = {}, ...rest } = more as { readonly metadata?: Fields };
  const apiVersion = API_VERSIONS[kind];
  if (apiVersion === undefined) throw new Error(`no API version for ${kind}`);
  return JSON.stringify({
    apiVersion,
    kind,
    metadata: { name, namespace: "default", ...metadata },
    ...rest,
  });
}

const API_VERSIONS: Readonly<Record<string, string>> = {
  Secret: "v1",
  Service: "v1",
  Deployment: "apps/v1",
  Ingress: "networking.k8s.io/v1",
  Node: "v1",
  Pod: "v1",
  ServiceEntry: "networking.istio.io/v1",
  EndpointSlice: "discovery.k8s.io/v1",
  DNSEndpoint: "externaldns.k8s.io/v1alpha1",
  DNSEntry: "dns.gardener.cloud/v1alpha1",
  DNSAnnotation: "dns.gardener.cloud/v1alpha1",
  DNSOwner: "dns.gardener.cloud/v1alpha1",
  DNSProvider: "dns.gardener.cloud/v1alpha1",
};

/** Several objects in one `kubectl apply -f -`, which reads a stream of JSON texts. */
export function together(...objects: readonly string[]): string {
  return objects.join("\n");
}

/** A Secret with texts; they are encoded here. */
export function secret(name: string, texts: Readonly<Record<string, string>>): string {
  return object("Secret", name, { stringData: texts });
}

/** What a Secret for a real server says, in the keys of Gardener's rfc2136 provider. */
export function serverKeys(server: RealServer): Readonly<Record<string, string>> {
  return {
    Server: `${server.host}:${server.port}`,
    Zone: `${server.zone}.`,
    TSIGKeyName: `${server.key.name}.`,
    TSIGSecret: server.key.secretBase64,
    TSIGSecretAlgorithm: server.key.algorithm,
  };
}

/** A DNSProvider of type rfc2136 that refers to the Secret of its own name. */
export function provider(name: string, spec: Fields = {}): string {
  return object("DNSProvider", name, {
    spec: { type: "rfc2136", secretRef: { name }, ...spec },
  });
}

/** Secret and DNSProvider of a real server. */
export function account(name: string, server: RealServer): string {
  return together(secret(name, serverKeys(server)), provider(name));
}

/** A DNSEntry; `spec` says targets or text, TTL and the like. */
export function entry(name: string, dnsName: string, spec: Fields): string {
  return object("DNSEntry", name, { spec: { dnsName, ...spec } });
}

/** A Service with a names annotation. */
export function service(name: string, names: string, more: Fields = {}): string {
  const { annotations = {}, type = "LoadBalancer" } = more as {
    readonly annotations?: Fields;
    readonly type?: string;
  };
  return object("Service", name, {
    metadata: { annotations: { "dns.gardener.cloud/dnsnames": names, ...annotations } },
    spec: { type, ports: [{ port: 80, protocol: "TCP", targetPort: 8080 }] },
  });
}

/** A Service that says nothing about names. */
export function bareService(name: string): string {
  const ports = [{ port: 80, protocol: "TCP", targetPort: 8080 }];
  return object("Service", name, { spec: { type: "LoadBalancer", ports } });
}

/** Names for the Service of the same name. */
export function dnsAnnotation(name: string, names: string): string {
  return object("DNSAnnotation", name, {
    spec: {
      resourceRef: { apiVersion: "v1", kind: "Service", name },
      annotations: { "dns.gardener.cloud/dnsnames": names },
    },
  });
}

/** An Ingress with a names annotation and one rule for each host. */
export function ingress(name: string, names: string, hosts: readonly string[]): string {
  const backend = { service: { name: "echo", port: { number: 80 } } };
  const http = { paths: [{ path: "/", pathType: "Prefix", backend }] };
  return object("Ingress", name, {
    metadata: { annotations: { "dns.gardener.cloud/dnsnames": names } },
    spec: { rules: hosts.map((host) => ({ host, http })) },
  });
}
