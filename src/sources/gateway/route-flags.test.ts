/** What flags and annotations of external-dns say of routes and their Gateways. */
import { labelRules } from "@zonekeeper/kube/objects/label-rules";
import { describe, expect, test } from "vitest";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { parseAddressNet } from "../../model/addresses.ts";
import { type ExternalDnsRules, NO_RULES } from "../../model/external-dns-rules.ts";
import { GATEWAY, LISTENER_SET } from "../../model/kinds.ts";
import { EXTERNAL_DNS_SOURCES } from "../external-dns-rows.ts";
import { openSource } from "../index.ts";

const API = "gateway.networking.k8s.io/v1";
const PREFIX = "external-dns.kubernetes.io/";
const YES = [{ type: "Accepted", status: "True" }];
const OUTSIDE = { name: "outside" };
const INSIDE = { name: "inside" };
const SET = { kind: "ListenerSet", name: "more" };

/** Two Gateways with a ListenerSet of the first: each has a host of its own, and shares `www`. */
function world(annotations: Readonly<Record<string, string>> = {}): MemoryCluster {
  const cluster = new MemoryCluster("c1");
  const listener = (name: string) => ({ name, port: 80, protocol: "HTTP", hostname: host(name) });
  for (const [name, value] of [
    ["outside", "192.0.2.1"],
    ["inside", "10.0.0.1"],
  ] as const) {
    cluster.apply(GATEWAY, {
      ...{ apiVersion: API, kind: "Gateway" },
      metadata: { name, namespace: "default", labels: { view: name }, annotations },
      spec: {
        listeners: [listener(name), listener("www")],
        allowedListeners: { namespaces: { from: "Same" } },
      },
    });
    cluster.setStatus(GATEWAY, "default", name, { addresses: [{ value }] });
  }
  cluster.apply(LISTENER_SET, {
    ...{ apiVersion: API, kind: "ListenerSet" },
    metadata: { name: "more", namespace: "default" },
    spec: { parentRef: OUTSIDE, listeners: [listener("more")] },
  });
  const listeners = [{ name: "more", conditions: YES }];
  cluster.setStatus(LISTENER_SET, "default", "more", { conditions: YES, listeners });
  return cluster;
}

const host = (label: string): string => `${label}.example.org`;

interface Asked {
  readonly rules?: Partial<ExternalDnsRules>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly hosts?: readonly string[];
  readonly refs?: readonly object[];
  readonly answered?: readonly object[];
  readonly conditions?: readonly object[];
  readonly cluster?: MemoryCluster;
}

function ask(asked: Asked) {
  const { refs = [OUTSIDE], hosts, annotations = {}, cluster = world() } = asked;
  const route = {
    ...{ apiVersion: API, kind: "HTTPRoute" },
    metadata: { name: "web", namespace: "default", annotations },
    spec: { parentRefs: refs, ...(hosts === undefined ? {} : { hostnames: hosts.map(host) }) },
    status: {
      parents: (asked.answered ?? refs).map((parentRef) => ({
        parentRef,
        conditions: asked.conditions ?? YES,
      })),
    },
  };
  const externalDns = { ...NO_RULES, ...asked.rules };
  const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null, externalDns };
  const source = openSource("gateway-httproute", options, EXTERNAL_DNS_SOURCES);
  const found = source.endpoints(route, cluster);
  return {
    lines: [
      ...found.items.map(({ name, values }) => `${name.split(".")[0]} ${values.join(" ")}`),
      ...found.waiting.map(({ name, reason }) => `${name.split(".")[0]} ${reason}`),
    ],
    problems: found.problems.map(({ message }) => message),
    complete: found.complete,
  };
}

const fine = (...lines: readonly string[]) => ({ lines, problems: [], complete: true });

function selector(text: string): ExternalDnsRules["gateways"] {
  const rules = labelRules(text);
  if (!rules.ok) throw new Error(rules.error);
  return rules.value;
}

