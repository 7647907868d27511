/** `restore HASH`: an accident with DNSEntries is undone, and nothing that exists is touched. */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENDPOINT, DNS_ENTRY } from "../../model/kinds.ts";
import { restoreText } from "../commands/ask/texts/text-of.ts";

const COUNT = 40;
const LOAD_BALANCER = { type: "LoadBalancer" };
const API = "dns.gardener.cloud/v1alpha1";
const nameAt = (index: number) => `e${String(index).padStart(2, "0")}`;

/** Forty entries of an earlier process, deleted at once; `early` of them some minutes before. */
async function accident({ early = 0 } = {}) {
  const world = programWorld({ controllers: ["compound"] });
  const { cluster, clock } = world;
  const apply = (index: number, more: object = {}) => {
    const spec = { dnsName: `${nameAt(index)}.example.org`, targets: ["192.0.2.1"], ...more };
    const metadata = { labels: { team: "a" }, annotations: { note: `${index}` } };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", nameAt(index), { spec, metadata }));
  };
  for (let index = 0; index < COUNT; index++) apply(index);
  const first = world.start();
  await clock.advance(60_000);
  await first.stop();
  const running = world.start();
  await clock.advance(1_200_000);
  for (let index = 0; index < early; index++) cluster.delete(DNS_ENTRY, "default", nameAt(index));
  await clock.advance(300_000);
  for (let index = early; index < COUNT; index++)
    cluster.delete(DNS_ENTRY, "default", nameAt(index));
  await clock.advance(30_000);
  const [set] = running.zones().flatMap(({ heldSets }) => heldSets);
  const restore = async (isDoing: boolean) => {
    const answer = running.restore(set?.hash ?? "", isDoing);
    await clock.advance(30_000);
    return (await answer) ?? [];
  };
  return { ...world, running, apply, set, restore };
}

/** It ends as without our finalizer; the fuse holds its record. */
function letGo(cluster: MemoryCluster, name: string): void {
  const present = cluster.now(DNS_ENTRY, "default", name);
  if (present === null) throw new Error(`${name} is gone`);
  cluster.apply(DNS_ENTRY, { ...present, metadata: { ...present.metadata, finalizers: [] } });
}

test("the entry of a Service that was deleted on purpose stays away, and the Service is named", async () => {
  const world = programWorld({ controllers: ["compound", "service-dns"] });
  const { cluster, clock } = world;
  const metadata = { annotations: { "dns.gardener.cloud/dnsnames": "dead.example.org" } };
  cluster.apply(SERVICE, objectOf("v1", "Service", "dead", { metadata, spec: LOAD_BALANCER }));
  cluster.setStatus(SERVICE, "default", "dead", {
    loadBalancer: { ingress: [{ ip: "192.0.2.1" }] },
  });
  for (let index = 0; index < COUNT; index++) {
    const spec = { dnsName: `${nameAt(index)}.example.org`, targets: ["192.0.2.1"] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", nameAt(index), { spec }));
  }
  const running = world.start();
  await clock.advance(1_200_000);
  expect(world.values("dead.example.org")).toEqual(["192.0.2.1"]);
  cluster.delete(SERVICE, "default", "dead");
  await clock.advance(60_000);
  expect(world.values("dead.example.org")).toEqual([]);
  for (let index = 0; index < COUNT; index++) cluster.delete(DNS_ENTRY, "default", nameAt(index));
  await clock.advance(30_000);
  const [set] = running.zones().flatMap(({ heldSets }) => heldSets);
  const shown = (await running.restore(set?.hash ?? "", false)) ?? [];
  const rowOf = (object: string) => shown.find((row) => row.object === object);
  expect(rowOf("service/default/dead")).toMatchObject({ state: "outside-set", manifest: null });
  const answer = running.restore(set?.hash ?? "", true);
  await clock.advance(120_000);
  const rows = (await answer) ?? [];
  expect(rows.map(({ object }) => object)).not.toContain("service/default/dead");
  expect(world.values("dead.example.org")).toEqual([]);
  await running.stop();
});

test("an entry of another type at a name of the set that was deleted on purpose stays away", async () => {
  const { cluster, clock, start, values } = programWorld({ controllers: ["compound"] });
  const put = (name: string, index: number, target: string) => {
    const spec = { dnsName: `${nameAt(index)}.example.org`, targets: [target] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { spec }));
  };
  for (let index = 0; index < COUNT; index++) put(nameAt(index), index, "192.0.2.1");
  put("dead", 0, "2001:db8::dead");
  const running = start();
  await clock.advance(1_200_000);
  expect(values("e00.example.org")).toEqual(["192.0.2.1", "2001:db8::dead"]);
  cluster.delete(DNS_ENTRY, "default", "dead");
  await clock.advance(12 * 3_600_000);
  for (let index = 0; index < COUNT; index++) cluster.delete(DNS_ENTRY, "default", nameAt(index));
  await clock.advance(30_000);
  const [set] = running.zones().flatMap(({ heldSets }) => heldSets);
  const restored = running.restore(set?.hash ?? "", true);
  await clock.advance(120_000);
  expect((await restored)?.map(({ object }) => object)).toHaveLength(COUNT);
  expect(values("e00.example.org")).toEqual(["192.0.2.1"]);
  await running.stop();
});

