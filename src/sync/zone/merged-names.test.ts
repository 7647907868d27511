/** Parts of merged record sets, from contributions to the zone (ADR 0118). */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import {
  LIKE_ALIDNS,
  LIKE_CLOUDFLARE,
  LIKE_ETCD,
  LIKE_POWERDNS,
  LIKE_RFC2136,
  LIKE_ROUTE53,
} from "../../../test/support/memory-provider/behaviour.ts";
import {
  engineWorld,
  entry,
  KEY,
  type WorldOptions,
} from "../../../test/support/worlds/engine-world.ts";
import { MERGED_TYPES, partOf } from "../../model/record-set.ts";
import { NO_TRANSFER } from "../../model/transfer-request.ts";
import type { Contribution } from "../contract/contribution.ts";

/** What Service `shop` of a cluster contributes; `isMerged` false = without the annotation. */
const shop = (
  cluster: string,
  values: readonly string[],
  { isMerged = true, namespace = "default", type = "A", ttlSeconds = 300 } = {},
): Contribution => {
  const plain = entry("shop", values, type);
  const object = { ...plain.object, cluster, namespace };
  const member = isMerged && MERGED_TYPES.has(type) ? partOf(object) : {};
  const items = plain.found.items.map((item) => ({
    ...{ ...item, ...member, ttlSeconds, provenance: object },
    transfer: { ...NO_TRANSFER, merge: isMerged },
  }));
  return { ...plain, object, found: { ...plain.found, items } };
};

const SHOP = trustedDnsName("shop.example.org");
const MARKER = trustedDnsName("a-shop.example.org");

