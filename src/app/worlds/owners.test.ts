/** DNSOwners switch owner ids on and off in the whole program (ADR 0050). */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { FakeTerm } from "../../../test/support/ports/fake-term.ts";
import { ownerWorld } from "../../../test/support/worlds/owner-world.ts";
import { objectOf } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";
import { fenceName } from "../../sync/contract/fence-record.ts";

const API = "dns.gardener.cloud/v1alpha1";

test("a DNSOwner that is on publishes its entries under its id; off leaves the records", async () => {
  const { owner, entry, statusOf, stateOf, rest, start, zone, values } = ownerWorld();
  const running = start();
  entry("shop", "192.0.2.1", "shop");
  entry("own", "192.0.2.2");
  await rest();
  expect(values("shop.example.org")).toEqual([]);
  expect(stateOf("shop")).toMatchObject({ state: "Stale" });
  owner("shop", { ownerId: "shop" });
  await rest();
  expect(values("shop.example.org")).toEqual(["192.0.2.1"]);
  expect(zone()).toContain("external-dns/owner=shop");
  expect(stateOf("shop")).toMatchObject({ state: "Ready" });
  expect(statusOf("shop")).toMatchObject({ active: true, entries: { amount: 1 } });
  owner("shop", { ownerId: "shop", active: false });
  await rest();
  const before = zone();
  entry("shop", "192.0.2.9", "shop");
  entry("own", "192.0.2.8");
  await rest();
  expect(values("shop.example.org")).toEqual(["192.0.2.1"]);
  expect(values("own.example.org")).toEqual(["192.0.2.8"]);
  expect(zone()).not.toBe(before);
  expect(statusOf("shop")).toMatchObject({ active: false, message: "off: spec.active is false" });
  await running.stop();
});

test("the own id of one of two processes: its DNSOwner has one status, and both rest", async () => {
  const { owner, entry, statusOf, rest, start, cluster } = ownerWorld();
  const both = [start(), start(undefined, { owner: "you", providerTypes: ["second"] })];
  owner("main", { ownerId: "me", active: false });
  entry("own", "192.0.2.2");
  await rest();
  const message = expect.stringContaining('"me" is the owner id of this installation');
  expect(statusOf("main")).toMatchObject({ active: true, message, entries: { amount: 1 } });
  const writes = cluster.writes.length;
  await rest();
  expect(cluster.writes).toHaveLength(writes);
  for (const one of both) await one.stop();
  // With another --owner the DNSOwner decides.
  const later = start(undefined, { owner: "new" });
  await rest();
  expect(statusOf("main")).toMatchObject({ active: false, message: "off: spec.active is false" });
  await later.stop();
});

test("once the process whose own id it is has gone, another one writes the status", async () => {
  const { owner, statusOf, rest, start, cluster, clock } = ownerWorld();
  const gone = start();
  const stays = start(undefined, { owner: "you", providerTypes: ["second"] });
  owner("main", { ownerId: "me" });
  await rest();
  const main = expect.stringContaining('"me" is the owner id of this installation');
  expect(statusOf("main")).toMatchObject({ active: true, message: main });
  // While it is there, its word stands again at once, and seldom anything is written.
  const writes = cluster.writes.length;
  await clock.advance(1_800_000);
  expect(statusOf("main")).toMatchObject({ active: true, message: main });
  expect(cluster.writes.length - writes).toBeLessThan(10);
  await gone.stop();
  await clock.advance(660_000);
  expect(statusOf("main")).not.toHaveProperty("message");
  owner("main", { ownerId: "me", active: false });
  await rest();
  expect(statusOf("main")).toMatchObject({ active: false, message: "off: spec.active is false" });
  await stays.stop();
});

test("so it does at once when the DNSOwner changes", async () => {
  const { owner, statusOf, rest, start } = ownerWorld();
  const gone = start();
  const stays = start(undefined, { owner: "you", providerTypes: ["second"] });
  owner("main", { ownerId: "me" });
  await rest();
  await gone.stop();
  owner("main", { ownerId: "me", active: false });
  await rest();
  expect(statusOf("main")).toMatchObject({ active: false, message: "off: spec.active is false" });
  await stays.stop();
});

test("what is deleted while its owner id is off goes when it is on again, for it was seen", async () => {
  const { owner, entry, rest, start, values, cluster } = ownerWorld();
  owner("shop", { ownerId: "shop" });
  entry("shop", "192.0.2.1", "shop");
  const running = start();
  await rest();
  owner("shop", { ownerId: "shop", active: false });
  await rest();
  cluster.delete(DNS_ENTRY, "default", "shop");
  await rest();
  expect(cluster.now(DNS_ENTRY, "default", "shop")).toBeNull();
  expect(values("shop.example.org")).toEqual(["192.0.2.1"]);
  owner("shop", { ownerId: "shop" });
  await rest();
  expect(values("shop.example.org")).toEqual([]);
  await running.stop();
});

