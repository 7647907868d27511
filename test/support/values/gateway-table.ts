/**
 * Routes, listeners and ListenerSets as the conformance tests of Gateway API have them, and the
 * names that they have in common. Objects are whole, so that released definitions take them.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";

const GROUP = "gateway.networking.k8s.io";

/** Gateway `public` of the namespace `infra`, route `web` of `shop`, and what they come to. */
export interface GatewayCase {
  readonly title: string;
  /** Absent = HTTPRoute. */
  readonly kind?: "GRPCRoute" | "TLSRoute" | "HTTPRoute";
  /** Absent = it names none. */
  readonly hosts?: readonly string[];
  readonly listeners: readonly object[];
  /** Listeners of ListenerSet `more` in the namespace `shop`; absent = there is none. */
  readonly set?: readonly object[];
  /** Absent = the Gateway lets in no ListenerSet. */
  readonly allowedListeners?: object;
  /** Beside name and namespace of the Gateway. Several = several parents. */
  readonly refs?: readonly object[];
  /** Conditions of the route in place of its acceptance. */
  readonly conditions?: readonly object[];
  readonly names: readonly string[];
  readonly problems?: readonly string[];
}

const ALL = { namespaces: { from: "All" } };
const SHOP = {
  namespaces: {
    from: "Selector",
    selector: { matchLabels: { "kubernetes.io/metadata.name": "shop" } },
  },
};
const listener = (name: string, hostname: string | null, more: object = {}) => ({
  ...{ name, port: 80, protocol: "HTTP", allowedRoutes: ALL },
  ...(hostname === null ? {} : { hostname }),
  ...more,
});
const WEB = listener("web", "*.example.org");
const SET = { kind: "ListenerSet", name: "more", namespace: "shop" };
const yes = (type: string) => condition(type, "True", type);
const condition = (type: string, status: string, reason: string) => ({
  ...{ type, status, reason, message: "said so" },
  lastTransitionTime: "2026-11-29T00:00:00Z",
});
const A = ["a.example.org"];

