/** The status of a DNSOwner that several processes of one class may write. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { FakeTerm } from "../../../test/support/ports/fake-term.ts";
import { parseZone } from "../../../test/support/values/zone-text.ts";
import { ownerWorld } from "../../../test/support/worlds/owner-world.ts";
import { objectOf } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_OWNER, DNS_PROVIDER } from "../../model/kinds.ts";
import { fenceName } from "../../sync/contract/fence-record.ts";

const API = "dns.gardener.cloud/v1alpha1";
/** Of the owner id `shop`, of another installation. */
const FENCE = `${(fenceName(trustedDnsName("example.org"), "shop") ?? "").replace(".example.org", "")} 300 TXT "v=1;domain=uid-2/kube-system/zonekeeper;epoch=1;term=t1"\n`;

/** Two processes with a type of DNSProviders each: example.org is of one, the rest of the other. */
function world(zone = "") {
  const made = ownerWorld(zone);
  const { cluster, start } = made;
  cluster.apply(SECRET, objectOf("v1", "Secret", "s2", {}));
  const annotations = { "dns.gardener.cloud/owner-id": "shop" };
  const spec = { type: "second", secretRef: { name: "s2" } };
  cluster.apply(
    DNS_PROVIDER,
    objectOf(API, "DNSProvider", "p2", { metadata: { annotations }, spec }),
  );
  const second = (name: string, ownerId?: string) => {
    const wanted = { dnsName: `${name}.example.com`, targets: ["192.0.2.2"], ownerId };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { spec: wanted }));
  };
  const fenceOf = (id: string) => ({
    term: new FakeTerm(`uid-1/kube-system/${id}`, 1, id),
    record: true,
  });
  const one = () => start(null, { providerTypes: ["memory"], fence: fenceOf("one") });
  const two = () => start(null, { owner: "you", providerTypes: ["second"], fence: fenceOf("two") });
  const message = () => fieldsOf(made.statusOf("shop"))["message"];
  return { ...made, second, one, two, message };
}

test("both count the entries of both, also those that inherit the id", async () => {
  const { owner, entry, second, one, two, statusOf, rest, cluster } = world();
  const both = [one(), two()];
  owner("shop", { ownerId: "shop" });
  entry("a", "192.0.2.1", "shop");
  entry("b", "192.0.2.1");
  second("c", "shop");
  second("d");
  await rest();
  expect(statusOf("shop")).toEqual({
    active: true,
    entries: { amount: 3, types: { memory: 1, second: 2 } },
  });
  const writes = cluster.writes.length;
  await rest();
  expect(cluster.writes).toHaveLength(writes);
  for (const process of both) await process.stop();
});

test.each(["one", "two"])(
  "an id that waits in the zone of one is told by that one, whoever starts last (%s)",
  async (last) => {
    const { owner, entry, one, two, message, rest, cluster } = world(FENCE);
    owner("shop", { ownerId: "shop" });
    entry("a", "192.0.2.1", "shop");
    const starts = last === "one" ? [two, one] : [one, two];
    const both = [];
    for (const start of starts) {
      both.push(start());
      await rest();
    }
    expect(message()).toContain("waits in example.org:");
    expect(cluster.writes.length).toBeLessThan(60);
    const writes = cluster.writes.length;
    await rest();
    expect(cluster.writes).toHaveLength(writes);
    owner("shop", { ownerId: "shop", active: false });
    await rest();
    expect(message()).toBe("off: spec.active is false");
    for (const process of both) await process.stop();
  },
);

test("it waits in a zone of each: both texts are right, one is shown, and both rest", async () => {
  const { owner, entry, one, two, message, rest, cluster, clock, secondZone } = world(FENCE);
  const { content } = secondZone("example.net");
  const fence = parseZone(FENCE).map((set) => ({
    ...set,
    name: fenceName(trustedDnsName("example.net"), "shop") ?? set.name,
  }));
  content.write(
    fence.map((next) => ({ key: next, next })),
    0,
  );
  entry("a", "192.0.2.1", "shop");
  owner("shop", { ownerId: "shop" });
  const both = [one(), two()];
  await rest();
  expect(message()).toMatch(/^waits in example\.(org|net):/);
  expect(cluster.writes.length).toBeLessThan(60);
  const writes = cluster.writes.length;
  await rest();
  expect(cluster.writes).toHaveLength(writes);
  // Each tells the other in a while that it is still there.
  await clock.advance(1_800_000);
  expect(cluster.writes.length - writes).toBeLessThan(20);
  for (const process of both) await process.stop();
});

test("a status that was decided from an older one is made right as soon as that is seen", async () => {
  const { owner, statusOf, resolver, rest, cluster, start, clock } = ownerWorld();
  const running = start(null);
  resolver.texts.set("active.example.net", ["there"]);
  owner("shop", {
    ownerId: "shop",
    dnsActivation: { dnsName: "active.example.net", value: "here" },
  });
  cluster.holdWatch(DNS_OWNER);
  await rest();
  expect(statusOf("shop")).toMatchObject({ active: false });
  // The watch does not show the message, so that nothing takes it away.
  resolver.texts.set("active.example.net", ["here"]);
  await rest();
  expect(statusOf("shop")).toMatchObject({ active: true, message: expect.any(String) });
  cluster.relist(DNS_OWNER);
  await clock.advance(10_000);
  expect(statusOf("shop")).toEqual({ active: true, entries: { amount: 0, types: {} } });
  await running.stop();
});
