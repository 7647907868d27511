/**
 * Requests that make no sense, each refused with the code, the reason and the causes that clients
 * switch on.
 */
import { type Json, type JsonRecord, PATCH, type Step, type Topic } from "../step.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const SECRETS = "/api/v1/namespaces/default/secrets";
const INGRESSES = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const ENTRIES = "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsentries";
const PROVIDERS = "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsproviders";

/** Tried only, so that what one server takes by mistake is not in the way of the next. */
const post = (name: string, path: string, body: Json): Step => ({
  name,
  method: "POST",
  path: `${path}?dryRun=All`,
  body,
});
const service = (spec: JsonRecord): JsonRecord => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "bad" },
  spec,
});
const secret = (more: JsonRecord): JsonRecord => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "bad" },
  ...more,
});
const entry = (spec: Json): JsonRecord => ({
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSEntry",
  metadata: { name: "bad" },
  spec,
});
const provider = (spec: Json): JsonRecord => ({
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSProvider",
  metadata: { name: "bad" },
  spec,
});
const ingress = (spec: JsonRecord): JsonRecord => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "Ingress",
  metadata: { name: "bad" },
  spec,
});
const path = (more: JsonRecord): JsonRecord => ({
  rules: [
    {
      host: "a.example.org",
      http: {
        paths: [
          {
            path: "/",
            pathType: "Prefix",
            backend: { service: { name: "s", port: { number: 80 } } },
            ...more,
          },
        ],
      },
    },
  ],
});
const meta = (metadata: JsonRecord): JsonRecord => ({ apiVersion: "v1", kind: "Secret", metadata });

