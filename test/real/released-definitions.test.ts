/** What other projects have released installs in the embedded API, and its rules judge objects. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import {
  isObject,
  type JsonObject,
  listAt,
  textAt,
} from "@zonekeeper/kube/control-plane/json/json";
import { NAMESPACE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { ImportPlanner } from "../../src/inbound/plan-import.ts";
import { portOf } from "../../src/model/imports.ts";
import { GATEWAY, LISTENER_SET } from "../../src/model/kinds.ts";
import { openSource } from "../../src/sources/index.ts";
import { TestApi } from "../support/clients/control-plane-api.ts";
import { definitionsPath, describeReal } from "../support/real-servers/availability.ts";
import { istioDefinition } from "../support/real-servers/released-definitions.ts";
import { GATEWAY_CASES, objectsOf } from "../support/values/gateway-table.ts";
import { DEFINITIONS } from "../support/values/widget-definitions.ts";
import { parseZone } from "../support/values/zone-text.ts";
import { DEFAULT_CLASSES } from "../support/worlds/default-classes.ts";
import { MemoryCluster } from "../support/worlds/memory-cluster.ts";

const OPTIONS = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };

async function apiWith(release: string): Promise<readonly [TestApi, readonly JsonObject[]]> {
  const api = await TestApi.open();
  const made: JsonObject[] = [];
  for (const one of definitionsOf(release)) made.push(await api.made(api.post(DEFINITIONS, one)));
  return [api, made];
}

/** Beside them lie policies for upgrades. */
function definitionsOf(release: string): readonly JsonObject[] {
  const folder = join(definitionsPath(), release);
  return readdirSync(folder)
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), "utf8")))
    .map((document): unknown => document.toJS())
    .filter(isObject)
    .filter((one) => one["kind"] === "CustomResourceDefinition");
}

const isServed = (definition: JsonObject): boolean =>
  listAt(definition, "status", "conditions").some(
    (one) => textAt(one, "type") === "Established" && textAt(one, "status") === "True",
  );

describeReal("released definitions install", ["released-definitions"], () => {
  test.each([
    ["gateway-api-1.7.0-standard", 10],
    ["gateway-api-1.7.0-experimental", 14],
    ["gateway-api-1.6.0-experimental", 13],
    ["istio-1.31.4", 15],
  ])("%s: all %i", async (release, count) => {
    const [, made] = await apiWith(release);
    expect(made.filter(isServed)).toHaveLength(count);
  });
});

