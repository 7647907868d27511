import { OperationError } from "@zonekeeper/base/operation-error";
import { CONFIG_MAP } from "@zonekeeper/kube/objects/kinds";
import { beforeEach, describe, expect, test } from "vitest";
import { nameOf, ORIGIN, parseZone } from "../../../test/support/values/zone-text.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { ConfigMapRegistry } from "../../cluster/state/config-map-registry.ts";
import type { RegistryStore, StoredObject } from "../../ports/stores.ts";
import { findRegistry, locationOf } from "./locate-registry.ts";
import { objectsOf, RegistryRows } from "./registry-rows.ts";
import { type Claim, rowOf } from "./row.ts";

const OLD = "rfc2136 127.0.0.1:53 example.org";
const NEW = "rfc2136 localhost:53 example.org";
const CLAIM: Claim = { owner: "me", resource: "service/default/web", cluster: "c1" };

let cluster: MemoryCluster;
let store: ConfigMapRegistry;
beforeEach(() => {
  cluster = new MemoryCluster("c1");
  store = new ConfigMapRegistry({ writer: cluster, namespace: "dns", owner: "me" });
});

const find = (zone: string, from: RegistryStore = store) =>
  findRegistry({ store: from, apex: ORIGIN, zone });
const rootOf = (zone: string) => objectsOf(locationOf(zone).id).root;
const remove = (name: string) => cluster.delete(CONFIG_MAP, "dns", store.nameOf(name));
const put = (name: string, data: StoredObject["data"]) =>
  cluster.apply(CONFIG_MAP, {
    ...{ apiVersion: "v1", kind: "ConfigMap", data },
    metadata: { name: store.nameOf(name), namespace: "dns" },
  });

/** A registry as it is after a record was written. */
async function keep(zone: string, claim: Claim | null = CLAIM): Promise<void> {
  const rows = new RegistryRows({ store, ...locationOf(zone) });
  const [set] = parseZone("www 300 A 192.0.2.1");
  if (set === undefined) throw new Error("no set");
  rows.put(nameOf("www"), [rowOf(set, claim)]);
  await rows.flush(new Map());
  const { name, type, setIdentifier } = set;
  const intents = { name, type, setIdentifier, claim: CLAIM, next: [] };
  if (claim !== null) await rows.flush(new Map([["www", intents]]));
  await rows.flush(new Map());
}

const elsewhere = expect.objectContaining({ code: "RegistryElsewhere", retry: "backoff" });

describe("a zone of this apex that was opened before has a registry", () => {
  beforeEach(async () => {
    await find(OLD);
    await keep(OLD);
  });

  test("its own is found again", async () => {
    expect(await find(OLD)).toEqual(locationOf(OLD));
  });

  test("another text for the server is not opened; both objects and both ways out are named", async () => {
    const error = await find(NEW).catch((error: unknown) => error);
    expect(error).toEqual(elsewhere);
    const message = error instanceof OperationError ? error.message : "";
    for (const part of [NEW, OLD, rootOf(NEW), rootOf(OLD)]) expect(message).toContain(part);
    expect(message).toMatch(
      /create the ConfigMap dns\/me-registry-\w{12}-1 with the data zone: .*continues: .*records/,
    );
    expect(await store.read(rootOf(NEW))).toBeNull();
  });

  test("a person says that both are one: it goes on where the old one was, now and later", async () => {
    put(rootOf(NEW), { zone: NEW, continues: `${OLD}\n` });
    expect(await find(NEW)).toEqual(locationOf(OLD));
    expect(await find(OLD)).toEqual(locationOf(OLD));
  });

  test("what continues another counts for nothing of its own, and may be continued", async () => {
    put(rootOf(NEW), { zone: NEW, continues: OLD });
    const third = "rfc2136 ns1:53 example.org";
    await expect(find(third)).rejects.toEqual(elsewhere);
    put(rootOf(third), { continues: NEW });
    expect(await find(third)).toEqual(locationOf(OLD));
  });

  test("… also what it has left of its own, from before it was continued", async () => {
    await keep(NEW);
    await find(NEW);
    remove(rootOf(OLD));
    remove(objectsOf(locationOf(OLD).id).intents);
    put(rootOf(NEW), { zone: NEW, continues: OLD });
    const third = "rfc2136 ns1:53 example.org";
    expect(await find(third)).toEqual(locationOf(third));
  });

  test("a person says that they are two: it begins anew", async () => {
    put(rootOf(NEW), { zone: NEW, records: "[]" });
    expect(await find(NEW)).toEqual(locationOf(NEW));
    await expect(new RegistryRows({ store, ...locationOf(NEW) }).refresh()).resolves.toEqual([]);
  });

  test("the old one is gone, or claims nothing: nothing can be lost", async () => {
    remove(rootOf(OLD));
    await expect(find(NEW)).rejects.toMatchObject({ code: "RegistryUnusable" });
    remove(objectsOf(locationOf(OLD).id).intents);
    expect(await find(NEW)).toEqual(locationOf(NEW));
  });

  test("another apex has nothing to do with it", async () => {
    const zone = "rfc2136 127.0.0.1:53 example.net";
    const found = findRegistry({ store, apex: nameOf("sub"), zone });
    expect(await found).toEqual(locationOf(zone));
  });

  test("its rows are lost and its intents are there: it is not taken for one that never was", async () => {
    remove(rootOf(OLD));
    expect(await find(OLD)).toEqual(locationOf(OLD));
    await keep(NEW);
    await find(NEW);
    expect(await find(OLD)).toEqual(locationOf(OLD));
  });

  test("eight others may be followed, one after the other, and no more", async () => {
    const zones = Array.from({ length: 10 }, (_, index) => `rfc2136 ns${index} example.org`);
    const lead = (from: number, to: string) =>
      put(rootOf(zones[from] ?? ""), { continues: to, zone: zones[from] ?? "" });
    for (let from = 0; from < 8; from++) lead(from, zones[from + 1] ?? "");
    lead(8, OLD);
    expect(await find(zones[1] ?? "")).toEqual(locationOf(OLD));
    await expect(find(zones[0] ?? "")).rejects.toMatchObject({
      code: "RegistryUnusable",
      retry: "backoff",
    });
  });
});

