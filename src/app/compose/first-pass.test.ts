import { sleep } from "@zonekeeper/base/ports/clock";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { Reconciler } from "@zonekeeper/kube/client/queue/reconciler";
import { expect, test } from "vitest";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { FirstPass, type FirstPassFacts, HOLD_MS, PLANNING_MS, UNREAD_MS } from "./first-pass.ts";

function setUp(facts: Partial<FirstPassFacts> = {}, took: Readonly<Record<string, number>> = {}) {
  const clock = new VirtualClock();
  const ports = { clock, log: new MemoryLog(), metrics: new MemoryMetrics() };
  const start = (options: ConstructorParameters<typeof Reconciler>[0]): Reconciler =>
    new Reconciler(options, { ...ports, random: new SeededRandom(5) });
  const pass = new FirstPass(start, [["dnsprovider"], ["service-dns"], ["dnsentry"]], {
    isListed: () => true,
    isJudging: () => false,
    zonesInPlanning: () => [],
    onRead: () => undefined,
    clock,
    ...facts,
  });
  const queues = ["dnsprovider", "service-dns", "dnsentry"].map((name) =>
    pass.startQueue({ name, reconcile: () => sleep(clock, took[name] ?? 1) }),
  );
  const open = (): readonly string[] => pass.checks().flatMap(({ name, ok }) => (ok ? [] : [name]));
  return { clock, pass, queues, open };
}

test("each stage waits for the keys that its queues had when it began, and then for no other", async () => {
  const { clock, pass, queues, open } = setUp({}, { dnsentry: 5 });
  for (const queue of queues) queue.add("default/a");
  queues[2]?.addAfter("default/b", 0);
  queues[2]?.addAfter("default/c", 60_000);
  expect(pass.checks()).toEqual([
    {
      name: "objects dnsprovider",
      ok: false,
      message: "1 is still being read for the first time; what it wants is not known yet",
    },
  ]);
  await clock.advance(2);
  expect(open()).toEqual(["objects dnsentry"]);
  queues[2]?.add("default/late");
  await clock.advance(5);
  expect(open()).toEqual([]);
  for (const queue of queues) queue.add("default/edited");
  expect(open()).toEqual([]);
});

test("queues begin when DNSProviders are known, read each key once, and begin late in any case", async () => {
  let isJudging = true;
  const read: string[] = [];
  const one = setUp({ isJudging: () => isJudging });
  const queue = one.pass.startQueue({
    name: "service",
    reconcile: async (key) => void read.push(key),
  });
  queue.addAfter("default/a", 0);
  queue.add("default/b");
  await one.clock.advance(HOLD_MS - 1);
  queue.addAfter("default/a", 0);
  expect(read).toEqual([]);
  isJudging = false;
  one.pass.listed();
  await one.clock.advance(1);
  expect(read.sort()).toEqual(["default/a", "default/b"]);
  const other = setUp({ isListed: () => false });
  const waiting = other.pass.startQueue({
    name: "service",
    reconcile: async (key) => void read.push(key),
  });
  waiting.add("default/c");
  await other.clock.advance(HOLD_MS - 1);
  other.pass.listed();
  await other.clock.advance(HOLD_MS - 1);
  expect(read).not.toContain("default/c");
  await other.clock.advance(1);
  expect(read).toContain("default/c");
  const flapping = setUp({ isListed: () => false });
  flapping.pass
    .startQueue({ name: "service", reconcile: async (key) => void read.push(key) })
    .add("default/d");
  for (let second = 0; second < 30; second++) {
    expect(read).not.toContain("default/d");
    flapping.pass.listed();
    await flapping.clock.advance(1_000);
  }
  expect(read).toContain("default/d");
});

test("a key that is due again while it is worked on is waited for", async () => {
  const { clock, queues, open } = setUp({}, { dnsprovider: 10 });
  queues[0]?.add("default/p");
  await clock.advance(5);
  queues[0]?.add("default/p");
  expect(open()).toEqual(["objects dnsprovider"]);
  await clock.advance(6);
  expect(open()).toEqual(["objects dnsprovider"]);
  await clock.advance(10);
  expect(open()).toEqual([]);
});