describe("a Gateway that flags leave out keeps its names, and holds no other one", () => {
  const both = { refs: [OUTSIDE, INSIDE] };
  test.each([
    [{ gatewayName: "outside" }],
    [{ gateways: selector("view=outside") }],
    [{ gateways: selector("view!=inside"), gatewayNamespace: "default" }],
  ])("%o", (rules) => {
    const kept = fine("outside 192.0.2.1", "www 192.0.2.1", "inside SourceIncomplete");
    expect(ask({ ...both, rules })).toEqual(kept);
    expect(ask({ ...both, rules, hosts: ["www", "inside"] })).toEqual(
      fine("www 192.0.2.1", "inside SourceIncomplete"),
    );
    expect(ask({ ...both, rules, hosts: ["www"] })).toEqual(fine("www 192.0.2.1"));
  });

  test("also one that does not accept the route, and one that takes none of it", () => {
    const rules = { gatewayName: "outside" };
    const no = [{ type: "Accepted", status: "False" }];
    const refs = [INSIDE];
    expect(ask({ refs, rules, conditions: no })).toEqual(fine());
    expect(ask({ refs: [{ ...INSIDE, port: 81 }], rules })).toEqual(fine());
    const gone = { refs: [{ name: "gone" }], rules, hosts: ["www"] };
    expect(ask(gone)).toEqual({ lines: ["www SourceIncomplete"], problems: [], complete: false });
  });

  test("by the annotation controller", () => {
    const other = { [`${PREFIX}controller`]: "other" };
    expect(ask({ cluster: world(other), hosts: ["www"] })).toEqual(fine("www SourceIncomplete"));
    const own = { [`${PREFIX}controller`]: "dns-controller" };
    expect(ask({ cluster: world(own), hosts: ["www"] })).toEqual(fine("www 192.0.2.1"));
  });

  test("ListenerSets without --gateway-listener-sets", () => {
    const more = { refs: [SET], hosts: ["more"] };
    expect(ask(more)).toEqual(fine("more 192.0.2.1"));
    expect(ask({ ...more, rules: { readsListenerSets: false } })).toEqual({
      ...{ lines: ["more SourceIncomplete"], problems: [], complete: false },
    });
    expect(ask({ ...more, rules: { gatewayName: "inside" } })).toEqual(
      fine("more SourceIncomplete"),
    );
  });
});

describe("gateway-hostname-source", () => {
  const hostname = { [`${PREFIX}hostname`]: host("www") };
  const from = (value: string) => ({
    annotations: { ...hostname, [`${PREFIX}gateway-hostname-source`]: value },
  });
  test.each([
    ["annotation-only", ["outside"], ["www 192.0.2.1"]],
    ["Annotation-Only", undefined, ["www 192.0.2.1"]],
    ["defined-hosts-only", ["outside"], ["outside 192.0.2.1"]],
    ["defined-hosts-only", undefined, []],
  ])("%s of %o", (value, hosts, lines) => {
    const asked = { ...from(value), ...(hosts === undefined ? {} : { hosts }) };
    expect(ask(asked)).toEqual(fine(...lines));
  });

  test("another value is told, and both count", () => {
    const { lines, problems } = ask({ ...from("both"), hosts: ["outside"] });
    expect(lines).toEqual(["outside 192.0.2.1", "www 192.0.2.1"]);
    expect(problems).toEqual([
      "it is none of annotation-only, defined-hosts-only, so that hosts and annotation count",
    ]);
  });
});

describe("targets", () => {
  test("outside of --target-net-filter are not published", () => {
    const net = parseAddressNet("10.0.0.0/8");
    const rules = { targetNets: net.ok ? [net.value] : [] };
    const refs = [OUTSIDE, INSIDE];
    expect(ask({ refs, rules, hosts: ["www", "outside"] })).toEqual(
      fine("www 10.0.0.1", "outside NoTargets"),
    );
  });

  test("of one prefix alone, on Gateways as on routes", () => {
    const rules = { prefixes: ["dns.example/"] };
    const other = { [`${PREFIX}target`]: "192.0.2.9" };
    expect(ask({ rules, cluster: world(other), hosts: ["www"] })).toEqual(fine("www 192.0.2.1"));
    const own = { "dns.example/target": "192.0.2.8" };
    expect(ask({ rules, cluster: world(own), hosts: ["www"] })).toEqual(fine("www 192.0.2.8"));
  });
});

