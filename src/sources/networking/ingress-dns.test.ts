import { expect, test } from "vitest";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { parseAddressNet } from "../../model/addresses.ts";
import { ingressDns } from "./ingress-dns.ts";

const VIEW = new MemoryCluster("c1", () => 0);
const SOURCE = ingressDns({ dnsClasses: DEFAULT_CLASSES, targetNamespace: null });
const NAMES = "dns.gardener.cloud/dnsnames";

function found(
  rules: unknown,
  annotations: Readonly<Record<string, string>>,
  more: { readonly deletionTimestamp?: string } = {},
) {
  return SOURCE.endpoints(
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "web", namespace: "default", annotations, ...more },
      spec: { rules },
      status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
    },
    VIEW,
  );
}

const RULES = [{ host: "a.example.org" }, {}, { host: "" }];
const NOTHING = { items: [], waiting: [], problems: [], complete: true };

test("all hosts of its rules; a rule without a host declares none", () => {
  const { items, complete } = found(RULES, { [NAMES]: "*" });
  expect([items.map(({ name }) => name), complete]).toEqual([["a.example.org"], true]);
});

test.each([
  ["that is being deleted", { [NAMES]: "*" }, { deletionTimestamp: "2026-01-01T00:00:00Z" }],
  ["of another class", { [NAMES]: "*", "dns.gardener.cloud/class": "other" }, {}],
  ["without the annotation", {}, {}],
])("an Ingress %s wants nothing", (_, annotations, more) => {
  expect(found(RULES, annotations, more)).toEqual(NOTHING);
});

test.each([[[{}, { host: "" }]], [[]]])(
  "all hosts of rules without one: %j is told, and wants nothing",
  (rules) => {
    const { items, problems, complete } = found(rules, { [NAMES]: "all" });
    expect([items, complete]).toEqual([[], true]);
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "HostNotDeclared: all hosts are asked for, and no rule has a host: add a rule with the host",
    ]);
  },
);

test.each([
  ["a.example.org; b.example.org", "separate names by commas"],
  ["a.example.org b.example.org", "separate names by commas"],
])("names that are separated otherwise: %s", (names, says) => {
  const { problems, complete } = found(RULES, { [NAMES]: names });
  expect(complete).toBe(false);
  expect(problems[0]?.message).toContain(says);
});

test("a host that is no text hides a name from those who ask for every host", () => {
  const { problems, complete } = found([{ host: { a: 1 } }], { [NAMES]: "all" });
  expect([problems.length, complete]).toEqual([1, false]);
});

test.each([
  ["x.example.org", [], false],
  ["a.example.org,x.example.org", ["a.example.org"], false],
  ["*,x.example.org", ["a.example.org"], true],
])(
  "Z-5: nothing goes while a name is not declared, unless all hosts are asked for: %s",
  (names, published, isComplete) => {
    const { items, waiting, problems, complete } = found(RULES, { [NAMES]: names });
    expect(items.map(({ name }) => name)).toEqual(published);
    expect(waiting.map(({ name }) => name)).toEqual(["x.example.org"]);
    expect([problems.map(({ code }) => code), complete]).toEqual([["HostNotDeclared"], isComplete]);
  },
);

test("more names than an object may list are not read, and nothing goes meanwhile", () => {
  const names = Array.from({ length: 1001 }, (_, index) => `n${index}.example.org`).join(",");
  const { complete, problems } = found(RULES, { [NAMES]: names });
  expect(complete).toBe(false);
  expect(problems.some(({ message }) => message.includes("1001"))).toBe(true);
});

test("addresses in excluded networks are not published; where there is no other one, it waits", () => {
  const nets = ["10.0.0.0/8", "fd00::/8"].map(parseAddressNet);
  const excludedTargetNets = nets.flatMap((net) => (net.ok ? [net.value] : []));
  const source = ingressDns({
    ...{ dnsClasses: DEFAULT_CLASSES, targetNamespace: null },
    excludedTargetNets,
  });
  const reported = (...ingress: readonly object[]) => {
    const { items, waiting, problems } = source.endpoints(
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: { name: "web", namespace: "default", annotations: { [NAMES]: "*" } },
        spec: { rules: RULES },
        status: { loadBalancer: { ingress } },
      },
      VIEW,
    );
    const targets = items.flatMap(({ type, values }) => [type, ...values]);
    return [targets, waiting.length, problems.map(({ code, message }) => `${code}: ${message}`)];
  };
  expect(reported({ ip: "10.1.2.3" }, { ip: "192.0.2.1" }, { ip: "fd00::1" })).toEqual([
    ["A", "192.0.2.1"],
    0,
    [],
  ]);
  expect(reported({ ip: "10.1.2.3", hostname: "lb.example.net" })).toEqual([
    [],
    1,
    [
      "ImplausibleTarget: the load balancer reports 10.1.2.3, which --exclude-target-net excludes; give it an address in another network, or narrow the option",
    ],
  ]);
  expect(reported({ hostname: "lb.example.net" }, { ip: "fd00::1" })[0]).toEqual([
    "CNAME",
    "lb.example.net",
  ]);
  expect(reported()).toEqual([[], 1, []]);
});
