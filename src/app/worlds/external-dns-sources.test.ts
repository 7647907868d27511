/**
 * Sources of external-dns in the whole program: faults that emptied them in external-dns 0.22
 * (issues 6424, 6728 and DNSEndpoints without a namespace), and kinds that are watched on demand.
 */
import { ENDPOINT_SLICE, NODE, POD, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { type KindRef, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { describe, expect, test } from "vitest";
import { rulesByFlags } from "../../../test/support/values/external-dns-flags.ts";
import type { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import {
  objectOf,
  type ProcessBorder,
  programWorld,
} from "../../../test/support/worlds/program-world.ts";
import { DNS_ENDPOINT } from "../../model/kinds.ts";
import { EXTERNAL_DNS_SOURCES } from "../../sources/external-dns-rows.ts";

const COUNT = 6;
const names = Array.from({ length: COUNT }, (_, at) => `w${at}.example.org`);
const CONTROLLERS = ["compound", "service", "crd"];

const service = (name: string, hostname: string, spec: object = { type: "LoadBalancer" }) =>
  objectOf("v1", "Service", name, {
    metadata: { annotations: { "external-dns.kubernetes.io/hostname": hostname, "x/f": "yes" } },
    spec,
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
  });

const endpoint = (name: string, dnsName: string) =>
  objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", name, {
    metadata: { annotations: { "x/f": "yes" } },
    spec: { endpoints: [{ dnsName, recordType: "A", targets: ["192.0.2.1"] }] },
  });

/** How the next start sees objects. */
interface Sight {
  annotations: "seen" | "invisible";
}

/** What is wrong after the first stop. */
interface Fault extends Partial<Sight> {
  readonly version?: string;
  readonly flags?: readonly string[];
  readonly isBlind?: boolean;
}

function worldWith(sight: Sight) {
  const sources = EXTERNAL_DNS_SOURCES.map((row): typeof row => ({
    ...row,
    open: (options, originals) => {
      const { endpoints } = row.open(options, originals);
      return {
        endpoints: (object, view) => {
          const { annotations: _, ...metadata } = object.metadata;
          return endpoints(sight.annotations === "seen" ? object : { ...object, metadata }, view);
        },
      };
    },
  }));
  return programWorld({ sources, controllers: CONTROLLERS });
}

function published(world: ReturnType<typeof worldWith>, name: string): string {
  return world.values(name).join();
}

function fill(cluster: MemoryCluster): void {
  for (const [at, name] of names.entries()) {
    if (at % 2 === 0) cluster.apply(SERVICE, service(`s${at}`, name));
    else cluster.apply(DNS_ENDPOINT, endpoint(`e${at}`, name));
    if (at % 2 === 0)
      cluster.setStatus(SERVICE, "default", `s${at}`, {
        loadBalancer: { ingress: [{ ip: "192.0.2.1" }] },
      });
  }
}

/** A view that shows nothing of a kind, and says that it is complete. */
function blind(cluster: MemoryCluster, kind: KindRef): ClusterView {
  const isIt = (one: KindRef): boolean => kindText(one) === kindText(kind);
  return new Proxy<ClusterView>(cluster, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== "function") return value;
      return (...args: readonly unknown[]): unknown => {
        const [first] = args as readonly [KindRef];
        if (property === "list" && isIt(first)) return { state: "value", value: [] };
        if (property === "get" && isIt(first)) return { state: "absent" };
        if (property === "subscribe" && isIt(first)) return () => undefined;
        return Reflect.apply(value, target, args);
      };
    },
  });
}

describe("a source that is empty by a fault removes nothing", () => {
  test.each<readonly [string, Fault]>([
    ["annotations are invisible in another version", { version: "2", annotations: "invisible" }],
    ["a filter by annotations matches none", { flags: ["--annotation-filter=x/f=never"] }],
    ["a kind is listed without its objects", { isBlind: true }],
  ])("%s", async (_, { version = "1", flags = [], isBlind = false, annotations = "seen" }) => {
    const sight: Sight = { annotations: "seen" };
    const world = worldWith(sight);
    fill(world.cluster);
    const publish = { externalDns: rulesByFlags("--annotation-filter=x/f=yes") };
    const before = world.start("direct", { publish });
    await world.clock.advance(30_000);
    expect(names.map((name) => published(world, name))).toEqual(names.map(() => "192.0.2.1"));
    await before.stop();
    const content = world.zone();

    sight.annotations = annotations;
    const border: ProcessBorder = {
      clock: world.clock,
      access: (cluster) => ({
        view: isBlind ? blind(cluster, DNS_ENDPOINT) : cluster,
        writer: cluster,
        recorder: cluster,
      }),
      provider: (type) => type,
    };
    const faulty = flags.length === 0 ? publish : { externalDns: rulesByFlags(...flags) };
    const after = world.start("direct", { publish: faulty, version, border });
    await world.clock.advance(600_000);
    expect(world.zone()).toBe(content);
    await after.stop();
  });
});