test.each(["syncing", "forbidden"] as const)("Z-1 ListenerSets are %s", (state) => {
  const cluster = world();
  cluster.setKindState(LISTENER_SET, state);
  const { lines, complete } = ask({ cluster, refs: [SET], hosts: ["more"] });
  expect([lines, complete]).toEqual([["more SourceIncomplete"], false]);
});

test("a controller that answers for the Gateway as a whole answers for its section", () => {
  const refs = [{ ...OUTSIDE, sectionName: "www" }];
  expect(ask({ refs, answered: [OUTSIDE] })).toEqual(fine("www 192.0.2.1"));
  const other = [{ ...OUTSIDE, sectionName: "outside" }];
  expect(ask({ refs, answered: other, hosts: ["www"] })).toEqual({
    ...{ lines: ["www SourceIncomplete"], problems: [], complete: false },
  });
});

describe("odd Gateways and ListenerSets", () => {
  const gateway = (spec: object, metadata: object = {}) => ({
    ...{ apiVersion: API, kind: "Gateway" },
    metadata: { name: "outside", namespace: "default", ...metadata },
    spec,
  });
  const held = { lines: ["www SourceIncomplete"], complete: false };

  test.each([
    ["listeners that are no list", { listeners: 7 }],
    ["a listener of no protocol", { listeners: [{ name: "www", port: 80 }] }],
    ["a listener for other kinds", only({ kinds: [{ kind: "GRPCRoute" }, {}] })],
    ["a listener for kinds of others", only({ kinds: [{ group: "x", kind: "HTTPRoute" }] })],
  ])("%s take nothing, and the names stay", (_, spec) => {
    const cluster = world();
    cluster.apply(GATEWAY, gateway(spec));
    const asked = ask({ cluster, hosts: ["www"] });
    expect(asked).toMatchObject(held);
    expect(asked.problems).toEqual([expect.stringContaining("no listener of Gateway")]);
  });

  test("a listener for this kind takes it", () => {
    const cluster = world();
    cluster.apply(GATEWAY, gateway(only({ kinds: [{ kind: "HTTPRoute" }] })));
    expect(ask({ cluster, hosts: ["www"] }).lines).toEqual(["www 192.0.2.1"]);
  });

  test("addresses of no known type, or without a value, are none", () => {
    const cluster = world();
    const addresses = [{ type: "x.example/own", value: "a" }, {}, { type: "Hostname", value: 7 }];
    cluster.setStatus(GATEWAY, "default", "outside", { addresses });
    expect(ask({ cluster, hosts: ["www"] }).lines).toEqual(["www NoTargets"]);
    cluster.setStatus(GATEWAY, "default", "outside", { addresses: 7 });
    expect(ask({ cluster, hosts: ["www"] }).lines).toEqual(["www NoTargets"]);
  });

  test("a parent without name, and a refusal without words", () => {
    expect(ask({ refs: [{}], hosts: ["www"] })).toMatchObject(held);
    const conditions = [{ type: "Accepted", status: "False" }];
    const refused = ask({ conditions, hosts: ["www"] });
    expect(refused).toMatchObject(held);
    expect(refused.problems).toEqual([expect.stringContaining("does not accept the route ():")]);
    expect(ask({ conditions: [], hosts: ["www"] })).toMatchObject({ ...held, problems: [] });
  });

  test("a ListenerSet that is not accepted, not let in, or not there", () => {
    const asked = (status: object) => {
      const cluster = world();
      cluster.setStatus(LISTENER_SET, "default", "more", status);
      return ask({ refs: [SET], cluster, hosts: ["more"] });
    };
    const kept = { lines: ["more SourceIncomplete"], complete: false };
    expect(asked({})).toMatchObject(kept);
    expect(asked({ conditions: YES, listeners: 7 })).toMatchObject(kept);
    const cluster = world();
    cluster.apply(GATEWAY, gateway({ listeners: [] }));
    expect(ask({ refs: [SET], cluster, hosts: ["more"] })).toMatchObject(kept);
    const none = { kind: "ListenerSet", name: "none" };
    expect(ask({ refs: [none], hosts: ["more"] })).toMatchObject(kept);
  });
});

function only(allowedRoutes: object): object {
  return { listeners: [{ name: "www", port: 80, protocol: "HTTP", allowedRoutes }] };
}