test("two zones that both own nothing yet are both opened", async () => {
  await find(OLD);
  await keep(OLD, null);
  expect(await find(NEW)).toEqual(locationOf(NEW));
});

test("a registry from before there were notes is found, and noted", async () => {
  await keep(OLD);
  expect(await find(OLD)).toEqual(locationOf(OLD));
  await expect(find(NEW)).rejects.toEqual(elsewhere);
});

test("continuing what is not there is no beginning: what is known is named", async () => {
  await keep(OLD);
  await find(OLD);
  put(rootOf(NEW), { continues: "rfc2136 127.0.0.1 example.org" });
  await expect(find(NEW)).rejects.toMatchObject({
    code: "RegistryUnusable",
    message: expect.stringContaining(`never opened as a zone example.org (known are "${OLD}")`),
  });
});

test.each(["example.com.", "sub"])(
  "the registry of another apex is not gone on with for %s: its rows would seem to be missing",
  async (apex) => {
    await find(OLD);
    await keep(OLD);
    const zone = "rfc2136 localhost:53 another";
    put(rootOf(zone), { zone, continues: OLD });
    const found = findRegistry({ store, apex: nameOf(apex), zone });
    await expect(found).rejects.toMatchObject({
      code: "RegistryUnusable",
      message: expect.stringMatching(
        `${store.nameOf(rootOf(zone))} .*it continues "${OLD}", which was never opened as a zone ${nameOf(apex)} .none is known`,
      ),
    });
    // Nothing was noted for it: a second look says the same.
    await expect(findRegistry({ store, apex: nameOf(apex), zone })).rejects.toMatchObject({
      code: "RegistryUnusable",
    });
  },
);

test("a circle leads nowhere", async () => {
  put(rootOf(NEW), { continues: OLD });
  put(rootOf(OLD), { continues: NEW });
  await expect(find(NEW)).rejects.toMatchObject({
    code: "RegistryUnusable",
    message: expect.stringContaining("more than 8 others"),
  });
});

describe("the notes", () => {
  const notes = () => cluster.all(CONFIG_MAP).map(({ data }) => data);

  test("are written before the zone has a registry, once", async () => {
    await find(OLD);
    await find(OLD);
    await find(NEW);
    expect(notes()).toEqual([{ name: "example.org", zones: `${OLD}\n${NEW}` }]);
    expect(cluster.writes).toHaveLength(2);
  });

  test("lines and fields that a person emptied say nothing", async () => {
    await find(OLD);
    const name = cluster.all(CONFIG_MAP)[0]?.metadata.name.replace(/^me-/, "") ?? "";
    for (const data of [{ name: "example.org" }, { name: "example.org", zones: "\n \n" }]) {
      put(name, data);
      await find(OLD);
      expect(notes()).toEqual([{ name: "example.org", zones: OLD }]);
    }
  });

  test("a dry run reads them and writes none", async () => {
    const read = (name: string) => store.read(name);
    const refuse = async (code: string) =>
      Promise.reject(new OperationError({ code, message: "", retry: "never" }));
    expect(await find(OLD, { read, write: () => refuse("DryRun") })).toEqual(locationOf(OLD));
    const forbidden = find(OLD, { read, write: () => refuse("Forbidden") });
    await expect(forbidden).rejects.toMatchObject({ code: "Forbidden" });
  });

  test("about another name, or of too many zones, they stop the zone", async () => {
    await find(OLD);
    const name = cluster.all(CONFIG_MAP)[0]?.metadata.name.replace(/^me-/, "") ?? "";
    put(name, { name: "example.net", zones: "" });
    await expect(find(NEW)).rejects.toMatchObject({
      code: "RegistryUnusable",
      message: expect.stringContaining('about the name "example.net"'),
      retry: "backoff",
    });
    put(name, { zones: "" });
    await expect(find(NEW)).rejects.toThrow(/about the name ""/);
    const zones = Array.from({ length: 100 }, (_, index) => `rfc2136 ns${index} example.org`);
    put(name, { name: "example.org", zones: zones.join("\n") });
    await expect(find(NEW)).rejects.toThrow(/100 zones/);
    put(name, { name: "example.org", zones: zones.slice(1).join("\n") });
    expect(await find(NEW)).toEqual(locationOf(NEW));
  });
});
