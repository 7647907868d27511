/** What a person who means harm writes into a VirtualService, and what cannot be read. */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { objectOf } from "../../../test/support/worlds/program-world.ts";
import { ISTIO_GATEWAY } from "../../model/kinds.ts";
import { EXTERNAL_DNS_SOURCES } from "../external-dns-rows.ts";
import { openSource } from "../index.ts";

const API = "networking.istio.io/v1";
const A = "a.example.org";

function ask(cluster: MemoryCluster, spec: object, metadata: object = {}) {
  const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };
  const source = openSource("istio-virtualservice", options, EXTERNAL_DNS_SOURCES);
  const object = objectOf(API, "VirtualService", "web", { metadata, spec });
  const { items, waiting, problems, complete } = source.endpoints(object, cluster);
  return {
    names: items.map(({ name }) => name),
    waiting: waiting.map(({ name, reason }) => `${name} ${reason}`),
    problems: problems.map(({ code, message }) => `${code} ${message}`),
    complete,
  };
}

function gateway(cluster: MemoryCluster, name: string, annotations = {}): void {
  const spec = { selector: { istio: "edge" }, servers: [{ hosts: ["*"] }] };
  cluster.apply(ISTIO_GATEWAY, objectOf(API, "Gateway", name, { metadata: { annotations }, spec }));
}

const TARGET = { "external-dns.kubernetes.io/target": "192.0.2.1" };

test("10 000 hosts, and one Gateway 10 000 times", () => {
  const cluster = new MemoryCluster("c1");
  gateway(cluster, "public", TARGET);
  const hosts = Array.from({ length: 10_000 }, (_, at) => `h${at}.example.org`);
  const gateways = hosts.map(() => "public");
  const { names, problems, complete } = ask(cluster, { hosts, gateways });
  expect(names).toHaveLength(1000);
  expect(problems).toEqual([
    "TooManyNames 10000 names are listed; only the first 1000 are used, split the VirtualService",
  ]);
  expect(complete).toBe(false);
});

test("more Gateways than are used", () => {
  const cluster = new MemoryCluster("c1");
  const gateways = Array.from({ length: 40 }, (_, at) => `g${at}`);
  for (const name of gateways) gateway(cluster, name, TARGET);
  expect(ask(cluster, { hosts: [A], gateways })).toEqual({
    ...{ names: [A], waiting: [], complete: false },
    problems: [
      "RouteNotAttached 40 Gateways are named; only the first 32 are used, split the VirtualService",
    ],
  });
});

test.each([
  [ISTIO_GATEWAY, {}],
  [SERVICE, {}],
  [INGRESS, { "external-dns.kubernetes.io/ingress": "edge" }],
])("Z-1 $kind may not be read", (kind, annotations) => {
  const cluster = new MemoryCluster("c1");
  gateway(cluster, "public", annotations);
  cluster.setKindState(kind, "forbidden");
  const { names, waiting, complete } = ask(cluster, { hosts: [A], gateways: ["public"] });
  expect([names, waiting, complete]).toEqual([[], [`${A} SourceIncomplete`], false]);
});

test("one that is being deleted wants nothing", () => {
  const cluster = new MemoryCluster("c1");
  gateway(cluster, "public", TARGET);
  const deletionTimestamp = "2026-11-29T00:00:00Z";
  const asked = ask(cluster, { hosts: [A], gateways: ["public"] }, { deletionTimestamp });
  expect(asked).toEqual({ names: [], waiting: [], problems: [], complete: true });
});
