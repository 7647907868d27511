/** Which listeners take a route, and which of its hosts: the cases of Gateway API's conformance. */
import { NAMESPACE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { describe, expect, test } from "vitest";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import {
  GATEWAY,
  GRPC_ROUTE,
  HTTP_ROUTE,
  TCP_ROUTE,
  TLS_ROUTE,
  UDP_ROUTE,
} from "../../model/kinds.ts";
import { openSource } from "../index.ts";

const API = "gateway.networking.k8s.io/v1";
const OPTIONS = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };

interface Story {
  readonly kind?: KindRef;
  readonly hosts?: readonly string[];
  readonly listeners: readonly object[];
  readonly ref?: object;
  readonly labels?: Readonly<Record<string, string>>;
  readonly addresses?: readonly object[];
}

/** A route of namespace `shop` at a Gateway of namespace `infra` that says it accepts it. */
function worldOf({ listeners, labels = {}, addresses = [{ value: "192.0.2.1" }] }: Story) {
  const cluster = new MemoryCluster("c1");
  cluster.apply(NAMESPACE, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "shop", labels },
  });
  const metadata = { name: "public", namespace: "infra" };
  cluster.apply(GATEWAY, { apiVersion: API, kind: "Gateway", metadata, spec: { listeners } });
  cluster.setStatus(GATEWAY, "infra", "public", { addresses });
  return cluster;
}

function foundOf(story: Story, cluster = worldOf(story)) {
  const { kind = HTTP_ROUTE, hosts, ref = {} } = story;
  const parentRef = { name: "public", namespace: "infra", ...ref };
  const route = {
    apiVersion: API,
    kind: kind.kind,
    metadata: { name: "web", namespace: "shop" },
    spec: { parentRefs: [parentRef], hostnames: hosts },
    status: { parents: [{ parentRef, conditions: [{ type: "Accepted", status: "True" }] }] },
  };
  const name = `gateway-${kind.kind.toLowerCase()}`;
  return openSource(name, OPTIONS).endpoints(route, cluster);
}

const namesOf = (story: Story): readonly string[] => [
  ...new Set(foundOf(story).items.map(({ name }) => name)),
];

const ALL = { namespaces: { from: "All" } };
const http = (hostname: string | undefined, more: object = {}) => ({
  name: "web",
  port: 80,
  protocol: "HTTP",
  ...(hostname === undefined ? {} : { hostname }),
  allowedRoutes: ALL,
  ...more,
});

describe("hosts of a route and of a listener", () => {
  test.each([
    [["a.example.org"], "a.example.org", ["a.example.org"]],
    [["A.Example.org"], "a.example.ORG", ["a.example.org"]],
    [["a.example.org"], undefined, ["a.example.org"]],
    [["a.example.org"], "", ["a.example.org"]],
    [[], "a.example.org", ["a.example.org"]],
    [undefined, "*.example.org", ["*.example.org"]],
    [undefined, undefined, []],
    [["a.example.org"], "b.example.org", []],
    [["a.example.org"], "*.example.org", ["a.example.org"]],
    [["a.b.example.org"], "*.example.org", ["a.b.example.org"]],
    [["example.org"], "*.example.org", []],
    [["aexample.org"], "*.example.org", []],
    [["*.example.org"], "a.example.org", ["a.example.org"]],
    [["*.example.org"], "*.example.org", ["*.example.org"]],
    [["*.a.example.org"], "*.example.org", ["*.a.example.org"]],
    [["*.example.org"], "*.a.example.org", ["*.a.example.org"]],
    [["*.example.org"], "*.example.net", []],
    [["a.example.org", "b.example.org"], "*.example.org", ["a.example.org", "b.example.org"]],
  ])("%o at %s: %o", (hosts, hostname, names) => {
    expect(
      namesOf({ ...(hosts === undefined ? {} : { hosts }), listeners: [http(hostname)] }),
    ).toEqual(names);
  });
});

describe("section and port of the reference", () => {
  const listeners = [
    http("a.example.org", { name: "a", port: 80 }),
    http("b.example.org", { name: "b", port: 8080 }),
    http("c.example.org", { name: "c", port: 8080 }),
  ];
  test.each([
    [{}, ["a.example.org", "b.example.org", "c.example.org"]],
    [{ sectionName: "b" }, ["b.example.org"]],
    [{ port: 8080 }, ["b.example.org", "c.example.org"]],
    [{ sectionName: "c", port: 8080 }, ["c.example.org"]],
    [{ sectionName: "c", port: 80 }, []],
    [{ sectionName: "other" }, []],
  ])("%o", (ref, names) => {
    expect(namesOf({ ref, listeners })).toEqual(names);
  });
});