const opened = async (options: WorldOptions = {}) => {
  const world = engineWorld(options);
  world.engine.openZone({
    ...world.zoneInput,
    managedTypes: new Set(["A", "AAAA", "CNAME", "NS"]),
  });
  const settle = () => world.clock.advance(20_000);
  await settle();
  const says = async (...all: readonly Contribution[]): Promise<void> => {
    for (const one of all) world.engine.contribute(KEY, one);
    await settle();
  };
  const isGone = async (one: Contribution): Promise<void> => {
    world.engine.withdraw(one.object, "deleted-object");
    await settle();
  };
  const markers = (): readonly string[] =>
    world.values("a-shop").map((text) => /targets=([^",]*)/.exec(text)?.[1] ?? "plain");
  return { ...world, says, isGone, markers };
};

test.each([
  ["rfc2136", LIKE_RFC2136],
  ["Route 53", LIKE_ROUTE53],
  ["etcd", LIKE_ETCD],
])("%s: two clusters have one record set, and the last one takes it", async (_, behaviour) => {
  const world = await opened({ behaviour });
  await world.says(shop("eu", ["192.0.2.1"]), shop("asia", ["192.0.2.2", "192.0.2.3"]));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3"]);
  expect(world.markers()).toEqual(["192.0.2.2;192.0.2.3", "192.0.2.1"]);
  await world.says(shop("asia", ["192.0.2.4"]));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.4"]);
  await world.isGone(shop("eu", []));
  expect(world.values("shop")).toEqual(["192.0.2.4"]);
  expect(world.markers()).toEqual(["192.0.2.4"]);
  await world.isGone(shop("asia", []));
  expect([...world.values("shop"), ...world.values("a-shop")]).toEqual([]);
});

test("explain shows each part with its object, and the marker record set at its own name", async () => {
  const world = await opened();
  await world.says(shop("eu", ["192.0.2.1"]), shop("asia", ["192.0.2.2"]));
  const [shown] = await world.engine.explain(SHOP);
  expect(shown?.standing.map(({ whose, data }) => [whose, data?.setIdentifier])).toEqual([
    ["ours", "asia"],
    ["ours", "eu"],
  ]);
  expect(shown?.marks).toBeUndefined();
  const [marker] = await world.engine.explain(MARKER);
  expect(marker?.marks).toMatchObject([{ is: "marker", whose: "ours" }]);
});

test("an address that two clusters have stays until both are without it", async () => {
  const world = await opened();
  await world.says(shop("eu", ["192.0.2.1", "192.0.2.9"]), shop("asia", ["192.0.2.9"]));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.9"]);
  await world.isGone(shop("eu", []));
  expect(world.values("shop")).toEqual(["192.0.2.9"]);
});

test("an object takes the annotation away, and is plain again when it is alone", async () => {
  const world = await opened();
  await world.says(shop("eu", ["192.0.2.1"], { isMerged: false }));
  expect(world.markers()).toEqual(["plain"]);
  await world.says(shop("eu", ["192.0.2.1"]), shop("asia", ["192.0.2.2"]));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.2"]);
  expect(world.markers()).toEqual(["192.0.2.2", "192.0.2.1"]);
  await world.says(shop("eu", ["192.0.2.1"], { isMerged: false }));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.2"]);
  await world.isGone(shop("asia", []));
  expect(world.values("shop")).toEqual(["192.0.2.1"]);
  expect(world.markers()).toEqual(["plain"]);
});

test("name servers of a delegation come from several clusters, and the last one takes them", async () => {
  const world = await opened();
  const ns = (cluster: string, values: readonly string[]) => shop(cluster, values, { type: "NS" });
  const servers = (): readonly string[] => world.values("shop");
  await world.says(ns("eu", ["ns.eu.example.net"]), ns("asia", ["ns.asia.example.net"]));
  expect(servers()).toEqual(["ns.asia.example.net", "ns.eu.example.net"]);
  expect(world.values("ns-shop")).toHaveLength(2);
  await world.isGone(ns("eu", []));
  expect(servers()).toEqual(["ns.asia.example.net"]);
  await world.isGone(ns("asia", []));
  expect([...servers(), ...world.values("ns-shop")]).toEqual([]);
});

const OTHER = { namespace: "other" };

test.each([
  ["another namespace", shop("asia", ["192.0.2.2"], OTHER)],
  ["no annotation", shop("asia", ["192.0.2.2"], { isMerged: false })],
])("%s: the first one has the name, and the second is told", async (_, second) => {
  const world = await opened();
  await world.says(shop("eu", ["192.0.2.1"]));
  await world.says(second);
  expect(world.values("shop")).toEqual(["192.0.2.1"]);
  const [report] = world.reports.filter(({ object }) => object.cluster === "asia").slice(-1);
  expect(report?.names[0]).toMatchObject({ state: "held", code: "NameTaken" });
});

test("the object that is there lets another namespace in by its permit", async () => {
  const world = await opened();
  const permit = { owner: null, resource: "dnsentry/other/shop" };
  const first = shop("eu", ["192.0.2.1"]);
  const items = first.found.items.map((item) => ({
    ...item,
    transfer: { ...NO_TRANSFER, merge: true, permit },
  }));
  await world.says({ ...first, found: { ...first.found, items } });
  await world.says(shop("asia", ["192.0.2.2"], OTHER));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.2"]);
});

const stateOf = (world: Awaited<ReturnType<typeof opened>>, cluster: string) =>
  world.reports.filter(({ object }) => object.cluster === cluster).at(-1)?.names[0];

test("a stranger's value stays, lets nobody join, and keeps nobody from leaving", async () => {
  const world = await opened();
  await world.says(shop("eu", ["192.0.2.1"]));
  const write = async (values: readonly string[]): Promise<void> => {
    const [set] = world.content.at(SHOP).filter(({ type }) => type === "A");
    if (set !== undefined)
      world.content.write([{ key: set, next: { ...set, values } }], world.clock.monotonicMs());
    await world.clock.advance(20_000);
  };
  await write(["192.0.2.1", "203.0.113.9"]);
  await world.says(shop("asia", ["192.0.2.2"]));
  expect(stateOf(world, "asia")).toMatchObject({ state: "held", code: "ForeignRecord" });
  await world.says(shop("eu", ["192.0.2.11"]));
  expect(world.values("shop")).toEqual(["192.0.2.11", "203.0.113.9"]);
  await world.isGone(shop("eu", []));
  expect([world.values("shop"), world.markers()]).toEqual([["203.0.113.9"], []]);
});

test("a TTL that differs is held until all have one", async () => {
  const world = await opened();
  await world.says(shop("eu", ["192.0.2.1"]));
  await world.says(shop("asia", ["192.0.2.2"], { ttlSeconds: 60 }));
  expect(stateOf(world, "asia")).toMatchObject({ code: "RoutingPolicyConflict" });
  await world.says(shop("asia", ["192.0.2.2"]));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.2"]);
});

test.each([
  ["has no targets", (text: string) => text.replace(/,external-dns\/targets=[^"]*/, "")],
  ["names a cluster twice", (text: string) => text.replace("cluster=asia", "cluster=eu")],
  ["has another owner", (text: string) => text.replace("owner=me", "owner=you")],
])("a marker that %s: nobody changes what they mark", async (_, rewrite) => {
  const world = await opened();
  await world.says(shop("eu", ["192.0.2.1"]), shop("asia", ["192.0.2.2"]));
  const [set] = world.content.at(MARKER);
  if (set === undefined) throw new Error("no markers");
  const values = set.values.map((text) => (text.includes("=asia") ? rewrite(text) : text)).sort();
  world.content.write([{ key: set, next: { ...set, values } }], world.clock.monotonicMs());
  await world.clock.advance(20_000);
  await world.says(shop("eu", ["192.0.2.11"]));
  await world.isGone(shop("asia", []));
  expect(world.values("shop")).toEqual(["192.0.2.1", "192.0.2.2"]);
});

test.each([LIKE_CLOUDFLARE, LIKE_POWERDNS, LIKE_ALIDNS])(
  "nothing is merged on %#",
  async (behaviour) => {
    const world = await opened({ behaviour });
    await world.says(shop("eu", ["192.0.2.1"], { isMerged: false }));
    await world.says(shop("eu", ["192.0.2.1"]));
    expect(stateOf(world, "eu")).toMatchObject({ state: "held", code: "NotSupported" });
    expect(world.values("shop")).toEqual(["192.0.2.1"]);
  },
);

test("more values than a marker has room for are known by their hashes", async () => {
  const world = await opened();
  const many = Array.from({ length: 12 }, (_, at) => `192.0.2.${at + 10}`);
  await world.says(shop("eu", many), shop("asia", ["192.0.2.2"]));
  expect(world.values("shop")).toEqual([...many, "192.0.2.2"].sort());
  expect(world.markers().some((text) => /^~[0-9a-f.]+$/.test(text))).toBe(true);
  await world.says(shop("eu", many.slice(1)));
  expect(world.values("shop")).toEqual([...many.slice(1), "192.0.2.2"].sort());
  await world.isGone(shop("eu", []));
  expect(world.values("shop")).toEqual(["192.0.2.2"]);
});
