/**
 * Ten deployments of external-dns as people have them, each with its objects and one change to
 * them. All share a cluster and a server: the provider is that of a name server, and two zones have
 * other placeholders than in their sources. Markers are of each form that external-dns has, or had.
 */
type Fields = Readonly<Record<string, unknown>>;

/** An object with its status. */
export interface AppliedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly rest: Fields;
  readonly status: Fields | null;
}

/** One of them. */
export interface Deployed {
  /** Number and what is special. */
  readonly title: string;
  readonly zones: readonly string[];
  /** As its container gets them, but for the provider. */
  readonly args: readonly string[];
  /** Flags that external-dns 0.22 demands, and former ones did not. */
  readonly demanded?: readonly string[];
  /** Each record's marker lies at the record's own name, as before v0.12. */
  readonly isLegacy?: true;
  readonly objects: readonly AppliedObject[];
  /** Relative to the first zone; what stays in it whatever happens. */
  readonly kept: readonly string[];
  /** One of those is a record of its own that nobody wants. */
  readonly hasOrphan?: true;
  /** A patch of an object, of its status where it says one. */
  readonly change: { readonly object: string; readonly patch: Fields };
  /** `name type rdata` before and after. */
  readonly changed: readonly (readonly [from: string, to: string])[];
}

const ALPHA = "external-dns.alpha.kubernetes.io";
const GATEWAY = "gateway.networking.k8s.io/v1";
const ISTIO = "networking.istio.io/v1";

const applied = (
  apiVersion: string,
  kind: string,
  name: string,
  { status = null, ...rest }: Fields & { readonly status?: Fields | null },
): AppliedObject => ({ apiVersion, kind, name, rest, status });

const ip = (...addresses: readonly string[]): Fields => ({
  loadBalancer: { ingress: addresses.map((one) => ({ ip: one })) },
});
const host = (hostname: string): Fields => ({ loadBalancer: { ingress: [{ hostname }] } });

interface Named {
  readonly host?: string;
  readonly labels?: Fields;
  readonly annotations?: Fields;
  readonly selector?: Fields;
}

const service = (name: string, status: Fields, named: Named = {}): AppliedObject => {
  const hostname = named.host === undefined ? {} : { [`${ALPHA}/hostname`]: named.host };
  const { labels = {}, annotations = {}, selector = { app: name } } = named;
  return applied("v1", "Service", name, {
    metadata: { labels, annotations: { ...hostname, ...annotations } },
    spec: { type: "LoadBalancer", selector, ports: [{ port: 80, protocol: "TCP" }] },
    status,
  });
};

const backend = { service: { name: "echo", port: { number: 80 } } };
const http = { paths: [{ path: "/", pathType: "Prefix", backend }] };

const ingress = (
  name: string,
  hosts: readonly string[],
  status: Fields,
  more: { readonly class?: string; readonly tls?: readonly string[]; annotations?: Fields } = {},
): AppliedObject =>
  applied("networking.k8s.io/v1", "Ingress", name, {
    metadata: { annotations: more.annotations ?? {} },
    spec: {
      ...(more.class === undefined ? {} : { ingressClassName: more.class }),
      ...(more.tls === undefined ? {} : { tls: [{ hosts: more.tls }] }),
      rules: hosts.map((one) => ({ host: one, http })),
    },
    status,
  });

const gateway = (
  name: string,
  hostname: string,
  address: string,
  target?: string,
): AppliedObject => {
  const listeners = [
    { name: "web", port: 80, protocol: "HTTP", hostname },
    { name: "tls", port: 443, protocol: "TLS", tls: { mode: "Passthrough" }, hostname },
  ];
  return applied(GATEWAY, "Gateway", name, {
    metadata: { annotations: target === undefined ? {} : { [`${ALPHA}/target`]: target } },
    spec: { gatewayClassName: "example", listeners },
    status: { addresses: [{ type: "IPAddress", value: address }] },
  });
};

const route = (
  kind: string,
  name: string,
  parent: string,
  hostnames: readonly string[],
): AppliedObject => {
  const parentRef = { name: parent, namespace: "default" };
  const accepted = {
    ...{ type: "Accepted", status: "True", reason: "Accepted", message: "" },
    lastTransitionTime: "2026-11-29T00:00:00Z",
  };
  const backendRefs = [{ name: "echo", port: 80 }];
  return applied(GATEWAY, kind, name, {
    spec: { parentRefs: [parentRef], hostnames, rules: [{ backendRefs }] },
    status: {
      parents: [{ parentRef, controllerName: "example.net/x", conditions: [accepted] }],
    },
  });
};

