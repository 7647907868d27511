import { OperationError } from "@zonekeeper/base/operation-error";
import { CONFIG_MAP } from "@zonekeeper/kube/objects/kinds";
import { beforeEach, describe, expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { step } from "../../../test/support/worlds/reconcile.ts";
import { Outside, runRegistry } from "../../../test/support/worlds/registry-run.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { ConfigMapRegistry } from "../../cluster/state/config-map-registry.ts";
import type { PlanRules } from "../../plan/rules.ts";
import type { Ownership } from "../ownership.ts";
import type { RegistryLocation } from "./locate-registry.ts";
import { openConfigMapOwnership } from "./ownership.ts";

let cluster: MemoryCluster;
let clock: VirtualClock;
let log: MemoryLog;
let zone: ZoneModel;
beforeEach(() => {
  cluster = new MemoryCluster("c1");
  clock = new VirtualClock();
  log = new MemoryLog();
  zone = new ZoneModel([]);
});

const open = (owner = "me", shardBytesMax?: number): Ownership =>
  openConfigMapOwnership({
    apex: ORIGIN,
    store: new ConfigMapRegistry({ writer: cluster, namespace: "dns", owner }),
    id: "0a1b",
    zone: "rfc2136 192.0.2.53:53 example.org",
    atomic: true,
    clock,
    log,
    ...(shardBytesMax === undefined ? {} : { shardBytesMax }),
  });

const run = (desired: string, ownership = open()) =>
  runRegistry({
    zone,
    ownership,
    desired: parseDesired(desired),
    rules: rulesWith({ owners: new Set(["me"]) }),
    outside: new Outside(),
  });

const maps = () =>
  Object.fromEntries(
    cluster.all(CONFIG_MAP).map(({ metadata, ...object }) => [metadata.name, object["data"]]),
  ) as Readonly<Record<string, Readonly<Record<string, string>>>>;

const ROOT = "me-registry-0a1b-1";

describe("rows as the proposal has them", () => {
  test("one for each record of the zone, also for those of nobody; one a line", async () => {
    zone = new ZoneModel(parseZone("unmanaged 300 CNAME loadbalancer2.com."));
    await run("foo 300 A 192.0.2.1\nfoo 300 A 192.0.2.2");
    const data = maps()[ROOT];
    expect(data?.["zone"]).toBe("rfc2136 192.0.2.53:53 example.org");
    expect(data?.["records"]?.split("\n").slice(1, -1)).toEqual([
      expect.stringMatching(
        /^\{"dnsname":"foo.example.org","owner":"me","target":"192.0.2.1","type":"A","ttl":300,"targets":\["192.0.2.1","192.0.2.2"\],"resource":"service\/default\/web","cluster":"c1","hash":"[0-9a-f]{16}"\},$/,
      ),
      '{"dnsname":"unmanaged.example.org","owner":"","target":"loadbalancer2.com.","type":"CNAME","ttl":300,"targets":["loadbalancer2.com."]}',
    ]);
    expect(maps()["me-intents-0a1b"]?.["intents"]).toBe("[\n]");
  });

  test("what grows is split, and read again; no object is larger than it may be", async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `n${at} 300 A 192.0.2.${at}`).join("\n");
    await run(lines, open("me", 1_500));
    const texts = Object.values(maps()).map((data) => data["records"] ?? "");
    expect(texts.length).toBeGreaterThan(8);
    for (const text of texts) expect(text.length).toBeLessThan(1_500);
    const next = open("me", 1_500);
    await next.externalStore?.refresh();
    const owned = await next.read(zone.all());
    expect(owned.filter(({ marker }) => marker?.owner === "me")).toHaveLength(60);
    expect(await run("", next)).toEqual([]);
    expect(zone.all()).toEqual([]);
  });

  test("a split that was broken off leaves the rows where they were", async () => {
    const lines = Array.from({ length: 9 }, (_, at) => `n${at} 300 A 192.0.2.${at}`).join("\n");
    await run(lines);
    const metadata = { name: "me-registry-0a1b-2", namespace: "dns" };
    const left = { zone: "rfc2136 192.0.2.53:53 example.org", records: "[\n]" };
    cluster.apply(CONFIG_MAP, { apiVersion: "v1", kind: "ConfigMap", metadata, data: left });
    await run(`${lines}\nlast 300 A 192.0.2.99`, open("me", 1_000));
    expect(maps()[ROOT]?.["split"]).toBe("2 3");
    expect(await run("", open("me", 1_000))).toEqual([]);
    expect(zone.all()).toEqual([]);
  });
});