test("a set is restored and nothing else; what else was deleted is shown apart", async () => {
  const { cluster, running, set, restore, values } = await accident({ early: 3 });
  expect(set?.removals).toBe(COUNT - 3);
  const shown = await restore(false);
  const of = (state: string) => shown.filter((row) => row.state === state);
  expect([of("restore").length, of("outside-set").length]).toEqual([COUNT - 3, 3]);
  const text = restoreText(set?.hash ?? "", shown);
  expect(text).toContain("dnsentry/default/e00: not of this set: deleted at 2026-");
  expect(text.indexOf("e00: not of this set")).toBeGreaterThan(text.indexOf("--yes does it"));
  expect(parse(text.split("---\n")[1] ?? "")).toMatchObject({ metadata: { name: "e00" } });
  const done = await restore(true);
  expect(done.map(({ state }) => state)).toEqual(Array(COUNT - 3).fill("restored"));
  expect(cluster.all(DNS_ENTRY)).toHaveLength(COUNT - 3);
  expect([values("e00.example.org"), values("e03.example.org")]).toEqual([[], ["192.0.2.1"]]);
  await running.stop();
});

test("a preview changes nothing; then every deleted entry is there again, with its record", async () => {
  const { cluster, running, set, restore, clock, values } = await accident();
  expect(set?.removals).toBeGreaterThan(0);
  const before = JSON.stringify(cluster.all(DNS_ENTRY));
  const shown = await restore(false);
  expect(shown.filter(({ state }) => state === "restore")).toHaveLength(COUNT);
  expect(JSON.stringify(cluster.all(DNS_ENTRY))).toBe(before);
  const done = await restore(true);
  expect(done.map(({ state }) => state)).toEqual(Array(COUNT).fill("restored"));
  await clock.advance(60_000);
  const entries = cluster.all(DNS_ENTRY);
  expect(entries).toHaveLength(COUNT);
  expect(entries[0]).toMatchObject({
    metadata: { labels: { team: "a" }, annotations: { note: "0" } },
    spec: { dnsName: "e00.example.org" },
    status: { state: "Ready" },
  });
  for (const { metadata } of entries) {
    expect(metadata.deletionTimestamp).toBeUndefined();
    expect(values(`${metadata.name}.example.org`)).toEqual(["192.0.2.1"]);
  }
  expect(running.zones().flatMap(({ heldSets }) => heldSets)).toEqual([]);
  await running.stop();
});

test.each([
  ["and seen", "restored"],
  ["and not seen yet", "left"],
])("what was created again meanwhile %s is left as it is", async (seen, state) => {
  const { cluster, running, set, restore, apply } = await accident();
  expect(set?.removals).toBe(COUNT);
  const index = 0;
  letGo(cluster, nameAt(index));
  if (seen !== "and seen") cluster.holdWatch(DNS_ENTRY);
  apply(index, { targets: ["192.0.2.9"] });
  const done = await restore(true);
  const object = `dnsentry/default/${nameAt(index)}`;
  expect(done.find((one) => one.object === object)?.state ?? "restored").toBe(state);
  expect(cluster.now(DNS_ENTRY, "default", nameAt(index))?.["spec"]).toMatchObject({
    targets: ["192.0.2.9"],
  });
  expect(cluster.all(DNS_ENTRY)).toHaveLength(COUNT);
  await running.stop();
});

