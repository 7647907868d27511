/** What flags of external-dns leave alone keeps its records: nothing is wanted or given up. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { ENDPOINT_SLICE, NODE } from "@zonekeeper/kube/objects/kinds";
import { type LabelRule, labelRules } from "@zonekeeper/kube/objects/label-rules";
import { describe, expect, test } from "vitest";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { objectOf } from "../../../test/support/worlds/program-world.ts";
import { parseAddressNet } from "../../model/addresses.ts";
import { type ExternalDnsRules, NO_RULES } from "../../model/external-dns-rules.ts";
import { GATEWAY } from "../../model/kinds.ts";
import { EXTERNAL_DNS_SOURCES } from "../external-dns-rows.ts";
import { openSource } from "../index.ts";

const HOSTNAME = "external-dns.kubernetes.io/hostname";
const TTL = "external-dns.kubernetes.io/ttl";
const ALONE = { lines: [], complete: false, problems: [] };

function selector(text: string): readonly LabelRule[] {
  const rules = labelRules(text);
  if (!rules.ok) throw new Error(rules.error);
  return rules.value;
}

function ask(
  source: string,
  object: ReturnType<typeof objectOf>,
  rules: Partial<ExternalDnsRules> = {},
  cluster = new MemoryCluster("c1"),
) {
  const externalDns = { ...NO_RULES, ...rules };
  const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null, externalDns };
  const found = openSource(source, options, EXTERNAL_DNS_SOURCES).endpoints(object, cluster);
  const lines = [
    ...found.items.map(({ name, type, values }) => `${name} ${type} ${values.join(" ")}`),
    ...found.waiting.map(({ name, reason }) => `${name} ${reason}`),
  ];
  const problems = found.problems.map(({ message }) => message);
  return { lines, complete: found.complete, problems, items: found.items };
}

const service = (metadata: object = {}, spec: object = {}, ingress: object = { ip: "192.0.2.1" }) =>
  objectOf("v1", "Service", "www", {
    metadata: { annotations: { [HOSTNAME]: "www.example.org" }, ...metadata },
    spec: { type: "LoadBalancer", ...spec },
    status: { loadBalancer: { ingress: [ingress] } },
  });
const PUBLISHED = { lines: ["www.example.org A 192.0.2.1"], complete: true, problems: [] };

describe("an object outside of a filter is left alone", () => {
  test.each([
    ["annotation-filter", { annotationFilter: selector("x/exclude notin (true)") }],
    ["label-filter", { labelFilter: selector("publish!=no") }],
  ] as const)("%s", (_, rules) => {
    const out = service({
      annotations: { [HOSTNAME]: "www.example.org", "x/exclude": "true" },
      labels: { publish: "no" },
    });
    expect(ask("service", out, rules)).toMatchObject(ALONE);
    expect(ask("service", service(), rules)).toMatchObject(PUBLISHED);
  });

  test("the annotation controller of another program", () => {
    const annotations = {
      [HOSTNAME]: "www.example.org",
      "external-dns.alpha.kubernetes.io/controller": "other",
    };
    expect(ask("service", service({ annotations }))).toMatchObject(ALONE);
  });

  test("service-type-filter and ingress-class", () => {
    expect(ask("service", service(), { serviceTypes: ["ClusterIP"] })).toMatchObject(ALONE);
    expect(ask("service", service(), { serviceTypes: ["LoadBalancer"] })).toMatchObject(PUBLISHED);
    const ingress = (spec: object, annotations = {}) =>
      objectOf("networking.k8s.io/v1", "Ingress", "www", {
        metadata: { annotations },
        spec: { rules: [{ host: "www.example.org" }], ...spec },
        status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
      });
    const rules = { ingressClasses: ["external"] };
    expect(ask("ingress", ingress({}), rules)).toMatchObject(ALONE);
    expect(ask("ingress", ingress({ ingressClassName: "internal" }), rules)).toMatchObject(ALONE);
    const old = { "kubernetes.io/ingress.class": "external" };
    expect(ask("ingress", ingress({}, old), rules)).toMatchObject(PUBLISHED);
    expect(ask("ingress", ingress({ ingressClassName: "external" }), rules)).toMatchObject(
      PUBLISHED,
    );
  });

  test("gateway-name, gateway-namespace and gateway-label-filter", () => {
    const cluster = new MemoryCluster("c1");
    cluster.apply(
      GATEWAY,
      objectOf("gateway.networking.k8s.io/v1", "Gateway", "public", {
        metadata: { labels: { view: "outside" } },
        spec: { listeners: [{ name: "web", port: 80, protocol: "HTTP" }] },
      }),
    );
    cluster.setStatus(GATEWAY, "default", "public", { addresses: [{ value: "192.0.2.1" }] });
    const parentRef = { name: "public" };
    const route = objectOf("gateway.networking.k8s.io/v1", "HTTPRoute", "www", {
      spec: { parentRefs: [parentRef], hostnames: ["www.example.org"] },
      status: { parents: [{ parentRef, conditions: [{ type: "Accepted", status: "True" }] }] },
    });
    const of = (rules: Partial<ExternalDnsRules>) =>
      ask("gateway-httproute", route, rules, cluster);
    const kept = { lines: ["www.example.org SourceIncomplete"], complete: true, problems: [] };
    for (const rules of [
      { gatewayName: "private" },
      { gatewayNamespace: "infra" },
      { gateways: selector("view=inside") },
    ])
      expect(of(rules)).toMatchObject(kept);
    expect(
      of({
        gatewayName: "public",
        gatewayNamespace: "default",
        gateways: selector("view=outside"),
      }),
    ).toMatchObject(PUBLISHED);
  });
});

describe("names, types and targets", () => {
  const two = service({ annotations: { [HOSTNAME]: "www.example.org,www.example.net" } });

  test("a name outside of the domains is as if it were not listed", () => {
    const scope = { include: [trustedDnsName("example.org")], exclude: [] };
    expect(ask("service", two, { scope })).toMatchObject({ ...PUBLISHED, complete: true });
    const excluded = { include: [], exclude: [trustedDnsName("example.net")] };
    expect(ask("service", two, { scope: excluded })).toMatchObject({
      ...PUBLISHED,
      complete: true,
    });
  });

  test("types that are not managed are not wanted", () => {
    expect(ask("service", service(), { types: new Set(["AAAA"]) }).lines).toEqual([]);
  });

  test("what is wrong with an object counts where one of its names is asked for", () => {
    const scope = { include: [trustedDnsName("example.org")], exclude: [] };
    const problemsOf = (hosts: string) => {
      const annotations = { [HOSTNAME]: hosts, [TTL]: "soon" };
      return ask("service", service({ annotations }), { scope }).problems;
    };
    expect(problemsOf("www.example.org,a.example.net")).toEqual([expect.stringContaining("soon")]);
    expect(problemsOf("a.example.net")).toEqual([]);
  });

  test("addresses outside of the target nets are not published", () => {
    const net = parseAddressNet("198.51.100.0/24");
    expect(ask("service", service(), { targetNets: net.ok ? [net.value] : [] }).lines).toEqual([
      "www.example.org NoTargets",
    ]);
  });

  test("one prefix of annotations alone", () => {
    const annotations = {
      [HOSTNAME]: "www.example.org",
      "dns.example/hostname": "own.example.org",
    };
    const rules = { prefixes: ["dns.example/"] };
    expect(ask("service", service({ annotations }), rules).lines).toEqual([
      "own.example.org A 192.0.2.1",
    ]);
  });

  test("a prefix, and the former one of external-dns behind it", () => {
    const rules = { prefixes: ["dns.example/", "external-dns.alpha.kubernetes.io/"] };
    const namesOf = (annotations: Record<string, string>) =>
      ask("service", service({ annotations }), rules).lines;
    const former = { "external-dns.alpha.kubernetes.io/hostname": "former.example.org" };
    expect(namesOf(former)).toEqual(["former.example.org A 192.0.2.1"]);
    expect(namesOf({ ...former, "dns.example/hostname": "own.example.org" })).toEqual([
      "own.example.org A 192.0.2.1",
    ]);
    expect(namesOf({ "external-dns.kubernetes.io/hostname": "other.example.org" })).toEqual([]);
  });

  test("properties by flags, and those of the object before them", () => {
    const rules = { properties: { proxied: "true" } };
    expect(ask("service", service(), rules).items[0]?.properties).toEqual({ proxied: "true" });
  });

  const LB = "lb-1.eu-central-1.elb.amazonaws.com";
  const aws = {
    provider: "aws",
    isAwsNamePlain: false,
    aliasProperties: { evaluateTargetHealth: "true" },
  };
  const balanced = (annotations: object = {}, hostname = LB) =>
    service({ annotations: { [HOSTNAME]: "www.example.org", ...annotations } }, {}, { hostname });

  test("a load balancer of AWS has an alias, unless CNAMEs are preferred", () => {
    const { items, lines } = ask("service", balanced(), aws);
    expect(lines).toEqual([`www.example.org A ${LB}`, `www.example.org AAAA ${LB}`]);
    expect(items[1]?.properties).toEqual({ alias: "true", evaluateTargetHealth: "true" });
    expect(ask("service", balanced()).lines).toEqual([`www.example.org CNAME ${LB}`]);
    expect(ask("service", balanced(), { ...aws, types: new Set(["A"]) }).lines).toEqual([
      `www.example.org A ${LB}`,
    ]);
  });

  test.each([
    "lb-1.mars-1.elb.amazonaws.com",
    "s3-website-eu-west-1.amazonaws.com",
    "lb.example.net",
  ])("%s has a CNAME, as nobody asks for an alias", (hostname) => {
    expect(ask("service", balanced({}, hostname), aws).lines).toEqual([
      `www.example.org CNAME ${hostname}`,
    ]);
  });

  test("what an object says to a webhook goes there as it is, and to no other provider", () => {
    const asked = { "external-dns.alpha.kubernetes.io/webhook-record-line": "two" };
    const object = service({ annotations: { [HOSTNAME]: "www.example.org", ...asked } });
    expect(ask("service", object, { provider: "webhook" })).toMatchObject({
      ...PUBLISHED,
      items: [{ properties: { "webhook/record-line": "two" } }],
    });
    expect(ask("service", object, aws)).toMatchObject({
      ...PUBLISHED,
      items: [{ properties: {} }],
    });
    const providerSpecific = [{ name: "comment", value: "x" }];
    const endpoint = { dnsName: "www.example.org", recordType: "A", targets: ["192.0.2.1"] };
    const written = objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", "www", {
      spec: { endpoints: [{ ...endpoint, providerSpecific }] },
    });
    const items = [{ properties: { comment: "x" } }];
    expect(ask("crd", written, { provider: "webhook" })).toMatchObject({ ...PUBLISHED, items });
  });

  test("the object says what its alias is, and whether it is one", () => {
    const prefix = "external-dns.alpha.kubernetes.io/";
    const asked = { [`${prefix}alias`]: "true", [`${prefix}aws-evaluate-target-health`]: "false" };
    const [item] = ask("service", balanced(asked, "other.example.org"), aws).items;
    expect([item?.type, item?.properties]).toEqual(["A", { alias: "true" }]);
    const providerSpecific = [{ name: "alias", value: "false" }];
    const endpoint = { dnsName: "www.example.org", recordType: "CNAME", targets: [LB] };
    const denied = objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", "www", {
      spec: { endpoints: [{ ...endpoint, providerSpecific }] },
    });
    expect(ask("crd", denied, aws)).toMatchObject({
      lines: [`www.example.org CNAME ${LB}`],
      items: [{ properties: {} }],
    });
  });
});

describe("odd objects", () => {
  const node = (addresses: unknown, spec: object = {}) =>
    objectOf("v1", "Node", "n1.example.org", { spec, status: { addresses } });

  test.each([
    ["no list", 7, "NoTargets"],
    [
      "a list of what are none",
      ["x", { type: 7 }, { type: "ExternalIP" }, { address: "x" }],
      "SourceIncomplete",
    ],
  ])("a Node whose addresses are %s names nothing", (_, addresses, why) => {
    expect(ask("node", node(addresses)).lines).toEqual([`n1.example.org ${why}`]);
  });

  test("a Node that takes no Pods is left out, unless flags count it", () => {
    const cordoned = node([{ type: "InternalIP", address: "10.0.0.1" }], { unschedulable: true });
    expect(ask("node", cordoned).lines).toEqual([]);
    expect(ask("node", cordoned, { areCordonedPublished: true }).lines).toEqual([
      "n1.example.org A 10.0.0.1",
    ]);
  });

  test("a Service of type NodePort whose nodes and EndpointSlices are odd, or none", () => {
    const ported = service({}, { type: "NodePort", externalTrafficPolicy: "Local", ports: [] });
    expect(ask("service", ported).lines).toEqual(["www.example.org NoTargets"]);
    const cluster = new MemoryCluster("c1");
    cluster.apply(NODE, objectOf("v1", "Node", "n1", { metadata: { namespace: undefined } }));
    const slice = (name: string, endpoints: unknown, labels: object) =>
      objectOf("discovery.k8s.io/v1", "EndpointSlice", name, {
        metadata: { labels },
        ...{ addressType: 4, endpoints },
      });
    const label = { "kubernetes.io/service-name": "www" };
    cluster.apply(ENDPOINT_SLICE, slice("a", "none", label));
    cluster.apply(ENDPOINT_SLICE, slice("b", [{ nodeName: 4, conditions: {} }], label));
    cluster.apply(ENDPOINT_SLICE, slice("c", [{ nodeName: "n1" }], {}));
    expect(ask("service", ported, {}, cluster).lines).toEqual(["www.example.org NoTargets"]);
  });
});

test("the router of OpenShift that --openshift-router-name names", () => {
  const admitted = { conditions: [{ type: "Admitted", status: "True" }], host: "www.example.org" };
  const router = (routerName: string) => ({
    ...admitted,
    ...{ routerName, routerCanonicalHostname: `${routerName}.example.net` },
  });
  const route = objectOf("route.openshift.io/v1", "Route", "www", {
    spec: { host: "www.example.org" },
    status: { ingress: [router("a"), router("b")] },
  });
  const of = (openshiftRouter: string) => ask("openshift-route", route, { openshiftRouter }).lines;
  expect(of("b")).toEqual(["www.example.org CNAME b.example.net"]);
  expect(of("c")).toEqual(["www.example.org NoTargets"]);
});

describe("hosts of an Ingress", () => {
  const SOURCE = "external-dns.kubernetes.io/ingress-hostname-source";
  const ingress = (metadata: object, hosts: readonly (string | undefined)[] = ["a.example.org"]) =>
    objectOf("networking.k8s.io/v1", "Ingress", "www", {
      metadata,
      spec: {
        rules: hosts.map((host) => ({ host })),
        tls: [{ hosts: ["t.example.org"] }, {}],
      },
      status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
    });
  const names = (object: ReturnType<typeof objectOf>, rules: Partial<ExternalDnsRules> = {}) =>
    ask("ingress", object, rules).lines.map((line) => line.split(".", 1)[0]);

  test("are those of rules, TLS and annotation, as flags and annotation choose", () => {
    const annotations = { [HOSTNAME]: "n.example.org" };
    const from = (value: string) => ({ annotations: { ...annotations, [SOURCE]: value } });
    expect(names(ingress({ annotations }, ["a.example.org", undefined]))).toEqual(["a", "n", "t"]);
    expect(names(ingress(from("annotation-only")))).toEqual(["n"]);
    expect(names(ingress(from("defined-hosts-only")))).toEqual(["a", "t"]);
    expect(names(ingress({}), { ignoresTls: true })).toEqual(["a"]);
    expect(names(ingress({}), { ignoresRules: true })).toEqual(["t"]);
  });

  test("beyond the first thousand keep what stands", () => {
    const hosts = Array.from({ length: 1000 }, (_, at) => `h${at}.example.org`);
    const { lines, complete, problems } = ask("ingress", ingress({}, hosts));
    expect([lines.length, complete]).toEqual([1000, false]);
    expect(problems).toEqual([
      "1001 names are listed; only the first 1000 are used, split the Ingress",
    ]);
  });
});