test("Z-22 switching on is additive: a record that no object here listed stays an orphan", async () => {
  const before = `old 300 A 192.0.2.7
a-old 300 TXT "heritage=external-dns,external-dns/cluster=c9,external-dns/owner=shop,external-dns/resource=dnsentry/default/old"
bare 300 A 192.0.2.7
a-bare 300 TXT "heritage=external-dns,external-dns/owner=shop,external-dns/resource=dnsentry/default/bare"
`;
  const { owner, entry, rest, start, values, zone, stateOf } = ownerWorld(before);
  const running = start();
  await rest();
  owner("shop", { ownerId: "shop" });
  await rest();
  await rest();
  expect(values("old.example.org")).toEqual(["192.0.2.7"]);
  expect(values("bare.example.org")).toEqual(["192.0.2.7"]);
  const [rights] = await running.rights(null);
  expect(rights?.owners).toEqual(["me", "shop"]);
  expect(rights?.rows.map(({ whose, name }) => [whose, name])).toEqual(
    expect.arrayContaining([
      ["ours", "old.example.org"],
      ["ours", "bare.example.org"],
    ]),
  );
  // The same entry arrives here: its record comes along, and only the marker is written.
  entry("old", "192.0.2.7", "shop");
  await rest();
  expect(zone()).toMatch(/cluster=c1,[^"]*owner=shop,[^"]*dnsentry\/default\/old/);
  expect(stateOf("old")).toMatchObject({ state: "Ready" });
  await running.stop();
});

test("a record that moves here with another TTL gets its marker first, then its TTL; other values wait", async () => {
  const marker = (name: string) =>
    `a-${name} 300 TXT "heritage=external-dns,external-dns/cluster=c9,external-dns/owner=shop,external-dns/resource=dnsentry/default/${name}"\n`;
  const before = `ttl 60 A 192.0.2.7\n${marker("ttl")}value 60 A 192.0.2.7\n${marker("value")}`;
  const { owner, entry, rest, start, zone, stateOf } = ownerWorld(before);
  const running = start();
  owner("shop", { ownerId: "shop" });
  entry("ttl", "192.0.2.7", "shop");
  entry("value", "192.0.2.8", "shop");
  await rest();
  const moved = (name: string) => new RegExp(`cluster=c1,[^"]*dnsentry/default/${name}"`);
  expect(zone()).toMatch(moved("ttl"));
  expect(zone()).not.toMatch(moved("value"));
  expect(zone()).toContain("value 60 A 192.0.2.7");
  expect(stateOf("value")).toMatchObject({
    ...{ state: "Error", message: expect.stringContaining("the record stays") },
  });
  // Only a person lets records change that this installation meets for the first time (Z-24).
  expect(zone()).toContain("ttl 60 A 192.0.2.7");
  const approve = /zonekeeper approve (\w+)/.exec(JSON.stringify(stateOf("ttl")))?.[1] ?? "";
  await running.approve(approve);
  await rest();
  expect(zone()).toContain("ttl 300 A 192.0.2.7");
  expect(stateOf("ttl")).toMatchObject({ state: "Ready" });
  await running.stop();
});

test("of a record that moves here, the TTL of an entry that is edited after it was read changes at once", async () => {
  const marker =
    'a-ttl 300 TXT "heritage=external-dns,external-dns/cluster=c9,external-dns/owner=shop,external-dns/resource=dnsentry/default/ttl"\n';
  const { owner, entry, rest, start, zone, stateOf, cluster } = ownerWorld(
    `ttl 60 A 192.0.2.7\n${marker}`,
  );
  const running = start();
  owner("shop", { ownerId: "shop" });
  entry("ttl", "192.0.2.7", "shop");
  await rest();
  expect(zone()).toContain("ttl 60 A 192.0.2.7");
  expect(stateOf("ttl")).toMatchObject({ message: expect.stringContaining("zonekeeper approve") });
  const spec = { dnsName: "ttl.example.org", targets: ["192.0.2.7"], ownerId: "shop", ttl: 120 };
  cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "ttl", { spec }));
  await rest();
  expect(zone()).toContain("ttl 120 A 192.0.2.7");
  expect(stateOf("ttl")).toMatchObject({ state: "Ready" });
  await running.stop();
});

test("an id that is on and waits is said so of its entries at once, though the zone is as it was", async () => {
  const name = fenceName(trustedDnsName("example.org"), "shop") ?? "";
  const fence = `${name} 300 TXT "v=1;domain=uid-2/kube-system/zonekeeper;epoch=1;term=t1"\n`;
  const { owner, entry, rest, start, stateOf, clock } = ownerWorld(
    fence.replace(".example.org", ""),
  );
  owner("shop", { ownerId: "shop", active: false });
  entry("shop", "192.0.2.1", "shop");
  const term = new FakeTerm("uid-1/kube-system/zonekeeper", 1, "t1");
  const running = start(null, { fence: { term, record: true } });
  await rest();
  expect(stateOf("shop")).toMatchObject({ message: expect.stringContaining("is not active") });
  owner("shop", { ownerId: "shop" });
  await clock.advance(5_000);
  const waits = { state: "Pending", message: expect.stringContaining("has the owner id") };
  expect(stateOf("shop")).toMatchObject(waits);
  owner("shop", { ownerId: "shop", active: false });
  await clock.advance(5_000);
  expect(stateOf("shop")).toMatchObject({ message: expect.stringContaining("is not active") });
  await running.stop();
});