test("Pods and EndpointSlices are watched when a headless Service asks, and not before", async () => {
  const world = programWorld({ sources: EXTERNAL_DNS_SOURCES, controllers: CONTROLLERS });
  const watched = new Set<string>();
  const border: ProcessBorder = {
    clock: world.clock,
    access: (cluster) => ({
      view: new Proxy<ClusterView>(cluster, {
        get: (target, property) => {
          const value: unknown = Reflect.get(target, property);
          if (typeof value !== "function") return value;
          return (...args: readonly unknown[]): unknown => {
            if (property === "subscribe") watched.add(kindText(args[0] as KindRef));
            return Reflect.apply(value, target, args);
          };
        },
      }),
      writer: cluster,
      recorder: cluster,
    }),
    provider: (type) => type,
  };
  const pod = objectOf("v1", "Pod", "db-0", { spec: { hostname: "db-0" } });
  const slice = (address: string) =>
    objectOf("discovery.k8s.io/v1", "EndpointSlice", "db-1", {
      metadata: { labels: { "kubernetes.io/service-name": "db" } },
      addressType: "IPv4",
      endpoints: [{ addresses: [address], targetRef: { kind: "Pod", name: "db-0" } }],
    });
  world.cluster.apply(POD, pod);
  world.cluster.setKindState(POD, "syncing");
  world.cluster.apply(ENDPOINT_SLICE, slice("10.1.0.1"));
  world.cluster.apply(SERVICE, service("web", "web.example.org"));
  world.cluster.setStatus(SERVICE, "default", "web", {
    loadBalancer: { ingress: [{ ip: "192.0.2.1" }] },
  });
  const publish = { externalDns: rulesByFlags() };
  const running = world.start("direct", { publish, border });
  await world.clock.advance(10_000);
  expect(world.values("web.example.org")).toEqual(["192.0.2.1"]);
  expect([...watched]).not.toContain(kindText(POD));

  world.cluster.apply(SERVICE, service("db", "db.example.org", { clusterIP: "None" }));
  await world.clock.advance(10_000);
  expect([...watched]).toContain(kindText(POD));
  expect(world.values("db.example.org")).toEqual([]);
  world.cluster.relist(POD);
  await world.clock.advance(10_000);
  expect(world.values("db.example.org")).toEqual(["10.1.0.1"]);
  world.cluster.apply(ENDPOINT_SLICE, slice("10.1.0.2"));
  await world.clock.advance(10_000);
  expect(world.values("db-0.db.example.org")).toEqual(["10.1.0.2"]);
  await running.stop();
});

test("a marker of a Node, as external-dns writes it, is for that Node", async () => {
  const marker = "heritage=external-dns,external-dns/owner=me,external-dns/resource=node/n1";
  const world = programWorld({
    sources: EXTERNAL_DNS_SOURCES,
    controllers: ["compound", "node"],
    zone: `n1 300 A 192.0.2.1\na-n1 300 TXT "${marker}"`,
  });
  const node = objectOf("v1", "Node", "n1", { spec: {} });
  const { namespace: _, ...metadata } = node.metadata;
  world.cluster.apply(NODE, { ...node, metadata });
  const addresses = (address: string) =>
    world.cluster.setStatus(NODE, "", "n1", { addresses: [{ type: "ExternalIP", address }] });
  addresses("192.0.2.1");
  const before = world.zone();
  const externalDns = rulesByFlags("--fqdn-template={{ .Name }}.example.org");
  const running = world.start("direct", { publish: { externalDns } });
  await world.clock.advance(60_000);
  expect(world.zone()).toBe(before);
  addresses("192.0.2.2");
  await world.clock.advance(60_000);
  expect(world.values("n1.example.org")).toEqual(["192.0.2.2"]);
  await running.stop();
});