const endpoints = (...rows: readonly (readonly [string, string, string])[]): Fields => ({
  spec: {
    endpoints: rows.map(([dnsName, recordType, target]) => ({
      ...{ dnsName, recordType, targets: [target] },
    })),
  },
});

const CHART = ["--log-level=info", "--log-format=text", "--interval=1m"];
const CRD = [
  "--crd-source-apiversion=externaldns.k8s.io/v1alpha1",
  "--crd-source-kind=DNSEndpoint",
];
const CLOUDFLARE = ["--cloudflare-dns-records-per-page=1000", "--cloudflare-proxied"];
const HAND = ["hand 300 IN A 192.0.2.250", 'note 300 IN TXT "written by hand"'];
const otherOwner = (label: string, marker = `a-${label}`): readonly string[] => [
  `${label} 300 IN A 192.0.2.251`,
  `${marker} 300 IN TXT "heritage=external-dns,external-dns/owner=somebody,external-dns/resource=service/default/${label}"`,
];

/** In the order of their reference. */
export const DEPLOYED: readonly Deployed[] = [
  {
    title: "1 DNSEndpoints and routes of one Gateway with a target, owner default, prefix",
    zones: ["example.org"],
    args: [
      ...[...CHART, "--events", "--source=crd", "--source=gateway-httproute", "--policy=sync"],
      ...["--registry=txt", "--txt-owner-id=default", "--txt-prefix=k8s."],
      ...["--domain-filter=example.org", ...CLOUDFLARE, ...CRD, "--gateway-name=envoy-external"],
    ],
    objects: [
      applied(
        "externaldns.k8s.io/v1alpha1",
        "DNSEndpoint",
        "tunnel",
        endpoints(["external.example.org", "CNAME", "one.tunnel.example"]),
      ),
      gateway("envoy-external", "*.example.org", "10.0.0.1", "external.example.org"),
      gateway("envoy-internal", "*.example.org", "10.0.0.2"),
      route("HTTPRoute", "echo", "envoy-external", ["echo.example.org", "photos.example.org"]),
      route("HTTPRoute", "private", "envoy-internal", ["private.example.org"]),
    ],
    kept: [...HAND, ...otherOwner("other", "k8s.a-other")],
    change: {
      object: "DNSEndpoint/tunnel",
      patch: endpoints(["external.example.org", "CNAME", "two.tunnel.example"]),
    },
    changed: [
      [
        "external.example.org. CNAME one.tunnel.example.",
        "external.example.org. CNAME two.tunnel.example.",
      ],
    ],
  },
  {
    title: "2 a prefix with the type in a template, routes of all Gateways and Services",
    zones: ["example.ac"],
    args: [
      ...[...CHART, "--events", "--source=gateway-httproute", "--source=service", "--policy=sync"],
      ...["--registry=txt", "--txt-owner-id=main", "--txt-prefix=k8s.main.%{record_type}-"],
      "--domain-filter=example.ac",
    ],
    objects: [
      gateway("cilium", "*.example.ac", "192.0.2.20"),
      route("HTTPRoute", "wiki", "cilium", ["wiki.example.ac"]),
      service("nas", ip("192.0.2.21", "2001:db8::21"), { host: "nas.example.ac,files.example.ac" }),
    ],
    kept: [...HAND, ...otherOwner("other", "k8s.main.a-other")],
    change: {
      object: "Service/nas",
      patch: { status: ip("192.0.2.22", "2001:db8::21") },
    },
    changed: [
      ["nas.example.ac. A 192.0.2.21", "nas.example.ac. A 192.0.2.22"],
      ["files.example.ac. A 192.0.2.21", "files.example.ac. A 192.0.2.22"],
    ],
  },
  {
    title: "3 Ingresses of one class, hosts of TLS left out, owner default",
    zones: ["example.com"],
    args: [
      ...[...CHART, "--source=crd", "--source=ingress", "--policy=sync", "--registry=txt"],
      ...["--txt-owner-id=default", "--txt-prefix=k8s.", "--domain-filter=example.com"],
      ...[...CLOUDFLARE, ...CRD, "--events", "--ignore-ingress-tls-spec"],
      "--ingress-class=external",
    ],
    objects: [
      ingress("blog", ["blog.example.com"], ip("192.0.2.30"), {
        ...{ class: "external", tls: ["blog.example.com", "tls.example.com"] },
        annotations: { [`${ALPHA}/ttl`]: "120" },
      }),
      ingress("lab", ["lab.example.com"], ip("192.0.2.31"), { class: "internal" }),
    ],
    kept: [...HAND, ...otherOwner("other", "k8s.a-other")],
    change: { object: "Ingress/blog", patch: { status: ip("192.0.2.32") } },
    changed: [["blog.example.com. A 192.0.2.30", "blog.example.com. A 192.0.2.32"]],
  },
  {
    title: "4 upsert-only, markers at the names themselves, a hoard of orphans",
    zones: ["prod.example.contact"],
    args: [
      ...["--source=service", "--source=ingress", "--domain-filter=prod.example.contact"],
      ...["--policy=upsert-only", "--aws-zone-type=public", "--registry=txt"],
      "--txt-owner-id=Z0000000EXAMPLE01",
    ],
    isLegacy: true,
    hasOrphan: true,
    objects: [
      ingress("api", ["api.prod.example.contact"], ip("192.0.2.40")),
      service("queue", ip("192.0.2.41"), { host: "queue.prod.example.contact" }),
    ],
    kept: [
      ...[...HAND, ...otherOwner("other", "other")],
      "old 0 IN A 192.0.2.49",
      'old 0 IN TXT "heritage=external-dns,external-dns/owner=Z0000000EXAMPLE01,external-dns/resource=ingress/default/old"',
    ],
    change: { object: "Ingress/api", patch: { status: ip("192.0.2.42") } },
    changed: [["api.prod.example.contact. A 192.0.2.40", "api.prod.example.contact. A 192.0.2.42"]],
  },
  {
    title: "5 a selector with notin, encrypted markers",
    zones: ["dev.platform.example.info"],
    args: [
      ...[...CHART, "--source=ingress", "--policy=sync", "--registry=txt"],
      ...["--txt-owner-id=dev-aks-active", "--domain-filter=dev.platform.example.info"],
      "--annotation-filter=external-dns.alpha.kubernetes.io/exclude notin (true)",
      ...["--txt-encrypt-enabled", "--txt-encrypt-aes-key=01234567890123456789012345678901"],
    ],
    objects: [
      ingress("portal", ["portal.dev.platform.example.info"], ip("10.5.0.1")),
      ingress("hidden", ["hidden.dev.platform.example.info"], ip("10.5.0.2"), {
        annotations: { [`${ALPHA}/exclude`]: "true" },
      }),
    ],
    kept: [...HAND, ...otherOwner("other")],
    change: { object: "Ingress/portal", patch: { status: ip("10.5.0.3") } },
    changed: [
      [
        "portal.dev.platform.example.info. A 10.5.0.1",
        "portal.dev.platform.example.info. A 10.5.0.3",
      ],
    ],
  },
  {
    title: "6 two domains, a suffix",
    zones: ["apps.example.io", "demo-apps.cluster"],
    args: [
      ...["--log-level=info", "--log-format=json", "--interval=1m", "--source=ingress"],
      ...["--policy=sync", "--registry=txt", "--txt-owner-id=demo-apps", "--txt-suffix=-dns"],
      ...["--domain-filter=demo-apps.cluster", "--domain-filter=apps.example.io"],
      "--google-project=demo-apps",
    ],
    objects: [
      ingress("demo", ["demo.apps.example.io", "demo.demo-apps.cluster"], ip("192.0.2.60")),
      ingress("elsewhere", ["demo.elsewhere.example"], ip("192.0.2.69")),
    ],
    kept: [...HAND, ...otherOwner("other", "a-other-dns")],
    change: { object: "Ingress/demo", patch: { status: ip("192.0.2.61") } },
    changed: ["demo.apps.example.io.", "demo.demo-apps.cluster."].map((name) => [
      `${name} A 192.0.2.60`,
      `${name} A 192.0.2.61`,
    ]),
  },
  {
    title: "7 routes of two kinds, default targets, no policy",
    zones: ["local.example.net"],
    args: [
      ...["--registry=txt", "--txt-prefix=external-dns-new-", "--txt-owner-id=k8s"],
      ...["--domain-filter=local.example.net", "--default-targets=kubernetes.local.example.net"],
      ...["--source=gateway-httproute", "--source=gateway-tlsroute"],
    ],
    demanded: ["--policy=sync"],
    objects: [
      gateway("kubernetes", "*.local.example.net", "192.0.2.70"),
      route("HTTPRoute", "git", "kubernetes", ["git.local.example.net"]),
      route("TLSRoute", "mail", "kubernetes", ["mail.local.example.net"]),
    ],
    kept: [...HAND, ...otherOwner("other", "external-dns-new-a-other")],
    change: {
      object: "Gateway/kubernetes",
      patch: { status: { addresses: [{ type: "IPAddress", value: "192.0.2.71" }] } },
    },
    changed: ["git", "mail"].map((label) => [
      `${label}.local.example.net. A 192.0.2.70`,
      `${label}.local.example.net. A 192.0.2.71`,
    ]),
  },
  {
    title: "8 Istio, no policy",
    zones: ["prod.example.digital", "prod.example.io"],
    args: [
      ...["--source=service", "--source=ingress", "--source=istio-gateway"],
      ...["--source=istio-virtualservice", "--domain-filter=prod.example.digital"],
      ...["--domain-filter=prod.example.io", "--aws-zone-type=public", "--registry=txt"],
      ...["--txt-owner-id=prod-labs", "--log-format=json"],
    ],
    demanded: ["--policy=sync"],
    objects: [
      service("istio-edge", host("edge.elb.example"), { selector: { istio: "ingressgateway" } }),
      applied(ISTIO, "Gateway", "labs", {
        spec: {
          selector: { istio: "ingressgateway" },
          servers: [
            {
              port: { number: 80, name: "http", protocol: "HTTP" },
              hosts: ["*.prod.example.digital", "direct.prod.example.io"],
            },
          ],
        },
      }),
      applied(ISTIO, "VirtualService", "labs", {
        spec: {
          ...{ gateways: ["labs"], hosts: ["app.prod.example.digital"] },
          http: [{ route: [{ destination: { host: "app" } }] }],
        },
      }),
      service("broker", host("broker.elb.example"), { host: "broker.prod.example.io" }),
    ],
    kept: [...HAND, ...otherOwner("other")],
    change: { object: "Service/istio-edge", patch: { status: host("edge2.elb.example") } },
    changed: [
      "*.prod.example.digital.",
      "app.prod.example.digital.",
      "direct.prod.example.io.",
    ].map((name) => [`${name} CNAME edge.elb.example.`, `${name} CNAME edge2.elb.example.`]),
  },
  {
    title: "9 Bitnami's arguments, the zone of number 10",
    zones: ["example.net"],
    args: [
      ...["--metrics-address=:7979", "--log-level=info", "--log-format=text"],
      ...["--domain-filter=example.net", "--policy=sync", "--registry=txt", "--interval=1m"],
      ...["--txt-owner-id=rg-example", "--source=ingress", "--azure-resource-group=rg-dns"],
    ],
    objects: [ingress("shop", ["shop.example.net", "*.shop.example.net"], ip("192.0.2.90"))],
    kept: [...HAND, ...otherOwner("other")],
    change: { object: "Ingress/shop", patch: { status: ip("192.0.2.91") } },
    changed: ["*.shop.example.net.", "shop.example.net."].map((name) => [
      `${name} A 192.0.2.90`,
      `${name} A 192.0.2.91`,
    ]),
  },
  {
    title: "10 an operator's template and label filter, without a domain",
    zones: ["example.net"],
    args: [
      ...["--metrics-address=127.0.0.1:7979", "--txt-owner-id=external-dns-sample"],
      ...["--source=service", "--policy=sync", "--registry=txt", "--log-level=debug"],
      ...["--zone-id-filter=Z0000000EXAMPLE04", "--service-type-filter=LoadBalancer"],
      ...["--label-filter=external-dns.mydomain.org/publish=yes", "--ignore-hostname-annotation"],
      ...["--fqdn-template={{.Name}}.example.net", "--aws-prefer-cname"],
      "--txt-prefix=external-dns-",
    ],
    objects: [
      service("printer", ip("192.0.2.100"), {
        ...{ host: "ignored.example.net" },
        labels: { "external-dns.mydomain.org/publish": "yes" },
      }),
      service("scanner", ip("192.0.2.101"), {}),
    ],
    kept: [],
    change: { object: "Service/printer", patch: { status: ip("192.0.2.102") } },
    changed: [["printer.example.net. A 192.0.2.100", "printer.example.net. A 192.0.2.102"]],
  },
];