describe("every write rests on what was read (Z-8)", () => {
  const EQUAL: Partial<PlanRules> = { adoption: { mode: "equal" } };
  test.each<[string, string, string, readonly string[]]>([
    ["a create", "", "www 300 A 192.0.2.1", ["absent A", "absent CNAME"]],
    [
      "an alias",
      "",
      "www 300 CNAME x.example.com",
      ["name-unused www.example.org", "absent CNAME"],
    ],
    ["an adoption", "www 300 A 192.0.2.1", "www 300 A 192.0.2.1", ["exact A"]],
  ])("%s", async (_, before, desired, conditions) => {
    zone = new ZoneModel(parseZone(before));
    const ownership = open();
    await ownership.externalStore?.refresh();
    const rules = rulesWith({ owners: new Set(["me"]), ...EQUAL });
    const world = { zone, ownership, desired: parseDesired(desired), rules };
    const { group } = await step(nameOf("www"), world);
    const found = group?.preconditions.map((one) => {
      if (one.is === "name-unused") return `${one.is} ${one.name}`;
      return `${one.is} ${one.is === "absent" ? one.key.type : one.set.type}`;
    });
    expect(found).toEqual(conditions);
  });

  test("a change", async () => {
    await run("www 300 A 192.0.2.1");
    const ownership = open();
    await ownership.externalStore?.refresh();
    const rules = rulesWith({ owners: new Set(["me"]) });
    const desired = parseDesired("www 300 A 192.0.2.2");
    const { group } = await step(nameOf("www"), { zone, ownership, desired, rules });
    expect(group?.preconditions).toMatchObject([
      { is: "exact", set: { type: "A", values: ["192.0.2.1"] } },
    ]);
  });
});

describe("where the rows are is asked before the first reading", () => {
  const STORED_IDENTITY = { id: "0a1b", zone: "rfc2136 192.0.2.53:53 example.org" };
  const asking = (find: () => Promise<RegistryLocation>) =>
    openConfigMapOwnership({
      apex: ORIGIN,
      store: new ConfigMapRegistry({ writer: cluster, namespace: "dns", owner: "me" }),
      ...{ id: "0c2d", zone: "rfc2136 ns1:53 example.org", atomic: true, clock, log, find },
    });

  test("rows that are kept under another id are found, followed and written there", async () => {
    await run("www 300 A 192.0.2.1");
    let asked = 0;
    const moved = asking(async () => {
      asked += 1;
      if (asked === 1) throw new OperationError({ code: "Down", message: "", retry: "backoff" });
      return STORED_IDENTITY;
    });
    await expect(moved.externalStore?.refresh()).rejects.toMatchObject({ code: "Down" });
    for (const next of parseZone("x 300 A 198.51.100.9")) zone.write({ op: "create", next });
    expect(await run("www 300 A 192.0.2.2", moved)).toEqual([]);
    expect(showZone(zone.all())).toContain("www 300 A 192.0.2.2");
    expect(asked).toBe(2);
    expect(Object.keys(maps()).sort()).toEqual(["me-intents-0a1b", ROOT]);
    expect(maps()[ROOT]?.["records"]).toMatch(/192\.0\.2\.2.*\n.*198\.51\.100\.9/);
  });

  test("its own are its own", async () => {
    await run(
      "www 300 A 192.0.2.1",
      asking(async () => ({ ...STORED_IDENTITY, id: "0c2d" })),
    );
    expect(Object.keys(maps()).sort()).toEqual(["me-intents-0c2d", "me-registry-0c2d-1"]);
    expect(maps()["me-registry-0c2d-1"]?.["zone"]).toBe("rfc2136 ns1:53 example.org");
  });
});

describe("Z-14 rights are for the recorded data alone", () => {
  test("an old backup does not own what was given away since", async () => {
    await run("www 300 A 192.0.2.1");
    const backup = cluster.now(CONFIG_MAP, "dns", ROOT);
    await run("");
    for (const next of parseZone("www 300 A 198.51.100.1")) zone.write({ op: "create", next });
    const metadata = { name: ROOT, namespace: "dns" };
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data: backup?.["data"] };
    cluster.apply(CONFIG_MAP, object);
    const holds = await run("www 300 A 192.0.2.7");
    expect(holds.map(({ code }) => code)).toEqual(["Contested"]);
    expect(holds[0]?.message).toContain("other data");
    await run("");
    expect(showZone(zone.all())).toBe("www 300 A 198.51.100.1");
  });

  test("a row whose record is gone for longer than a call takes goes", async () => {
    await run("www 300 A 192.0.2.1");
    const ownership = open();
    for (const previous of parseZone("www 300 A 192.0.2.1")) zone.write({ op: "remove", previous });
    await run("", ownership);
    expect(maps()[ROOT]?.["records"]).toContain("www");
    await clock.advance(61_000);
    await run("", ownership);
    expect(maps()[ROOT]?.["records"]).toBe("[\n]");
  });

  test("adoption of an equal record is a row and no write", async () => {
    zone = new ZoneModel(parseZone("www 300 A 192.0.2.1"));
    const ownership = open();
    const desired = parseDesired("www 300 A 192.0.2.1");
    const rules = rulesWith({ adoption: { mode: "equal" } });
    await runRegistry({ zone, ownership, desired, rules, outside: new Outside() });
    const [one] = await ownership.read(zone.all());
    expect(one?.marker?.owner).toBe("me");
    expect(await run("www 300 A 192.0.2.2")).toEqual([]);
    expect(showZone(zone.all())).toBe("www 300 A 192.0.2.2");
  });
});