/** Wrong objects. */
export const INVALID: Topic = {
  title: "invalid objects",
  steps: [
    post("bad-service-no-ports", SERVICES, service({})),
    post("bad-service-port", SERVICES, service({ ports: [{ port: 99999 }] })),
    post("bad-service-port-zero", SERVICES, service({ ports: [{ port: 0 }] })),
    post("bad-service-two-unnamed", SERVICES, service({ ports: [{ port: 80 }, { port: 81 }] })),
    post(
      "bad-service-same-name",
      SERVICES,
      service({
        ports: [
          { name: "a", port: 80 },
          { name: "a", port: 81 },
        ],
      }),
    ),
    post(
      "bad-service-same-port",
      SERVICES,
      service({
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 80 },
        ],
      }),
    ),
    post("bad-service-port-name", SERVICES, service({ ports: [{ name: "A_B", port: 80 }] })),
    post("bad-service-protocol", SERVICES, service({ ports: [{ port: 80, protocol: "ICMP" }] })),
    post("bad-service-type", SERVICES, service({ type: "Other", ports: [{ port: 80 }] })),
    post(
      "bad-service-affinity",
      SERVICES,
      service({ sessionAffinity: "Maybe", ports: [{ port: 80 }] }),
    ),
    post(
      "bad-service-external-name",
      SERVICES,
      service({ type: "ExternalName", externalName: "a_b..c" }),
    ),
    post("bad-service-no-external-name", SERVICES, service({ type: "ExternalName" })),
    post(
      "bad-service-external-ip",
      SERVICES,
      service({ externalIPs: ["1.2.3"], ports: [{ port: 80 }] }),
    ),
    post(
      "bad-service-traffic-policy",
      SERVICES,
      service({ externalTrafficPolicy: "Local", ports: [{ port: 80 }] }),
    ),
    post("bad-service-cluster-ip", SERVICES, service({ clusterIP: "x", ports: [{ port: 80 }] })),
    post(
      "bad-service-selector",
      SERVICES,
      service({ selector: { "a b": "c" }, ports: [{ port: 80 }] }),
    ),
    post(
      "bad-service-target-port",
      SERVICES,
      service({ ports: [{ port: 80, targetPort: "not a name" }] }),
    ),
    post("bad-secret-data", SECRETS, secret({ data: { a: "%%%" } })),
    post("bad-secret-key", SECRETS, secret({ data: { "a b": "YQ==" } })),
    post("bad-secret-tls", SECRETS, secret({ type: "kubernetes.io/tls", data: {} })),
    post("bad-secret-type-of-data", SECRETS, secret({ data: { a: 1 } })),
    post("bad-ingress-host", INGRESSES, ingress({ rules: [{ host: "Web_1" }] })),
    post("bad-ingress-ip", INGRESSES, ingress({ rules: [{ host: "192.0.2.1" }] })),
    post("bad-ingress-wildcard", INGRESSES, ingress({ rules: [{ host: "a.*.example.org" }] })),
    post("bad-ingress-empty", INGRESSES, ingress({})),
    post("bad-ingress-path-type", INGRESSES, ingress(path({ pathType: "Other" }))),
    post(
      "bad-ingress-no-path-type",
      INGRESSES,
      ingress({
        rules: [
          {
            http: {
              paths: [{ path: "/", backend: { service: { name: "s", port: { number: 80 } } } }],
            },
          },
        ],
      }),
    ),
    post("bad-ingress-relative-path", INGRESSES, ingress(path({ path: "a" }))),
    post("bad-ingress-no-paths", INGRESSES, ingress({ rules: [{ http: { paths: [] } }] })),
    post("bad-ingress-no-backend", INGRESSES, ingress(path({ backend: {} }))),
    post(
      "bad-ingress-both-ports",
      INGRESSES,
      ingress(path({ backend: { service: { name: "s", port: { number: 80, name: "a" } } } })),
    ),
    post("bad-ingress-class", INGRESSES, ingress({ ingressClassName: "A_B", ...path({}) })),
    post("bad-lease-duration", LEASES, {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "bad" },
      spec: { leaseDurationSeconds: 0 },
    }),
    post("bad-lease-transitions", LEASES, {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "bad" },
      spec: { leaseTransitions: -1 },
    }),
    post("bad-lease-time", LEASES, {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "bad" },
      spec: { renewTime: "yesterday" },
    }),
    post("bad-entry-ttl-text", ENTRIES, entry({ dnsName: "a.example.org", ttl: "abc" })),
    post("bad-entry-ttl-zero", ENTRIES, entry({ dnsName: "a.example.org", ttl: 0 })),
    post("bad-entry-ttl-fraction", ENTRIES, entry({ dnsName: "a.example.org", ttl: 1.5 })),
    post("bad-entry-no-name", ENTRIES, entry({ targets: ["192.0.2.1"] })),
    post("bad-entry-no-spec", ENTRIES, {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSEntry",
      metadata: { name: "bad" },
    }),
    post("bad-entry-spec-text", ENTRIES, entry("text")),
    post(
      "bad-entry-targets-text",
      ENTRIES,
      entry({ dnsName: "a.example.org", targets: "192.0.2.1" }),
    ),
    post("bad-entry-target-number", ENTRIES, entry({ dnsName: "a.example.org", targets: [1] })),
    post("bad-entry-null", ENTRIES, entry({ dnsName: null })),
    post("bad-provider-domains", PROVIDERS, provider({ type: "rfc2136", domains: [] })),
    post("bad-provider-two", PROVIDERS, provider({ type: 1, domains: { include: "a" } })),
    post("odd-entry-unknown-field", ENTRIES, entry({ dnsName: "a.example.org", foo: "bar" })),
    post(
      "odd-service-unknown-field",
      SERVICES,
      service({ ports: [{ port: 80, foo: 1 }], blocker: 2 }),
    ),
    post("bad-label-key", SECRETS, meta({ name: "bad", labels: { "a b": "c" } })),
    post("bad-label-value", SECRETS, meta({ name: "bad", labels: { a: "c d" } })),
    post("bad-label-long", SECRETS, meta({ name: "bad", labels: { a: "x".repeat(64) } })),
    post("bad-annotation-key", SECRETS, meta({ name: "bad", annotations: { "a/b/c": "d" } })),
    post(
      "bad-annotations-large",
      SECRETS,
      meta({ name: "bad", annotations: { a: "x".repeat(262_145) } }),
    ),
    post("bad-finalizer", SECRETS, meta({ name: "bad", finalizers: ["nodomain"] })),
    post(
      "bad-owner",
      SECRETS,
      meta({
        name: "bad",
        ownerReferences: [{ apiVersion: "v1", kind: "Secret", name: "x", uid: "" }],
      }),
    ),
    post(
      "bad-two-controllers",
      SECRETS,
      meta({
        name: "bad",
        ownerReferences: ["x", "y"].map((name) => ({
          apiVersion: "v1",
          kind: "Secret",
          name,
          uid: name,
          controller: true,
        })),
      }),
    ),
    post("bad-name-long", SECRETS, meta({ name: "x".repeat(254) })),
    post("bad-name-slash", SECRETS, meta({ name: "a/b" })),
    post("bad-name-dots", SECRETS, meta({ name: "." })),
    post("bad-metadata", SECRETS, { apiVersion: "v1", kind: "Secret", metadata: "text" }),
    post("bad-labels-number", SECRETS, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "bad", labels: { a: 1 } },
    }),
    post("bad-namespace-label", "/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "bad.dots" },
    }),
    post("bad-event-namespace", "/api/v1/namespaces/default/events", {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "bad" },
      involvedObject: { namespace: "other", kind: "Secret", name: "a" },
    }),
  ],
};

