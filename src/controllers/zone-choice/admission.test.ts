import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";
import { isThrottledText } from "./admission.ts";

const MINUTE_MS = 60_000;

function started(spec: object): SpineWorld {
  const world = new SpineWorld();
  world.provider("p", spec);
  world.start();
  return world;
}

function make(world: SpineWorld, name: string, address = "192.0.2.1"): void {
  world.entry(name, { dnsName: `${name}.example.org`, targets: [address] });
}

const FULL = "provider default/p has reached its entries quota (max=2)";

test("a quota takes no more entries; what it has stays, over a restart too; the next one comes when one goes", async () => {
  const world = started({ quotas: { entries: 2 } });
  await world.pass();
  for (const name of ["a", "b", "c"]) make(world, name);
  await world.pass(MINUTE_MS);
  expect(world.zone()).toEqual(["a.example.org 300 A 192.0.2.1", "b.example.org 300 A 192.0.2.1"]);
  expect(world.entries()["c"]).toContain(`Error: ${FULL}`);
  await world.stop();
  world.start();
  make(world, "a", "192.0.2.9");
  await world.pass(MINUTE_MS);
  expect(world.zone()).toEqual(["a.example.org 300 A 192.0.2.9", "b.example.org 300 A 192.0.2.1"]);
  world.cluster.delete(DNS_ENTRY, "default", "a");
  await world.pass(MINUTE_MS);
  expect(world.zone()).toEqual(["b.example.org 300 A 192.0.2.1", "c.example.org 300 A 192.0.2.1"]);
  expect(world.entries()).toEqual({ b: "Ready: dns entry active", c: "Ready: dns entry active" });
});

test("a quota that is raised takes the entries that wait, and one that is lowered ends none", async () => {
  const world = started({ quotas: { entries: 1 } });
  await world.pass();
  for (const name of ["a", "b"]) make(world, name);
  await world.pass(MINUTE_MS);
  expect(world.zone()).toHaveLength(1);
  world.provider("p", { quotas: { entries: 2 } });
  await world.pass(MINUTE_MS);
  expect(world.zone()).toHaveLength(2);
  world.provider("p", { quotas: { entries: 0 } });
  await world.pass(MINUTE_MS);
  expect(world.zone()).toHaveLength(2);
});

const THROTTLED =
  'Pending: provider throttled: default/p takes 5760 changes a day; raise its spec.rateLimit, or annotate this entry with dns.gardener.cloud/not-rate-limited: "true"';
// Four a minute, one at once: what Gardener's own test takes.
const LIMIT = { requestsPerDay: 4 * 1_440, burst: 1 };

test("a rate limit spreads new and changed entries, and never deletions", async () => {
  const world = started({ rateLimit: LIMIT });
  await world.pass();
  const [provider] = world.cluster.all(DNS_PROVIDER);
  expect(provider?.["status"]).toMatchObject({ rateLimit: LIMIT });
  for (const name of ["a", "b", "c"]) make(world, name);
  await world.pass(10_000);
  expect(world.zone()).toHaveLength(1);
  expect(Object.values(world.entries()).sort()).toEqual([
    THROTTLED,
    THROTTLED,
    "Ready: dns entry active",
  ]);
  const messages = world.cluster.all(DNS_ENTRY).map(({ status }) => fieldsOf(status)["message"]);
  const recognised = messages.map((message) => isThrottledText(String(message)));
  expect(recognised.sort()).toEqual([false, true, true]);
  await world.pass(15_000);
  expect(world.zone()).toHaveLength(2);
  await world.pass(15_000);
  expect(world.zone()).toHaveLength(3);
  for (const name of ["a", "b", "c"]) world.cluster.delete(DNS_ENTRY, "default", name);
  await world.pass(10_000);
  expect(world.zone()).toEqual([]);
});

test("while a change is throttled what is published stays, and a restart writes nothing", async () => {
  const world = started({ rateLimit: LIMIT });
  await world.pass();
  make(world, "a");
  await world.pass(1_000);
  make(world, "a", "192.0.2.9");
  await world.pass(5_000);
  expect(world.zone()).toEqual(["a.example.org 300 A 192.0.2.1"]);
  expect(world.entries()["a"]).toBe(THROTTLED);
  await world.pass(15_000);
  expect(world.zone()).toEqual(["a.example.org 300 A 192.0.2.9"]);
  await world.stop();
  world.start();
  await world.pass(MINUTE_MS);
  expect(world.entries()["a"]).toBe("Ready: dns entry active");
});

test("an entry that is not-rate-limited does not wait", async () => {
  const world = started({ rateLimit: LIMIT });
  await world.pass();
  for (const name of ["a", "b"]) make(world, name);
  await world.pass(1_000);
  expect(world.zone()).toHaveLength(1);
  for (const name of ["a", "b"])
    world.annotate(DNS_ENTRY, name, { "dns.gardener.cloud/not-rate-limited": "true" });
  await world.pass(2_000);
  expect(world.zone()).toHaveLength(2);
});

test.each([
  [{ rateLimit: { requestsPerDay: 0, burst: 1 } }, "spec.rateLimit.requestsPerDay"],
  [{ rateLimit: { requestsPerDay: 10 } }, "spec.rateLimit.burst"],
  [{ quotas: { entries: -1 } }, "spec.quotas.entries"],
])("%j is refused with its field", async (spec, field) => {
  const world = started(spec);
  await world.pass();
  const [provider] = world.cluster.all(DNS_PROVIDER);
  expect(JSON.stringify(provider?.["status"])).toContain(`${field} is not a whole number`);
});