test("without the right to create them, entries stay as they are and their manifests are printed", async () => {
  const { cluster, running, restore } = await accident();
  letGo(cluster, nameAt(1));
  const before = cluster.all(DNS_ENTRY).map(({ metadata }) => metadata);
  expect(before).toHaveLength(COUNT - 1);
  for (let times = 0; times < COUNT; times++)
    cluster.fail({ on: "create", code: "Forbidden", applied: false, kind: DNS_ENTRY });
  const done = await restore(true);
  expect(new Set(done.map(({ state }) => state))).toEqual(new Set(["apply"]));
  expect(done[0]).toMatchObject({
    object: "dnsentry/default/e00",
    message: expect.stringContaining("apply its manifest, or give the right (deploy/rbac/)"),
    manifest: { kind: "DNSEntry", spec: { dnsName: "e00.example.org" } },
  });
  expect(cluster.all(DNS_ENTRY).map(({ metadata }) => metadata)).toEqual(before);
  const text = restoreText("4f0c", done.slice(0, 1));
  const printed = text.slice(text.indexOf("---"));
  expect(parse(printed)).toEqual(done[0]?.manifest);
  await running.stop();
});

test("DNSEndpoints of a held set are created again", async () => {
  const world = programWorld({ controllers: ["compound", "crd"] });
  const { cluster, clock } = world;
  for (let index = 0; index < COUNT; index++) {
    const dnsName = `${nameAt(index)}.example.org`;
    const endpoints = [{ dnsName, recordType: "A", targets: ["192.0.2.1"] }];
    const fields = { spec: { endpoints } };
    cluster.apply(
      DNS_ENDPOINT,
      objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", nameAt(index), fields),
    );
  }
  const first = world.start();
  await clock.advance(60_000);
  await first.stop();
  const running = world.start();
  await clock.advance(1_200_000);
  for (const { metadata } of cluster.all(DNS_ENDPOINT))
    cluster.delete(DNS_ENDPOINT, "default", metadata.name);
  await clock.advance(30_000);
  const [set] = running.zones().flatMap(({ heldSets }) => heldSets);
  const answer = running.restore(set?.hash ?? "", true);
  await clock.advance(30_000);
  const states = (await answer)?.map(({ state }) => state);
  expect(states).toEqual(Array(COUNT).fill("restored"));
  await clock.advance(60_000);
  expect(cluster.all(DNS_ENDPOINT)).toHaveLength(COUNT);
  expect(world.values("e39.example.org")).toEqual(["192.0.2.1"]);
  expect(running.zones().flatMap(({ heldSets }) => heldSets)).toEqual([]);
  await running.stop();
});

test("an entry that goes by itself in that moment is created again, too", async () => {
  const { cluster, running, restore } = await accident();
  // The controller takes some of them, for the finalizers of what is created again.
  for (let times = 0; times < 2 * COUNT; times++)
    cluster.fail({ on: "patch", code: "NotFound", applied: true, kind: DNS_ENTRY });
  const done = await restore(true);
  expect(done.map(({ state }) => state)).toEqual(Array(COUNT).fill("restored"));
  expect(cluster.all(DNS_ENTRY)).toHaveLength(COUNT);
  await running.stop();
});

test("an entry whose status is written in that moment is created again, too", async () => {
  const { cluster, running, restore } = await accident();
  for (let times = 0; times < COUNT; times++)
    cluster.fail({ on: "patch", code: "Conflict", applied: false, kind: DNS_ENTRY });
  const done = await restore(true);
  expect(done.map(({ state }) => state)).toEqual(Array(COUNT).fill("restored"));
  expect(cluster.all(DNS_ENTRY)).toHaveLength(COUNT);
  await running.stop();
});

test("a hash that nobody holds restores nothing", async () => {
  const { running } = await accident();
  expect(await running.restore("0000", true)).toBeNull();
  await running.stop();
});