/** All cases. */
export const GATEWAY_CASES: readonly GatewayCase[] = [
  { title: "an equal host", hosts: A, listeners: [listener("web", "a.example.org")], names: A },
  { title: "a wildcard listener", hosts: A, listeners: [WEB], names: A },
  {
    title: "a wildcard route",
    hosts: ["*.example.org"],
    listeners: [listener("web", "a.example.org")],
    names: A,
  },
  {
    title: "wildcards on both sides: the more specific one",
    hosts: ["*.b.example.org"],
    listeners: [WEB],
    names: ["*.b.example.org"],
  },
  {
    title: "a wildcard stands for several labels, and not for none",
    hosts: ["a.b.example.org", "example.org"],
    listeners: [WEB],
    names: ["a.b.example.org"],
    problems: ["NoListener"],
  },
  { title: "a route without hosts", listeners: [WEB], names: ["*.example.org"] },
  { title: "a listener without a host", hosts: A, listeners: [listener("web", null)], names: A },
  { title: "none on both sides", listeners: [listener("web", null)], names: [] },
  {
    title: "hosts that have nothing in common",
    hosts: A,
    listeners: [listener("web", "*.example.net")],
    names: [],
    problems: ["NoListener"],
  },
  {
    title: "sectionName chooses a listener",
    listeners: [listener("a", "a.example.org"), listener("b", "b.example.org")],
    refs: [{ sectionName: "b" }],
    names: ["b.example.org"],
  },
  {
    title: "port chooses listeners",
    listeners: [listener("a", "a.example.org"), listener("b", "b.example.org", { port: 8080 })],
    refs: [{ port: 8080 }],
    names: ["b.example.org"],
  },
  {
    title: "a section and another one's port",
    hosts: A,
    listeners: [listener("a", "a.example.org"), listener("b", "b.example.org", { port: 8080 })],
    refs: [{ sectionName: "a", port: 8080 }],
    names: [],
    problems: ["RouteNotAttached"],
  },
  {
    title: "two sections of one Gateway",
    listeners: [listener("a", "a.example.org"), listener("b", "b.example.org")],
    refs: [{ sectionName: "a" }, { sectionName: "b" }],
    names: ["a.example.org", "b.example.org"],
  },
  {
    title: "allowedRoutes: its own namespace alone, where nothing is said",
    hosts: A,
    listeners: [listener("web", null, { allowedRoutes: {} })],
    names: [],
    problems: ["RouteNotAttached"],
  },
  {
    title: "allowedRoutes: namespaces by a selector",
    hosts: A,
    listeners: [listener("web", null, { allowedRoutes: SHOP })],
    names: A,
  },
  {
    title: "allowedRoutes: another kind",
    hosts: A,
    listeners: [
      listener("web", null, { allowedRoutes: { ...ALL, kinds: [{ kind: "GRPCRoute" }] } }),
    ],
    names: [],
    problems: ["RouteNotAttached"],
  },
  {
    title: "allowedRoutes: its kind",
    kind: "GRPCRoute",
    hosts: A,
    listeners: [
      listener("web", null, { allowedRoutes: { ...ALL, kinds: [{ kind: "GRPCRoute" }] } }),
    ],
    names: A,
  },
  {
    title: "a TLSRoute at a listener that passes TLS on, and at none of HTTP",
    kind: "TLSRoute",
    hosts: A,
    listeners: [
      WEB,
      listener("tls", "a.example.org", {
        port: 443,
        protocol: "TLS",
        tls: { mode: "Passthrough" },
      }),
    ],
    names: A,
  },
  {
    title: "a ListenerSet that the Gateway lets in",
    hosts: ["more.example.org"],
    listeners: [WEB],
    set: [listener("more", "more.example.org", { port: 8080 })],
    allowedListeners: SHOP,
    refs: [SET],
    names: ["more.example.org"],
  },
  {
    title: "a section of a ListenerSet, and the Gateway beside it",
    listeners: [listener("web", "a.example.org")],
    set: [
      listener("x", "x.example.org", { port: 81 }),
      listener("y", "y.example.org", { port: 82 }),
    ],
    allowedListeners: ALL,
    refs: [{ ...SET, sectionName: "y" }, {}],
    names: ["a.example.org", "y.example.org"],
  },
  {
    title: "a ListenerSet that the Gateway does not let in",
    hosts: ["more.example.org"],
    listeners: [WEB],
    set: [listener("more", "more.example.org", { port: 8080 })],
    refs: [SET],
    names: [],
    problems: ["RouteNotAttached"],
  },
  {
    title: "a Gateway that does not accept the route",
    hosts: A,
    listeners: [WEB],
    conditions: [condition("Accepted", "False", "NotAllowedByListeners")],
    names: [],
    problems: ["RouteNotAttached"],
  },
  {
    title: "a reference into another namespace without a ReferenceGrant: published, and told",
    hosts: A,
    listeners: [WEB],
    conditions: [yes("Accepted"), condition("ResolvedRefs", "False", "RefNotPermitted")],
    names: A,
    problems: ["RefNotPermitted"],
  },
  {
    title: "a reference that leads nowhere",
    hosts: A,
    listeners: [WEB],
    conditions: [yes("Accepted"), condition("ResolvedRefs", "False", "BackendNotFound")],
    names: A,
  },
];

const made = (kind: string, namespace: string, name: string, fields: object): KubeObject => ({
  ...{ apiVersion: `${GROUP}/v1`, kind, metadata: { namespace, name } },
  ...fields,
});

/** The route last. */
export function objectsOf(one: GatewayCase): readonly KubeObject[] {
  const { listeners, set, allowedListeners, hosts, refs = [{}], kind = "HTTPRoute" } = one;
  const { conditions = [yes("Accepted")] } = one;
  const parentRefs = refs.map((ref) => ({ name: "public", namespace: "infra", ...ref }));
  const accepted = { conditions: [yes("Accepted")] };
  const gateway = {
    spec: {
      ...{ gatewayClassName: "example", listeners },
      ...(allowedListeners === undefined ? {} : { allowedListeners }),
    },
    status: { addresses: [{ type: "IPAddress", value: "192.0.2.1" }] },
  };
  const ofSet = (section: object & { readonly name?: unknown }) => ({
    ...{ name: section.name, attachedRoutes: 1, supportedKinds: [] },
    conditions: [yes("Accepted")],
  });
  return [
    made("Gateway", "infra", "public", gateway),
    ...(set === undefined
      ? []
      : [
          made("ListenerSet", "shop", "more", {
            spec: { parentRef: { name: "public", namespace: "infra" }, listeners: set },
            status: { ...accepted, listeners: set.map(ofSet) },
          }),
        ]),
    made(kind, "shop", "web", {
      spec: {
        parentRefs,
        ...(hosts === undefined ? {} : { hostnames: hosts }),
        rules: [{ backendRefs: [{ name: "web", port: 80 }] }],
      },
      status: {
        parents: parentRefs.map((parentRef) => ({
          ...{ parentRef, controllerName: "example.org/controller", conditions },
        })),
      },
    }),
  ];
}