describe("what cannot be read is unknown, never empty", () => {
  const put = (name: string, data: Readonly<Record<string, string>>) =>
    cluster.apply(CONFIG_MAP, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "dns" },
      data,
    });
  const ZONE = "rfc2136 192.0.2.53:53 example.org";

  test.each<[string, string, () => void]>([
    ["403", "Forbidden", () => cluster.fail({ on: "read", code: "Forbidden", applied: false })],
    ["500", "Unavailable", () => cluster.fail({ on: "read", code: "Unavailable", applied: false })],
    ["half of it", "RegistryUnusable", () => cluster.delete(CONFIG_MAP, "dns", ROOT)],
    ["no JSON", "RegistryUnusable", () => put(ROOT, { zone: ZONE, records: "[{" })],
    ["a bad row", "RegistryUnusable", () => put(ROOT, { zone: ZONE, records: '[{"owner":"me"}]' })],
    ["another zone's", "RegistryUnusable", () => put(ROOT, { zone: "x", records: "[]" })],
    ["missing shards", "RegistryUnusable", () => put(ROOT, { zone: ZONE, split: "2 3" })],
  ])("%s", async (_, code, spoil) => {
    await run("www 300 A 192.0.2.1");
    put("me-intents-0a1b", {
      zone: ZONE,
      intents: '[{"dnsname":"x.example.org","type":"A","owner":"me","next":["0"]}]',
    });
    spoil();
    await expect(run("ftp 300 A 192.0.2.2")).rejects.toMatchObject({ code });
    expect(showZone(zone.all())).toBe("www 300 A 192.0.2.1");
  });

  test("rows without the object of intents are half a registry", async () => {
    await run("www 300 A 192.0.2.1");
    cluster.delete(CONFIG_MAP, "dns", "me-intents-0a1b");
    await expect(run("")).rejects.toMatchObject({ code: "RegistryUnusable" });
    expect(showZone(zone.all())).toBe("www 300 A 192.0.2.1");
  });

  test("without an acknowledged intent nothing is written", async () => {
    const ownership = open();
    await ownership.externalStore?.refresh();
    await ownership.externalStore?.resync([]);
    const failing = { on: "create", code: "Forbidden", applied: false } as const;
    for (let count = 0; count < 30; count++) cluster.fail(failing);
    await expect(run("www 300 A 192.0.2.1", ownership)).rejects.toThrow("still writing");
    expect(zone.all()).toEqual([]);
  });

  test("two processes at once: the one that comes later notices, and reads anew", async () => {
    await run("www 300 A 192.0.2.1");
    const [old, next] = [open(), open()];
    const rules = rulesWith({ owners: new Set(["me"]) });
    const groupOf = async (ownership: Ownership, line: string) => {
      const desired = parseDesired(line);
      const [first] = desired;
      const made = first && (await step(first.name, { zone, ownership, desired, rules }));
      return made?.group ?? expect.fail("there is nothing to do");
    };
    await old.externalStore?.refresh();
    await next.externalStore?.refresh();
    await next.externalStore?.recordIntents([await groupOf(next, "ftp 300 A 192.0.2.2")]);
    const late = await groupOf(old, "irc 300 A 192.0.2.3");
    await expect(old.externalStore?.recordIntents([late])).rejects.toMatchObject({
      code: "RegistryChanged",
    });
    expect(old.externalStore?.isStale).toBe(true);
    await expect(old.externalStore?.recordIntents([late])).rejects.toMatchObject({
      code: "RegistryStale",
    });
    expect(await old.externalStore?.refresh()).toContain("ftp.example.org");
    expect(old.externalStore?.isStale).toBe(false);
    await old.externalStore?.recordIntents([late]);
    expect(maps()["me-intents-0a1b"]?.["intents"]).toMatch(/ftp[\s\S]*irc/);
  });

  test("objects that are removed while it runs are written again", async () => {
    const ownership = open();
    await run("www 300 A 192.0.2.1", ownership);
    cluster.delete(CONFIG_MAP, "dns", ROOT);
    await run("www 300 A 192.0.2.1", ownership);
    expect(maps()[ROOT]?.["records"]).toContain("www.example.org");
    cluster.delete(CONFIG_MAP, "dns", ROOT);
    await run("www 300 A 192.0.2.2", ownership);
    expect(maps()[ROOT]?.["records"]).toContain("192.0.2.2");
  });

  test("after the loss of everything it owns nothing and removes nothing", async () => {
    await run("www 300 A 192.0.2.1");
    for (const { metadata } of cluster.all(CONFIG_MAP))
      cluster.delete(CONFIG_MAP, "dns", metadata.name);
    const holds = await run("www 300 A 192.0.2.2");
    expect(holds.map(({ code }) => code)).toEqual(["ForeignRecord"]);
    await run("");
    expect(showZone(zone.all())).toBe("www 300 A 192.0.2.1");
  });
});