describe("who is allowed", () => {
  const selector = { matchLabels: { team: "a" } };
  const expression = (operator: string, values?: readonly string[]) => ({
    matchExpressions: [{ key: "team", operator, ...(values === undefined ? {} : { values }) }],
  });
  test.each([
    ["nothing is said: its own namespace", undefined, false],
    ["Same", { namespaces: { from: "Same" } }, false],
    ["All", ALL, true],
    ["None", { namespaces: { from: "None" } }, false],
    ["a word nobody knows", { namespaces: { from: "Some" } }, false],
    ["the label", { namespaces: { from: "Selector", selector } }, true],
    [
      "another label",
      { namespaces: { from: "Selector", selector: { matchLabels: { team: "b" } } } },
      false,
    ],
    ["no selector", { namespaces: { from: "Selector" } }, false],
    ["In", { namespaces: { from: "Selector", selector: expression("In", ["a", "b"]) } }, true],
    ["NotIn", { namespaces: { from: "Selector", selector: expression("NotIn", ["a"]) } }, false],
    ["Exists", { namespaces: { from: "Selector", selector: expression("Exists") } }, true],
    [
      "DoesNotExist",
      { namespaces: { from: "Selector", selector: expression("DoesNotExist") } },
      false,
    ],
    [
      "an operator nobody knows",
      { namespaces: { from: "Selector", selector: expression("Gt", ["1"]) } },
      false,
    ],
    ["its kind", { ...ALL, kinds: [{ kind: "HTTPRoute" }] }, true],
    ["another kind", { ...ALL, kinds: [{ kind: "GRPCRoute" }] }, false],
    ["another group", { ...ALL, kinds: [{ group: "example.org", kind: "HTTPRoute" }] }, false],
  ])("%s", (_, allowedRoutes, isAllowed) => {
    const listeners = [http("a.example.org", { allowedRoutes })];
    const names = namesOf({ listeners, labels: { team: "a" } });
    expect(names).toEqual(isAllowed ? ["a.example.org"] : []);
  });
});

describe("protocols", () => {
  const listeners = ["HTTP", "HTTPS", "TLS", "TCP", "UDP"].map((protocol, index) =>
    http(`${protocol.toLowerCase()}.example.org`, { name: protocol, port: index + 1, protocol }),
  );
  test.each([
    [HTTP_ROUTE, ["http.example.org", "https.example.org"]],
    [GRPC_ROUTE, ["http.example.org", "https.example.org"]],
    [TLS_ROUTE, ["tls.example.org"]],
    [TCP_ROUTE, ["tcp.example.org", "tls.example.org"]],
    [UDP_ROUTE, ["udp.example.org"]],
  ])("$kind", (kind, names) => {
    expect(namesOf({ kind, listeners })).toEqual(names);
  });
});

describe("what is wrong is a problem of the route, and takes nothing away", () => {
  test("10 000 hosts", () => {
    const hosts = Array.from({ length: 10_000 }, (_, index) => `h${index}.example.org`);
    const { items, problems, complete } = foundOf({ hosts, listeners: [http("*.example.org")] });
    expect(items).toHaveLength(1000);
    expect([problems.map(({ code }) => code), complete]).toEqual([["TooManyNames"], false]);
  });

  test("a listener whose hostname is no name", () => {
    const listeners = [http("a..example.org"), http("b.example.org", { name: "b" })];
    const { items, problems, complete } = foundOf({ listeners });
    expect(items.map(({ name }) => name)).toEqual(["b.example.org"]);
    expect([problems.map(({ field }) => field), complete]).toEqual([
      ["spec.listeners of Gateway infra/public"],
      false,
    ]);
  });

  test.each([
    ["127.0.0.1", "ImplausibleTarget"],
    ["not a target", "InvalidTarget"],
  ])("a Gateway that reports %s", (value, code) => {
    const story = { hosts: ["a.example.org"], listeners: [http("*.example.org")] };
    const { items, waiting, problems } = foundOf({
      ...story,
      addresses: [{ type: "Hostname", value }],
    });
    expect([items, waiting, problems.map((one) => one.code)]).toEqual([
      [],
      [{ name: "a.example.org", reason: "SourceIncomplete" }],
      [code],
    ]);
  });

  test("an address of a type that only its controller knows is none", () => {
    const story = { hosts: ["a.example.org"], listeners: [http("*.example.org")] };
    const addresses = [{ type: "example.org/Pool", value: "pool-a" }];
    expect(foundOf({ ...story, addresses }).waiting).toEqual([
      { name: "a.example.org", reason: "NoTargets" },
    ]);
  });

  test.each(["syncing", "forbidden"] as const)("Z-1 Gateways are %s", (state) => {
    const story = { hosts: ["a.example.org"], listeners: [http("*.example.org")] };
    const cluster = worldOf(story);
    cluster.setKindState(GATEWAY, state);
    const { items, waiting, complete } = foundOf(story, cluster);
    expect([items, waiting, complete]).toEqual([
      [],
      [{ name: "a.example.org", reason: "SourceIncomplete" }],
      false,
    ]);
  });
});