test("what a reconcile ends with does not matter: an object that fails is known by its failure", async () => {
  const { clock, pass, open } = setUp();
  const failing = pass.startQueue({
    name: "dnsentry",
    reconcile: () => Promise.reject(new Error("no")),
  });
  failing.add("default/a");
  expect(open()).toEqual(["objects dnsentry"]);
  await clock.advance(1);
  expect(open()).toEqual([]);
});

test("nothing is waited for before all kinds are listed, which their own checks say", () => {
  let isListed = false;
  const { pass, queues, open } = setUp({ isListed: () => isListed });
  expect(pass.checks()).toEqual([]);
  queues[2]?.add("default/a");
  isListed = true;
  expect(open()).toEqual(["objects dnsentry"]);
});

test("a DNSProvider is judged when its zones are listed", () => {
  let isJudging = true;
  const { pass, open } = setUp({ isJudging: () => isJudging });
  expect(pass.checks()).toEqual([
    {
      name: "objects dnsprovider",
      ok: false,
      message: "the zones of a DNSProvider are being listed for the first time",
    },
  ]);
  isJudging = false;
  expect(open()).toEqual([]);
});

test("names are planned once before the pass is over, and are waited for no longer than it says", async () => {
  let planning: readonly string[] = ["example.org"];
  const one = setUp({ zonesInPlanning: () => planning });
  expect(one.pass.checks()).toEqual([
    { name: "objects in zones", ok: false, message: "names of example.org are not planned yet" },
  ]);
  planning = [];
  expect(one.open()).toEqual([]);
  planning = ["example.org"];
  expect(one.open()).toEqual([]);
  const other = setUp({ zonesInPlanning: () => planning });
  expect(other.open()).toEqual(["objects in zones"]);
  await other.clock.advance(PLANNING_MS);
  expect(other.open()).toEqual([]);
});

test("removals wait until listed objects were read, and for one that hangs no longer than it says", async () => {
  let [isListed, calls] = [false, 0];
  const onRead = (): void => {
    calls += 1;
  };
  const facts = { isListed: () => isListed, onRead };
  const one = setUp(facts, { dnsentry: 5 });
  one.queues[2]?.add("default/a");
  expect(one.pass.areObjectsUnread()).toBe(false);
  isListed = true;
  expect(one.pass.areObjectsUnread()).toBe(true);
  await one.clock.advance(UNREAD_MS);
  expect([one.pass.areObjectsUnread(), calls]).toEqual([false, 1]);
  const hanging = setUp(facts, { dnsentry: 10 * UNREAD_MS });
  hanging.queues[2]?.add("default/a");
  expect(hanging.pass.areObjectsUnread()).toBe(true);
  await hanging.clock.advance(UNREAD_MS - 1);
  expect([hanging.pass.areObjectsUnread(), calls]).toEqual([true, 1]);
  await hanging.clock.advance(1);
  expect([hanging.pass.areObjectsUnread(), calls]).toEqual([false, 2]);
  const ended = setUp(facts, { dnsentry: 10 * UNREAD_MS });
  ended.queues[2]?.add("default/a");
  ended.pass.listed();
  ended.pass.stop();
  await ended.clock.advance(2 * UNREAD_MS);
  expect(calls).toBe(2);
});

test("as soon as a fresh instance is ready, its plan has what its objects want", async () => {
  const { clock, cluster, start } = programWorld({ dryRun: true });
  const spec = { dnsName: "www.example.org", targets: ["192.0.2.1"] };
  cluster.apply(DNS_ENTRY, objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", "www", { spec }));
  const running = start();
  const isReady = (): boolean => running.checks().every(({ ok }) => ok);
  expect(isReady()).toBe(false);
  for (let tries = 0; tries < 5_000 && !isReady(); tries++) await clock.advance(1);
  expect(isReady()).toBe(true);
  const open = running.zones().flatMap((zone) => zone.open.map(({ name }) => name));
  expect(open).toEqual([trustedDnsName("www.example.org")]);
  await running.stop();
});
