import { expect, test } from "vitest";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const COPY = { dnsName: "copy.example.org", reference: { name: "web" } };
const WEB = { dnsName: "www.example.org", targets: ["192.0.2.1"], ttl: 60 };
const COPIED = "copy.example.org 60 A 192.0.2.1";

async function started(...entries: readonly (readonly [string, object])[]): Promise<SpineWorld> {
  const world = new SpineWorld();
  world.start();
  world.provider();
  for (const [name, spec] of entries) world.entry(name, spec);
  await world.pass(60_000);
  return world;
}

test("an entry takes targets and TTL of the one that it refers to, and follows its changes", async () => {
  const world = await started(["copy", COPY], ["web", WEB]);
  expect(world.zone()).toEqual([COPIED, "www.example.org 60 A 192.0.2.1"]);
  world.entry("web", { dnsName: "www.example.org", text: ["hello"] });
  await world.pass(60_000);
  expect(world.zone()).toContain('copy.example.org 300 TXT "hello"');
  expect(world.entries()["copy"]).toBe("Ready: dns entry active");
});

test("what the entry says itself of its TTL comes first, and a chain is followed", async () => {
  const middle = { dnsName: "mid.example.org", reference: { name: "web" }, ttl: 120 };
  const last = { dnsName: "last.example.org", reference: { name: "mid", namespace: "default" } };
  const world = await started(["last", last], ["mid", middle], ["web", WEB]);
  expect(world.zone()).toContain("last.example.org 120 A 192.0.2.1");
  world.entry("web", { ...WEB, targets: ["192.0.2.2"] });
  await world.pass(60_000);
  expect(world.zone()).toContain("last.example.org 120 A 192.0.2.2");
});

test("a list without items is none, beside a reference and in the entry that it is to", async () => {
  const empty = { targets: [], text: [] };
  const world = await started(["copy", { ...COPY, ...empty }], ["web", { ...WEB, text: [] }]);
  expect(world.zone()).toContain(COPIED);
  world.entry("copy", { ...COPY, targets: ["192.0.2.9"] });
  await world.pass(60_000);
  expect(world.entries()["copy"]).toMatch(/a reference or targets, not both/);
});

test("the record stays while the entry that it refers to is gone, and the message says so", async () => {
  const world = await started(["copy", COPY], ["web", WEB]);
  world.cluster.delete(DNS_ENTRY, "default", "web");
  await world.pass(60_000);
  expect(world.zone()).toEqual([COPIED]);
  expect(world.entries()["copy"]).toMatch(
    /^Stale: .*DNSEntry default\/web does not exist; create it, or write targets here/,
  );
  world.entry("web", { ...WEB, targets: ["192.0.2.7"] });
  await world.pass(60_000);
  expect(world.zone()).toContain("copy.example.org 60 A 192.0.2.7");
  world.cluster.delete(DNS_ENTRY, "default", "copy");
  await world.pass(60_000);
  expect(world.zone()).toEqual(["www.example.org 60 A 192.0.2.7"]);
});

test("an entry whose reference cannot be read goes with its record", async () => {
  const world = await started(["copy", COPY], ["web", WEB]);
  world.cluster.delete(DNS_ENTRY, "default", "web");
  await world.pass(60_000);
  world.cluster.delete(DNS_ENTRY, "default", "copy");
  await world.pass(60_000);
  expect(world.zone()).toEqual([]);
  expect(world.cluster.now(DNS_ENTRY, "default", "copy")).toBeNull();
});

test("references that form a loop publish nothing, and each says the way", async () => {
  const one = { dnsName: "one.example.org", reference: { name: "two" } };
  const two = { dnsName: "two.example.org", reference: { name: "one" } };
  const world = await started(
    ["one", one],
    ["two", two],
    ["self", { ...COPY, reference: { name: "self" } }],
  );
  expect(world.zone()).toEqual([]);
  expect(world.entries()["one"]).toMatch(/references form a loop: one → two → one; write targets/);
  expect(world.entries()["self"]).toMatch(/references form a loop: self → self/);
  world.entry("two", { dnsName: "two.example.org", targets: ["192.0.2.2"] });
  await world.pass(60_000);
  expect(world.zone()).toContain("one.example.org 300 A 192.0.2.2");
});

test("a chain of more than ten entries is refused", async () => {
  const names = Array.from({ length: 11 }, (_, index) => `e${index}`);
  const chain = names.map((name, index): [string, object] => {
    const next =
      index === 10 ? { targets: ["192.0.2.1"] } : { reference: { name: `e${index + 1}` } };
    return [name, { dnsName: `${name}.example.org`, ...next }];
  });
  const world = await started(...chain);
  expect(world.entries()["e0"]).toMatch(/more than 10 entries refer to each other: e0 → e1 →/);
  expect(world.zone()).toContain("e1.example.org 300 A 192.0.2.1");
});
