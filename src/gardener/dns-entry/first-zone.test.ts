/** An entry between its first contribution and the status that says its zone. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { CLASS_A } from "../../../test/support/memory-provider/behaviour.ts";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const WEB = { dnsName: "www.example.org", targets: ["192.0.2.1"] };
const RECORD = "www.example.org 300 A 192.0.2.1";

async function started(world = new SpineWorld()): Promise<SpineWorld> {
  world.start();
  world.provider();
  await world.pass();
  return world;
}

test("one write adds the finalizer, and one says zone and state", async () => {
  const world = await started();
  world.entry("web", WEB);
  const writes = world.cluster.writes.length;
  await world.pass();
  expect(world.entries()["web"]).toBe("Ready: dns entry active");
  expect(world.cluster.writes.slice(writes).filter((one) => /DNSEntr/i.test(one))).toHaveLength(2);
});

test("entries that are there at the start get one status, after their DNSProvider is known", async () => {
  const world = new SpineWorld([]);
  const behaviour = { ...CLASS_A, latencyMs: 500 };
  world.account.addZone({ name: trustedDnsName("example.org"), behaviour });
  for (const name of ["a", "b"]) world.entry(name, { ...WEB, dnsName: `${name}.example.org` });
  world.provider();
  const before = world.cluster.writes.length;
  world.start();
  await world.pass(60_000);
  expect(world.entries()).toEqual({ a: "Ready: dns entry active", b: "Ready: dns entry active" });
  const writes = world.cluster.writes.slice(before).filter((one) => /DNSEntr/i.test(one));
  expect(writes, "a finalizer and a status each").toHaveLength(4);
});

test("a zone that says nothing yet: the entry is shown as Pending after a while", async () => {
  const slow = new SpineWorld([]);
  const behaviour = { ...CLASS_A, latencyMs: 60_000 };
  slow.account.addZone({ name: trustedDnsName("example.org"), behaviour });
  const world = await started(slow);
  await world.pass(600_000);
  world.entry("web", WEB);
  await world.pass(9_000);
  expect(world.entries()["web"]).not.toMatch(/Pending/);
  await world.pass(2_000);
  expect(world.entries()["web"]).toMatch(/^Pending/);
  await world.pass(600_000);
  expect(world.entries()["web"]).toBe("Ready: dns entry active");
});

test("F01: after a crash before the status was stored, the record goes with its entry", async () => {
  const world = await started();
  for (let count = 0; count < 50; count++)
    world.cluster.fail({ on: "patchStatus", code: "Unavailable", applied: false, kind: DNS_ENTRY });
  world.entry("web", WEB);
  await world.pass();
  expect(world.zone()).toEqual([RECORD]);
  await world.stop();
  world.cluster.delete(DNS_ENTRY, "default", "web");
  world.start();
  await world.pass(120_000);
  expect(world.zone()).toEqual([]);
  expect(world.cluster.now(DNS_ENTRY, "default", "web")).toBeNull();
});

test("an entry that is made for a Service is created with its finalizer", async () => {
  const world = await started();
  const writes = world.cluster.writes.length;
  world.service("web", "www.example.org", "192.0.2.1");
  await world.pass();
  expect(world.zone()).toEqual([RECORD]);
  const ofEntries = world.cluster.writes.slice(writes).filter((one) => /DNSEntr/i.test(one));
  expect(ofEntries.map((one) => one.split(" ")[0])).toEqual(["create", "write"]);
  world.cluster.delete(SERVICE, "default", "web");
  await world.pass(60_000);
  expect(world.zone()).toEqual([]);
});