/** Wrong requests. */
export const REFUSED: Topic = {
  title: "requests that are refused",
  steps: [
    post("other-namespace", SECRETS, meta({ name: "bad", namespace: "other" })),
    post("namespace-absent", SECRETS.replace("default", "absent"), meta({ name: "bad" })),
    {
      name: "version-given",
      method: "POST",
      path: SECRETS,
      body: meta({ name: "bad", resourceVersion: "1" }),
    },
    post("group-wrong", SECRETS, { ...meta({ name: "bad" }), apiVersion: "v2" }),
    { name: "not-json", method: "POST", path: SECRETS, raw: "{" },
    { name: "not-an-object", method: "POST", path: SECRETS, raw: "[]" },
    { name: "no-body", method: "POST", path: SECRETS },
    {
      name: "no-kind",
      method: "POST",
      path: `${SECRETS}?dryRun=All`,
      body: { metadata: { name: "bad" } },
    },
    { name: "custom-no-kind", method: "POST", path: ENTRIES, body: { metadata: { name: "bad" } } },
    {
      name: "yaml-body",
      method: "POST",
      path: `${SECRETS}?dryRun=All`,
      headers: { "content-type": "application/yaml" },
      raw: "apiVersion: v1\nkind: Secret\nmetadata: {name: yaml}\n",
    },
    {
      name: "text-body",
      method: "POST",
      path: SECRETS,
      headers: { "content-type": "text/plain" },
      raw: "x",
    },
    {
      name: "form-body",
      method: "POST",
      path: SECRETS,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      raw: "a=b",
    },
    {
      name: "too-large",
      method: "POST",
      path: SECRETS,
      raw: JSON.stringify(meta({ name: "bad", annotations: { a: "x".repeat(4_000_000) } })),
    },
    {
      name: "accept-nothing-known",
      method: "GET",
      path: SECRETS,
      headers: { accept: "image/png" },
    },
    {
      name: "accept-yaml",
      method: "GET",
      path: `${SECRETS}/absent`,
      headers: { accept: "application/yaml" },
    },
    { name: "accept-any", method: "GET", path: `${SECRETS}/absent`, headers: { accept: "*/*" } },
    {
      name: "dry-run-wrong",
      method: "POST",
      path: `${SECRETS}?dryRun=Some`,
      body: meta({ name: "bad" }),
    },
    { name: "method-wrong-collection", method: "PUT", path: SECRETS, body: meta({ name: "bad" }) },
    {
      name: "method-wrong-object",
      method: "POST",
      path: `${SECRETS}/a`,
      body: meta({ name: "a" }),
    },
    {
      name: "method-patch-collection",
      method: "PATCH",
      path: SECRETS,
      headers: PATCH.merge,
      body: {},
    },
    { name: "method-delete-namespaces", method: "DELETE", path: "/api/v1/namespaces" },
    { name: "subresource-absent", method: "GET", path: `${SECRETS}/a/things` },
    { name: "path-too-long", method: "GET", path: `${SECRETS}/a/b/c/d` },
    {
      name: "namespaced-as-cluster",
      method: "POST",
      path: "/api/v1/secrets",
      body: meta({ name: "bad", namespace: "default" }),
    },
    { name: "namespaced-get-as-cluster", method: "GET", path: "/api/v1/secrets/a" },
    {
      name: "patch-type-unknown",
      method: "PATCH",
      path: `${SECRETS}/a`,
      headers: { "content-type": "application/json" },
      body: {},
    },
    {
      name: "patch-not-json",
      method: "PATCH",
      path: `${SECRETS}/a`,
      headers: PATCH.merge,
      raw: "{",
    },
    { name: "patch-list", method: "PATCH", path: `${SECRETS}/a`, headers: PATCH.merge, raw: "[]" },
    { name: "field-selector-unknown", method: "GET", path: `${SECRETS}?fieldSelector=spec.foo=1` },
    { name: "field-selector-broken", method: "GET", path: `${SECRETS}?fieldSelector=a` },
    { name: "label-selector-broken", method: "GET", path: `${SECRETS}?labelSelector=a%20b%20c` },
    { name: "label-selector-bad-value", method: "GET", path: `${SECRETS}?labelSelector=a%3Db%20c` },
    { name: "limit-text", method: "GET", path: `${SECRETS}?limit=x` },
    { name: "limit-negative", method: "GET", path: `${SECRETS}?limit=-1&labelSelector=none` },
    { name: "continue-broken", method: "GET", path: `${SECRETS}?limit=1&continue=broken` },
    { name: "version-text", method: "GET", path: `${SECRETS}?resourceVersion=abc` },
    { name: "version-future", method: "GET", path: `${SECRETS}?resourceVersion=99999999` },
    {
      name: "get-version-future",
      method: "GET",
      path: `${SECRETS}/absent?resourceVersion=99999999`,
    },
    {
      name: "watch-with-continue",
      method: "GET",
      path: `${SECRETS}?watch=1&continue=x&timeoutSeconds=1`,
      lines: 1,
    },
    {
      name: "watch-version-text",
      method: "GET",
      path: `${SECRETS}?watch=1&resourceVersion=abc&timeoutSeconds=1`,
      lines: 1,
    },
    {
      name: "watch-future",
      method: "GET",
      path: `${SECRETS}?watch=1&resourceVersion=99999999&timeoutSeconds=1`,
      lines: 1,
    },
    {
      name: "watch-timeout-text",
      method: "GET",
      path: `${SECRETS}?watch=1&timeoutSeconds=x`,
      lines: 1,
    },
    { name: "delete-options-broken", method: "DELETE", path: `${SECRETS}/absent`, raw: "{" },
    {
      name: "delete-propagation-wrong",
      method: "DELETE",
      path: `${SECRETS}/absent`,
      body: { propagationPolicy: "Sometimes" },
    },
    {
      name: "delete-both-orphans",
      method: "DELETE",
      path: `${SECRETS}/absent`,
      body: { propagationPolicy: "Orphan", orphanDependents: true },
    },
    { name: "delete-absent", method: "DELETE", path: `${SECRETS}/absent` },
    {
      name: "manager-too-long",
      method: "POST",
      path: `${SECRETS}?dryRun=All&fieldManager=${"m".repeat(129)}`,
      body: meta({ name: "bad" }),
    },
    { name: "bad-escape", method: "GET", path: "/api/v1/namespaces/%zz/secrets" },
    { name: "fixed-namespace", method: "DELETE", path: "/api/v1/namespaces/default" },
  ],
};