test("validUntil and a TXT record switch it; a resolver that fails changes nothing", async () => {
  const { owner, entry, rest, start, statusOf, clock, resolver } = ownerWorld();
  const running = start();
  entry("shop", "192.0.2.1", "shop");
  const validUntil = new Date(clock.nowMs() + 600_000).toISOString();
  const dnsActivation = { dnsName: "active.example.net", value: "here" };
  owner("shop", { ownerId: "shop", validUntil, dnsActivation });
  await rest();
  expect(statusOf("shop")).toMatchObject({ active: false });
  resolver.texts.set("active.example.net", ["here"]);
  await rest();
  expect(statusOf("shop")).toMatchObject({ active: true });
  resolver.mood = "fails";
  await rest();
  expect(statusOf("shop")).toMatchObject({ active: true });
  resolver.mood = "answers";
  resolver.texts.set("active.example.net", ["there"]);
  await rest();
  expect(statusOf("shop")).toMatchObject({ active: false });
  resolver.texts.set("active.example.net", ["here"]);
  await rest();
  expect(statusOf("shop")).toMatchObject({ active: true });
  await clock.advance(600_000);
  expect(statusOf("shop")).toMatchObject({
    active: false,
    message: "off: spec.validUntil is over; write a later time to switch it on again",
  });
  await running.stop();
});

test("usage counts entries that inherit the id: by reference, from a DNSProvider, by annotation", async () => {
  const { entry, owner, rest, start, statusOf, cluster } = ownerWorld();
  owner("shop", { ownerId: "shop" });
  const running = start();
  const usage = () => (statusOf("shop") as { entries?: unknown } | undefined)?.entries;
  entry("named", "192.0.2.1", "shop");
  const reference = { dnsName: "ref.example.org", reference: { name: "named" } };
  cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "ref", { spec: reference }));
  const noted = objectOf(API, "DNSEntry", "noted", {
    spec: { dnsName: "noted.example.org", targets: ["192.0.2.3"] },
  });
  const annotations = { "dns.gardener.cloud/owner-id": "shop" };
  cluster.apply(DNS_ENTRY, { ...noted, metadata: { ...noted.metadata, annotations } });
  entry("plain", "192.0.2.4");
  await rest();
  expect(usage()).toEqual({ amount: 3, types: { memory: 3 } });
  // The DNSProvider names a default id: the plain entry has it, too.
  const provider = cluster.now(DNS_PROVIDER, "default", "p");
  if (provider === null) throw new Error("no DNSProvider");
  cluster.apply(DNS_PROVIDER, { ...provider, metadata: { ...provider.metadata, annotations } });
  await rest();
  expect(usage()).toEqual({ amount: 4, types: { memory: 4 } });
  // The id of the referred entry changes: that of the referring one changes with it.
  entry("named", "192.0.2.1", "other");
  await rest();
  expect(usage()).toEqual({ amount: 2, types: { memory: 2 } });
  // A mistake publishes nothing else: the entry is counted where it was.
  entry("plain", "no address!");
  await rest();
  expect(usage()).toEqual({ amount: 2, types: { memory: 2 } });
  cluster.delete(DNS_ENTRY, "default", "plain");
  await rest();
  expect(usage()).toEqual({ amount: 1, types: { memory: 1 } });
  await running.stop();
});

test("the second DNSOwner of an id is told and changes nothing", async () => {
  const { owner, entry, rest, start, statusOf, values } = ownerWorld();
  owner("shop", { ownerId: "shop" });
  entry("shop", "192.0.2.1", "shop");
  const running = start();
  await rest();
  owner("shop-two", { ownerId: "shop", active: false });
  owner("main", { ownerId: "me", active: false });
  owner("bad", { ownerId: "a b" });
  await rest();
  entry("shop", "192.0.2.3", "shop");
  await rest();
  expect(values("shop.example.org")).toEqual(["192.0.2.3"]);
  expect(statusOf("shop")).toMatchObject({ active: true });
  expect(statusOf("shop-two")).toMatchObject({
    active: false,
    message:
      'spec.ownerId: the DNSOwner shop has the owner id "shop" and decides; delete one of the two',
  });
  expect(statusOf("main")).toMatchObject({ active: true });
  expect(statusOf("bad")).toMatchObject({ active: false });
  await running.stop();
});