describeReal("their rules judge objects", ["released-definitions"], () => {
  const metadata = { name: "one", namespace: "default" };
  const gateway = (group: string, kind: string, spec: unknown) => ({
    apiVersion: `${group}.k8s.io/v1`,
    kind,
    metadata,
    spec,
  });
  const ref = { group: "certificates.k8s.io", kind: "ClusterTrustBundle", name: "x" };
  const withRef = (one: unknown) =>
    gateway("gateway.networking", "Gateway", {
      gatewayClassName: "example",
      listeners: [{ name: "https", port: 80, protocol: "HTTP" }],
      tls: { frontend: { default: { validation: { caCertificateRefs: [one] } } } },
    });

  test.each([
    [ref, 201, ""],
    [{ ...ref, namespace: "other" }, 422, "must not specify namespace"],
    [{ ...ref, kind: "ConfigMap", group: "", namespace: "other" }, 201, ""],
  ])("a field whose name is a reserved word: %o", async (one, status, message) => {
    const [api] = await apiWith("gateway-api-1.7.0-experimental");
    const path = "/apis/gateway.networking.k8s.io/v1/namespaces/default/gateways";
    const answer = await api.post(path, withRef(one));
    expect([answer.status, textAt(answer.body, "message")]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  test.each([
    ["example.org/app", 201, ""],
    ["a/b/c", 422, "Label keys must be"],
  ])("a named format: the key %s", async (key, status, message) => {
    const [api] = await apiWith("gateway-api-1.7.0-experimental");
    const path = "/apis/gateway.networking.x-k8s.io/v1alpha1/namespaces/default/xbackends";
    const answer = await api.post(path, {
      apiVersion: "gateway.networking.x-k8s.io/v1alpha1",
      kind: "XBackend",
      metadata,
      spec: {
        type: "EndpointSelector",
        protocol: "HTTP",
        port: { number: 80 },
        endpointSelector: { matchLabels: { [key]: "x" } },
      },
    });
    expect([answer.status, textAt(answer.body, "message")]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });
});

const ZONE = `
apex 60 A 192.0.2.1
both 60 A 192.0.2.1
both 60 A 192.0.2.2
both 60 AAAA 2001:db8::1
alias 60 CNAME both.example.org
out 60 CNAME www.example.net
_https._tcp.shop 60 SRV 0 0 8443 both.example.org
_grpc-x._tcp.shop 60 SRV 0 0 9000 both.example.org
_grpc-x._tcp.shop 60 SRV 0 0 9001 apex.example.org
_https._tcp.far 60 SRV 0 0 443 www.example.net
_https._tcp.far 60 SRV 0 0 444 apex.example.org
${"a".repeat(63)}.${"b".repeat(63)} 60 A 192.0.2.1
`;

describeReal("what is imported passes Istio's own rules", ["released-definitions"], () => {
  test.each(["https/443", "tcp-pg/5432"])("hosts with the port %s", async (text) => {
    const [name = "", number] = text.split("/");
    const [namespace, apex] = ["default", trustedDnsName("example.org")];
    const ports = [portOf(name, Number(number))];
    const rules = { zone: apex, namespace, ports, domains: [], excluded: [] };
    const sets = parseZone(ZONE);
    const planner = new ImportPlanner(rules, "here");
    const marker = { isOwn: true, cluster: "there", resource: "service/web/shop" };
    const view = {
      ...{ apex, id: "z", readAtMs: 0, names: () => new Set(sets.map((set) => set.name)) },
      at: (at: string) => sets.filter((set) => set.name === at).map((set) => ({ set, marker })),
    };
    planner.readZone(view, "all");
    const { writes, skipped } = planner.plan(() => false);
    expect([writes.length, skipped]).toEqual([7, []]);
    const api = await TestApi.open();
    await api.made(api.post(DEFINITIONS, parse(istioDefinition("serviceentries"))));
    const path = `/apis/networking.istio.io/v1/namespaces/${namespace}/serviceentries`;
    const kind = { apiVersion: "networking.istio.io/v1", kind: "ServiceEntry" };
    for (const { wanted } of writes) await api.made(api.post(path, { ...kind, ...wanted }));
    const [first] = writes;
    const spec = { ...first?.wanted.spec, resolution: "NONE" };
    const refused = await api.post(path, { ...kind, metadata: { name: "bad" }, spec });
    expect([refused.status, textAt(refused.body, "message")]).toEqual([
      422,
      expect.stringContaining("NONE"),
    ]);
  });
});

describeReal("names of routes, by Gateway API's conformance", ["released-definitions"], () => {
  test.each(GATEWAY_CASES)("$title", async (one) => {
    gateways ??= gatewayApi();
    const [api, namespaces] = await gateways;
    const cluster = new MemoryCluster("c1");
    for (const namespace of namespaces) cluster.apply(NAMESPACE, namespace);
    let route: KubeObject | undefined;
    for (const object of objectsOf(one)) {
      route = await throughApi(api, object);
      const kind = [GATEWAY, LISTENER_SET].find((each) => each.kind === object.kind);
      if (kind === undefined) continue;
      cluster.apply(kind, route);
      const { namespace = "", name } = route.metadata;
      cluster.setStatus(kind, namespace, name, route["status"]);
    }
    if (route === undefined) throw new Error("a case has a route");
    const source = openSource(`gateway-${route.kind.toLowerCase()}`, OPTIONS);
    const { items, problems, complete } = source.endpoints(route, cluster);
    expect(items.map(({ name }) => name)).toEqual(one.names);
    expect(problems.map(({ code }) => code)).toEqual(one.problems ?? []);
    expect(complete).toBe(!(one.problems ?? []).includes("RouteNotAttached"));
  });
});

/** One for all cases. */
let gateways: ReturnType<typeof gatewayApi> | undefined;

async function gatewayApi(): Promise<readonly [TestApi, readonly KubeObject[]]> {
  const [api] = await apiWith("gateway-api-1.7.0-standard");
  const namespaces: KubeObject[] = [];
  for (const name of ["infra", "shop"]) {
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    const made = await api.made(api.post("/api/v1/namespaces", body));
    // With the label that API servers add.
    namespaces.push(made as unknown as KubeObject);
  }
  return [api, namespaces];
}

/** As the API has it, with its defaults and its status; it is gone from there afterwards. */
async function throughApi(to: TestApi, object: KubeObject): Promise<KubeObject> {
  const { namespace = "", name } = object.metadata;
  const plural = `${object.kind.toLowerCase()}s`.replace(/cys$/, "cies");
  const path = `/apis/${object.apiVersion}/namespaces/${namespace}/${plural}`;
  const answer = await to.post(path, object);
  expect([answer.status, textAt(answer.body, "message")]).toEqual([201, ""]);
  const status = await to.put(`${path}/${name}/status`, {
    ...answer.body,
    status: object["status"] ?? {},
  });
  expect([status.status, textAt(status.body, "message")]).toEqual([200, ""]);
  await to.request("DELETE", `${path}/${name}`);
  // What the API answers of an object that it took is one.
  return status.body as unknown as KubeObject;
}
